"""The alerts name measures that there are, and every word they split them by."""

import re
from pathlib import Path

import pytest
import yaml

from portal.gateways.measures import REQUESTS, SECONDS, UPLOADS_REFUSED
from portal.services.watching.measuring import gauges

EXAMPLES = Path("docs/examples")
[GROUP] = yaml.safe_load((EXAMPLES / "portal-alerts.yml").read_text())["groups"]
RULES = GROUP["rules"]
EXPRESSIONS = [rule["expr"] for rule in RULES]
OURS = {
    "portal_requests_total": {"method", "route", "status"},
    "portal_request_seconds_bucket": {"route", "le"},
    "portal_uploads_refused_total": {"reason"},
    "portal_desk_waiting": {"kind"},
    "portal_desk_overdue": {"kind"},
    **{gauge.name: {gauge.label} for gauge in gauges({})},
}


def test_every_alert_goes_by_measures_that_there_are():
    named = {name for expression in EXPRESSIONS for name in re.findall(r"portal_\w+", expression)}
    assert named - set(OURS) == set()
    counters = {"portal_requests_total", "portal_request_seconds_bucket", "portal_uploads_refused_total"}
    exported = {f"{one.describe()[0].name}_total" for one in (REQUESTS, UPLOADS_REFUSED)}
    assert exported | {f"{SECONDS.describe()[0].name}_bucket"} == counters


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=[rule["alert"] for rule in RULES])
def test_an_alert_asks_for_labels_that_its_measure_has(expression):
    for name, asked in re.findall(r"(portal_\w+)\{([^}]*)\}", expression):
        assert set(re.findall(r"(\w+)=", asked)) <= OURS[name]
    for split in re.findall(r"by \((\w+)\) \((?:rate\()?(portal_\w+)", expression):
        assert split[0] in OURS[split[1]]


def test_each_alert_says_who_looks_and_what_at():
    assert {rule["labels"]["severity"] for rule in RULES} == {"wake", "morning"}
    assert all(rule["annotations"]["summary"] for rule in RULES)
