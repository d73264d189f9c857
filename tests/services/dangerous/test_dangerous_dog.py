"""A dangerous dog's registration from notice to certificate and on to the next year (90.13(H))."""

from dataclasses import replace
from datetime import date, datetime
from uuid import uuid4

import pytest

from portal.ordinance.dangerous import Designated, Requirement, RowState
from portal.ordinance.dangerous_measures import Landlord, Note
from portal.schema.dangerous import RegistrationState
from portal.schema.dangerous_requirements import Decision
from portal.services.dangerous.certify_dangerous_dog import check_certificate, years_ready
from portal.services.dangerous.claim_designation import claim_designation
from portal.services.dangerous.dog import Clocked
from portal.services.refusal import ChangedMeanwhile, NotTheirs, Refused
from tests.support.dangerous import MEETS, POLICY
from tests.support.owing import committed
from tests.support.portal import CHICAGO
from tests.support.registrations import LATER

NOTICED = date(2026, 11, 12)


def at(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, 12, tzinfo=CHICAGO)


@pytest.fixture
def pepper(registrations, clock):
    """A licensed dog on the day of the notice."""
    clock.move_to(at(2026, 11, 12))
    return registrations.licensed("Pepper")


@pytest.fixture
def claim(gateways):
    def claim(dog, code):
        with committed(gateways.engine) as session:
            return claim_designation(
                session, code=code, animal_id=dog.animal_id, person_id=dog.person_id, clock=gateways.clock
            )

    return claim


def test_a_notice_about_a_known_dog_begins_its_rows_and_its_keepers_get_a_letter(dangerous, pepper, outbox):
    dangerous.designated(pepper)
    seen = dangerous.seen(pepper)
    assert len(seen.rows) == 16
    assert {row.due.show_by for row in seen.rows if row.requirement is not Requirement.STERILIZATION} == {
        date(2026, 11, 25)
    }
    assert seen.row(Requirement.STERILIZATION).due.show_by == date(2026, 12, 11)
    assert {row.requirement for row in seen.rows if row.is_settled} == {
        Requirement.LICENSE,
        Requirement.RENEWAL,
        Requirement.DEATH_OR_TRANSFER,
        Requirement.NEW_OWNER,
    }
    (letter,) = outbox.letters(template="dog_designated")
    assert "Ask by November 25, 2026" in letter.text


def test_a_notice_is_claimed_with_its_code_once_and_for_one_dog(dangerous, pepper, registrations, claim):
    entered = dangerous.designated(None)
    with pytest.raises(NotTheirs):
        dangerous.seen(pepper)
    typed = entered.code.lower().replace("-", " ")
    claimed = claim(pepper, typed)
    assert claim(pepper, typed).id == claimed.id
    assert len(dangerous.seen(pepper).rows) == 16
    rex = registrations.dog("Rex", email="gavin@example.com")
    with pytest.raises(Refused, match="about another dog"):
        claim(rex, entered.code)
    with pytest.raises(Refused, match="no notice with this code"):
        claim(pepper, "0000-0000-0000-0000")
    with pytest.raises(NotTheirs):
        claim(replace(pepper, person_id=rex.person_id), entered.code)


def test_a_dog_declared_dangerous_elsewhere_is_taken_and_the_police_hear(registrations, dangerous, outbox, gateways):
    """Example 13: no day counts before the city gives notice."""
    moved = registrations.dog("Rex", is_declared_dangerous_elsewhere=True)
    seen = dangerous.seen(moved)
    assert seen.designation.state == "stated"
    assert len(seen.rows) == 16
    assert seen.days == ()
    (letter,) = outbox.letters(template="declared_elsewhere")
    assert letter.to == gateways.city.police.email


