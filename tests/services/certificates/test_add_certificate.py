"""Filing a certificate for a registered animal: what it does, once, for its keeper alone."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from uuid import uuid4

import pytest

from portal.services.certificates.add_certificate import Sender, add_certificate
from portal.services.files.accept_upload import note_upload
from portal.services.refusal import NotTheirs, Refused
from tests.support.owing import committed
from tests.support.registrations import CERTIFICATE, LATER


@pytest.fixture
def file(gateways, registrations):
    """Files a certificate for a dog: `file(kept, given_on=..., key=..., by=another)`."""

    def file(kept, *, key=None, by=None, **changes):
        sender = by or kept
        with committed(gateways.engine) as session:
            upload_id = changes.pop("upload_id", None)
            if upload_id is None:
                upload_id = note_upload(session, registrations.stored(), account_id=sender.account_id).id
            return add_certificate(
                session,
                sender=Sender(sender.person_id, sender.account_id),
                animal_id=kept.animal_id,
                answers=replace(CERTIFICATE, upload_id=upload_id, **changes),
                submission_key=key or uuid4(),
                city=gateways.city,
                clock=gateways.clock,
            )

    return file


def test_it_waits_for_an_officer_with_its_dates_its_file_and_an_event(registrations, database, file):
    kept = registrations.dog("Pepper", certificate=LATER)
    vaccination_id = file(kept)
    row = database.rows("SELECT * FROM animal_control.vaccination")[0]
    assert (row.id, row.state, row.source) == (vaccination_id, "submitted", "owner")
    assert (row.given_on, row.certificate_due_on, row.ordinance_until) == (
        date(2026, 6, 12),
        date(2029, 6, 12),
        date(2029, 6, 12),
    )
    assert database.value("SELECT count(*) FROM animal_control.document_page") == 1
    event = database.rows("SELECT kind, actor FROM animal_control.event ORDER BY id DESC LIMIT 1")[0]
    assert (event.kind, event.actor) == ("certificate.submitted", f"keeper:{kept.person_id}")


def test_accepted_it_issues_the_license_that_was_paid(registrations, database, file):
    kept = registrations.dog("Pepper", certificate=LATER)
    registrations.pay(kept)
    registrations.accept(replace(kept, vaccination_id=file(kept)))
    assert database.value("SELECT number FROM animal_control.license") == 1


def test_the_same_key_files_once_even_at_the_same_moment(registrations, database, gateways, file):
    kept, key = registrations.dog("Pepper", certificate=LATER), uuid4()
    with committed(gateways.engine) as session:
        upload_id = note_upload(session, registrations.stored(), account_id=kept.account_id).id
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: file(kept, key=key, upload_id=upload_id), range(4)))
    assert len(set(answers)) == 1
    assert database.value("SELECT count(*) FROM animal_control.vaccination") == 1


def test_what_is_impossible_is_refused_and_files_nothing(registrations, database, file):
    kept = registrations.dog("Pepper", certificate=LATER)
    with pytest.raises(Refused) as refused:
        file(kept, given_on=date(2026, 12, 1))
    assert [refusal.field for refusal in refused.value.refusals] == ["given_on"]
    assert database.value("SELECT count(*) FROM animal_control.vaccination") == 0


def test_below_three_months_is_kept_and_flagged(registrations, database, file):
    """Example 21: born 1 September 2026, vaccinated 10 November 2026."""
    kept = registrations.dog("Pepper", certificate=LATER, born_on=date(2026, 9, 1))
    file(kept, given_on=date(2026, 11, 10), due_on=date(2027, 11, 10), duration_years=1)
    row = database.rows("SELECT needs_review, findings FROM animal_control.vaccination")[0]
    assert row.needs_review
    assert any("below the minimum age" in finding["sentence"] for finding in row.findings)


def test_a_birth_date_that_was_only_estimated_refuses_nothing(registrations, database, file):
    kept = registrations.dog(
        "Pepper", certificate=LATER, born_on=None, age_months=2, age_estimated_on=date(2026, 11, 20)
    )
    file(kept, given_on=date(2026, 6, 12))
    assert database.value("SELECT needs_review FROM animal_control.vaccination") is True


def test_another_persons_animal_or_file_does_not_exist(registrations, database, gateways, file):
    """V2."""
    mine = registrations.dog("Pepper", certificate=LATER)
    theirs = registrations.dog("Rex", email="gavin@example.com", certificate=LATER)
    with pytest.raises(NotTheirs):
        file(mine, by=theirs)
    with committed(gateways.engine) as session:
        their_upload = note_upload(session, registrations.stored(), account_id=theirs.account_id).id
    with pytest.raises(NotTheirs):
        file(mine, upload_id=their_upload)
    assert database.value("SELECT count(*) FROM animal_control.vaccination") == 0
