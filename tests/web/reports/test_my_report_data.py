"""A person's own reports are in the data they take away, and those of nobody else (Minn. Stat. 13.04 subd. 3)."""

import json
from datetime import timedelta

from portal.ordinance.nuisances import Nuisance
from portal.services.accounts.my_report_data import REPORTED
from tests.support.reporting import ROBIN, heard


def taken(person):
    return json.loads(person.client.get("/me/data.json").text)


def test_ones_own_reports_are_in_the_file_with_what_was_told_later(reporting, arrive, clock):
    robin = reporting.sign_in("robin@example.com")
    begin = clock.now() - timedelta(hours=1)
    sent = reporting.send(sender=robin.sender(identity=ROBIN), episodes=(heard(begin, begin + timedelta(minutes=4)),))
    reporting.send(Nuisance.LITTER, sender=robin.sender(identity=ROBIN), place="Northside park")
    reporting.again(sent, way=robin.way)
    held = taken(arrive("robin@example.com").sign_in(then="/me"))
    told = {one["kind"]: one["narrative"] for one in held["reports_sent"]}
    assert told == {"barking": "It barks all night", "litter": "It barks all night"}
    assert [(one["reference"], one["text"]) for one in held["told_on_reports"]] == [(sent.filed.reference, "Again")]
    assert [one["reference"] for one in held["barking_logged"]] == [sent.filed.reference]
    told = json.dumps([held[subject] for subject in REPORTED])
    assert not any(part in told for part in ("Robin", "robin@", "555-0177"))


def test_what_others_reported_and_what_was_sent_without_a_name_is_not(reporting, arrive):
    reporting.send(sender=reporting.sign_in("robin@example.com").sender(identity=ROBIN))
    sent = reporting.send()
    pat = arrive("pat@example.com").sign_in(then="/me")
    pat.visit(f"/reports/open/{sent.token}")  # opened here, and not of this sign-in
    held = taken(pat)
    assert {subject: held[subject] for subject in REPORTED} == {subject: [] for subject in REPORTED}