def test_insurance_below_the_figure_is_kept_and_told_and_the_year_is_sent_all_the_same(dangerous, pepper):
    """Example 58."""
    dangerous.designated(pepper)
    dangerous.send(pepper, Requirement.INSURANCE, replace(POLICY, amount_cents=100_000_00))
    row = dangerous.row(pepper, Requirement.INSURANCE)
    assert row.state is RowState.SENT
    assert row.evidence.is_unmet
    assert row.evidence.findings[0]["sentence"] == "At least $300,000.00 is needed; this says $100,000.00"
    assert row.measures.amount_cents == 100_000_00
    dangerous.send_year(pepper)
    year = dangerous.seen(pepper).year
    assert year.sent_at is not None
    assert not year.is_late


def test_an_owners_own_photo_leaves_the_row_to_the_officer(dangerous, pepper):
    """Example 59."""
    dangerous.designated(pepper)
    dangerous.send(pepper, Requirement.PHOTOGRAPH, Note(told="By the barn"))
    row = dangerous.row(pepper, Requirement.PHOTOGRAPH)
    assert row.state is RowState.SENT
    assert not row.is_settled
    assert "Animal control still has to photograph the dog itself" in row.evidence.findings[0]["sentence"]


def test_what_comes_late_is_taken_and_marked(dangerous, pepper, clock, database):
    dangerous.designated(pepper)
    clock.move_to(at(2026, 11, 27))
    dangerous.send(pepper, Requirement.SIGNS)
    clock.move_to(at(2026, 11, 30))
    dangerous.send(pepper, Requirement.MICROCHIP)
    late = database.rows("SELECT is_late FROM animal_control.requirement_evidence ORDER BY created_at")
    assert [row.is_late for row in late] == [False, True]
    dangerous.send_year(pepper)
    assert dangerous.seen(pepper).year.is_late


def test_the_same_submission_twice_is_one_piece_of_evidence(dangerous, pepper, database):
    dangerous.designated(pepper)
    key = uuid4()
    assert dangerous.send(pepper, Requirement.SIGNS, key=key) == dangerous.send(pepper, Requirement.SIGNS, key=key)
    assert database.value("SELECT count(*) FROM animal_control.requirement_evidence") == 1


def test_nothing_is_sent_for_a_row_that_the_portal_reads(dangerous, pepper):
    dangerous.designated(pepper)
    with pytest.raises(NotTheirs):
        dangerous.send(pepper, Requirement.FEE, Note())
    with pytest.raises(NotTheirs):
        dangerous.send(pepper, Requirement.SIGNS, Landlord(rents=False))


def test_sent_back_with_the_reason_fixed_and_accepted(dangerous, pepper, outbox):
    dangerous.designated(pepper)
    dangerous.send(pepper, Requirement.SIGNS)
    with pytest.raises(Refused, match="Say why"):
        dangerous.decide(pepper, Requirement.SIGNS, Decision.SENT_BACK)
    dangerous.decide(pepper, Requirement.SIGNS, Decision.SENT_BACK, reason="The rear sign can’t be seen.")
    row = dangerous.row(pepper, Requirement.SIGNS)
    assert (row.state, row.decision.reason) == (RowState.SENT_BACK, "The rear sign can’t be seen.")
    (letter,) = outbox.letters(template="requirement_open")
    assert "The rear sign can’t be seen." in letter.text
    dangerous.send(pepper, Requirement.SIGNS)
    dangerous.decide(pepper, Requirement.SIGNS)
    assert dangerous.row(pepper, Requirement.SIGNS).state is RowState.ACCEPTED


def test_an_approval_is_of_the_very_evidence_that_was_looked_at(dangerous, pepper, database):
    dangerous.designated(pepper)
    dangerous.send(pepper, Requirement.SIGNS)
    dangerous.send(pepper, Requirement.SIGNS)
    with pytest.raises(ChangedMeanwhile):
        dangerous.decide(pepper, Requirement.SIGNS, number=1)
    assert dangerous.row(pepper, Requirement.SIGNS).state is RowState.SENT
    dangerous.decide(pepper, Requirement.SIGNS, number=2)
    assert database.value("SELECT evidence_number FROM animal_control.requirement_decision") == 2


