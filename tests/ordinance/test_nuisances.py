"""90.08, 90.10, 90.11: what is said beside a report. Never a verdict."""

from datetime import date

import pytest

from portal.ordinance.citation import Rule
from portal.ordinance.nuisances import ACCUSES_NOBODY, SECTIONS, URGENT, Nuisance, anonymous, bite, quarantine


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        pytest.param(Nuisance.BARKING, "90.10(A)", id="90.10(A) barking"),
        pytest.param(Nuisance.DAMAGE, "90.10(B)", id="90.10(B) damage"),
        pytest.param(Nuisance.LITTER, "90.10(C)", id="90.10(C) litter"),
        pytest.param(Nuisance.CHASING, "90.10(D)", id="90.10(D) chasing"),
        pytest.param(Nuisance.BITE, "90.08(A)(1)", id="90.08(A)(1) bite"),
        pytest.param(Nuisance.AT_LARGE, "90.04(A)", id="90.04(A) at large"),
        pytest.param(Nuisance.NEGLECT, "90.14", id="90.14 neglect"),
        pytest.param(Nuisance.DEAD_ANIMAL, "90.12(E)", id="90.12(E) dead animal"),
        pytest.param(Nuisance.STRAY, "90.11(B)", id="90.11(B) stray"),
        pytest.param(Nuisance.OTHER, None, id="other"),
    ],
)
def test_each_kind_has_its_section_and_what_helps(kind, rule):
    assert SECTIONS[kind].rule == rule
    assert SECTIONS[kind].helps
    assert "violat" not in SECTIONS[kind].says


def test_only_dead_and_stray_animals_accuse_nobody_and_a_bite_is_urgent():
    assert {Nuisance.DEAD_ANIMAL, Nuisance.STRAY} == ACCUSES_NOBODY
    assert {Nuisance.BITE} == URGENT


def test_example_48_an_anonymous_report_is_kept_and_does_not_alone_support_a_seizure():
    assert anonymous().rule == Rule.SEIZURE
    assert "is kept" in anonymous().sentence
    assert "can't alone support" in anonymous().sentence


def test_example_50_a_bite_is_followed_by_ten_days_and_a_written_release():
    found = quarantine(date(2026, 11, 16))
    assert found.last_day == date(2026, 11, 26)
    assert found.needs_written_release
    assert "Thursday, November 26, 2026" in bite(date(2026, 11, 16)).sentence
    assert "written permission" in bite(date(2026, 11, 16)).sentence