def test_an_owner_who_answers_on_an_old_page_is_told_and_nothing_is_lost(dangerous, pepper, database):
    """Two officers and one owner at once: whoever comes second looks again."""
    dangerous.designated(pepper)
    version = dangerous.row(pepper, Requirement.COUNTY).stored.version
    dangerous.decide(pepper, Requirement.COUNTY, Decision.WAIVED, reason="The county keeps no register.")
    with pytest.raises(ChangedMeanwhile):
        dangerous.send(pepper, Requirement.COUNTY, version=version)
    assert dangerous.row(pepper, Requirement.COUNTY).state is RowState.WAIVED
    assert database.value("SELECT count(*) FROM animal_control.requirement_decision") == 1


def test_the_certificate_waits_for_every_row_and_then_ends_with_the_first_of_what_it_rests_on(
    dangerous, pepper, gateways, outbox
):
    """90.13(H)(1): the year runs to 11 November, the policy to 30 June."""
    dangerous.designated(pepper)
    dangerous.settle(pepper, Requirement.SIGNS)
    with pytest.raises(Refused, match="warning signs") as refused:
        dangerous.certify(pepper)
    assert [refusal.field for refusal in refused.value.refusals] == ["signs"]
    dangerous.settle(pepper)
    dangerous.certify(pepper)
    seen = dangerous.seen(pepper)
    assert seen.open_rows == ()
    assert (seen.year.ends_on, seen.year.certificate_until) == (date(2027, 11, 11), date(2027, 6, 30))
    assert outbox.templates().count("dangerous_dog_certified") == 1
    with committed(gateways.engine) as session:
        shown = check_certificate(session, code=seen.year.certificate_code.lower())
        assert check_certificate(session, code="0000-0000-0000-0000") is None
    assert shown.name == "Pepper"
    assert shown.is_in_force(date(2027, 6, 30))
    assert not shown.is_in_force(date(2027, 7, 1))


def test_a_newer_policy_lengthens_the_certificate_and_keeps_its_code(dangerous, pepper, clock, gateways):
    """Until an officer has looked at it, the certificate runs as it was issued."""

    def ready():
        return dangerous.at_desk(years_ready, city=gateways.city)

    dangerous.designated(pepper)
    dangerous.settle(pepper)
    assert len(ready()) == 1
    dangerous.certify(pepper)
    assert ready() == []
    code = dangerous.seen(pepper).year.certificate_code
    clock.move_to(at(2027, 5, 3))
    year_before = dangerous.seen(pepper).year
    dangerous.decide(pepper, Requirement.LICENSE, Decision.WAIVED, reason="Renewed at the counter.")
    dangerous.send(pepper, Requirement.INSURANCE, replace(POLICY, last_day=date(2028, 6, 30)))
    assert dangerous.seen(pepper).is_certified(clock.today())
    assert ready() == []
    dangerous.decide(pepper, Requirement.INSURANCE)
    assert [year.id for year in ready()] == [year_before.id]
    dangerous.certify(pepper)
    year = dangerous.seen(pepper).year
    assert (year.certificate_until, year.certificate_code) == (date(2027, 11, 11), code)


def test_the_fee_is_asked_once_and_counts_once_it_is_paid(dangerous, pepper, database):
    """90.13(H)(6): in addition to the license, with the resolution that set it."""
    dangerous.designated(pepper)
    assert dangerous.row(pepper, Requirement.FEE).state is RowState.NOT_YET
    dangerous.pay(pepper)
    assert dangerous.row(pepper, Requirement.FEE).state is RowState.ACCEPTED
    (line,) = database.rows(
        "SELECT amount_cents, resolution, ledger_code FROM animal_control.fee_order_line WHERE kind = 'dangerous_dog'"
    )
    assert (line.amount_cents, line.ledger_code) == (30000, "dangerous-dog-registrations")
    with pytest.raises(Refused, match="paid already"):
        dangerous.pay(pepper)


def test_a_dog_without_license_or_certificate_is_read_as_such(dangerous, registrations, clock):
    clock.move_to(at(2026, 11, 12))
    rex = registrations.dog("Rex", certificate=LATER)
    dangerous.designated(rex)
    assert dangerous.row(rex, Requirement.LICENSE).state is RowState.NOT_YET


def test_a_year_later_only_what_ran_out_is_asked(dangerous, pepper, clock, registrations):
    """(H)(11): policy and lease ran out in June; the fee is due anew; all else is sent as it was."""
    dangerous.designated(pepper)
    dangerous.settle(pepper)
    lease = Landlord(rents=True, landlord="Kay Berg", told_on=date(2026, 11, 1), lease_renews_on=date(2027, 6, 1))
    dangerous.send(pepper, Requirement.LANDLORD, lease)
    dangerous.decide(pepper, Requirement.LANDLORD)
    dangerous.certify(pepper)
    first = dangerous.seen(pepper).year
    clock.move_to(at(2027, 8, 1))
    with pytest.raises(Refused, match="from September 12, 2027"):
        dangerous.renew(pepper)
    clock.move_to(at(2027, 10, 1))
    dangerous.renew(pepper)
    dangerous.renew(pepper)
    seen = dangerous.seen(pepper)
    assert (seen.year.starts_on, seen.year.ends_on) == (date(2027, 11, 12), date(2028, 11, 11))
    assert seen.year_before.id == first.id
    states = {row.requirement: row.state for row in seen.rows}
    assert states[Requirement.INSURANCE] is states[Requirement.LANDLORD] is RowState.NOT_YET
    assert states[Requirement.FEE] is RowState.NOT_YET
    assert states[Requirement.TAG] is RowState.ACCEPTED
    assert seen.row(Requirement.ENCLOSURE).is_from_year_before
    assert seen.row(Requirement.ENCLOSURE).measures == MEETS[Requirement.ENCLOSURE]
    assert {row.due.show_by for row in seen.rows if row.due} == {date(2027, 11, 10)}


def test_a_renewal_twenty_days_late_is_taken_and_marked(dangerous, pepper, clock, database):
    """Example 60: nothing is computed from it."""
    dangerous.designated(pepper)
    dangerous.settle(pepper)
    dangerous.certify(pepper)
    clock.move_to(at(2027, 12, 1))
    dangerous.renew(pepper)
    dangerous.send_year(pepper)
    seen = dangerous.seen(pepper)
    assert seen.year.is_late
    assert seen.year.starts_on == date(2027, 11, 12)
    dangerous.pay(pepper)
    assert (
        database.value("SELECT sum(amount_cents) FROM animal_control.fee_order_line WHERE kind <> 'license'") == 60000
    )


def test_a_potentially_dangerous_dog_has_the_row_of_its_chip_and_no_year(dangerous, pepper):
    """90.13(G), 347.515."""
    dangerous.designated(pepper, kind=Designated.POTENTIALLY_DANGEROUS)
    seen = dangerous.seen(pepper)
    assert [row.requirement for row in seen.rows] == [Requirement.MICROCHIP]
    assert seen.year is None
    dangerous.send(pepper, Requirement.MICROCHIP)
    dangerous.decide(pepper, Requirement.MICROCHIP)
    assert dangerous.row(pepper, Requirement.MICROCHIP).is_settled


def test_another_persons_designated_dog_does_not_exist(dangerous, pepper, registrations):
    dangerous.designated(pepper)
    rex = registrations.dog("Rex", email="gavin@example.com")
    with pytest.raises(NotTheirs):
        dangerous.seen(replace(pepper, person_id=rex.person_id))


def test_the_page_takes_as_many_queries_with_everything_as_with_nothing(dangerous, pepper, watch):
    dangerous.designated(pepper)
    with watch.counting() as first:
        dangerous.seen(pepper)
    dangerous.settle(pepper)
    dangerous.certify(pepper)
    with watch.counting() as last:
        seen = dangerous.seen(pepper)
    assert len(first) == len(last)
    assert len(last) <= 16
    assert seen.year.state is RegistrationState.CERTIFIED
    assert {day.about for day in seen.days} == {Clocked.HEARING_REQUEST}
