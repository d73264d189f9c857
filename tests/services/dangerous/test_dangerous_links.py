"""An insurer and a landlord answer by a link that opens one row of one dog (90.13(H)(5), (13))."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from uuid import uuid4

import pytest

from portal.ordinance.dangerous import Requirement, RowState
from portal.ordinance.dangerous_measures import Landlord
from portal.schema.dangerous import RegistrationState
from portal.schema.dangerous_requirements import EvidenceSource, LinkFor
from portal.services.dangerous.answer_for_evidence import answer_link, cancel_policy, look_at_link
from portal.services.dangerous.ask_for_evidence import MOST_OPEN, ask_for_evidence, links_of, withdraw_link
from portal.services.dangerous.send_evidence import EvidenceSent
from portal.services.refusal import NotTheirs, Refused
from tests.support.dangerous import POLICY
from tests.support.portal import CHICAGO


@pytest.fixture
def pepper(registrations, dangerous, clock):
    clock.move_to(datetime(2026, 11, 12, 12, tzinfo=CHICAGO))
    pepper = registrations.licensed("Pepper")
    dangerous.designated(pepper)
    return pepper


@pytest.fixture
def ask(dangerous, clock):
    """The owner asks: `ask(dog, Requirement.INSURANCE)`."""

    def ask(dog, requirement, *, email="agent@prairie.example.com"):
        row = dangerous.row(dog, requirement).stored
        return dangerous.by_owner(
            lambda session: ask_for_evidence(
                session,
                animal_id=dog.animal_id,
                requirement_id=row.id,
                person_id=dog.person_id,
                addressee="Prairie Mutual",
                email=email,
                clock=clock,
            )
        )

    return ask


@pytest.fixture
def answer(dangerous, gateways):
    def answer(token, measures):
        sent = EvidenceSent(key=uuid4(), measures=measures)
        return dangerous.by_owner(
            lambda session: answer_link(session, sent, token=token, city=gateways.city, clock=gateways.clock)
        )

    return answer


@pytest.fixture
def look(dangerous, clock):
    return lambda token: dangerous.by_owner(lambda session: look_at_link(session, token=token, clock=clock))


def test_an_insurer_sends_the_policy_without_an_account(dangerous, pepper, ask, answer, look, outbox):
    made = ask(pepper, Requirement.INSURANCE)
    (letter,) = outbox.letters(template="ask_for_evidence")
    assert letter.to == "agent@prairie.example.com"
    assert made.path in letter.text
    seen = look(made.token)
    assert (seen.link_for, seen.animal, seen.is_answered) == (LinkFor.INSURER, "Pepper", False)
    answer(made.token, POLICY)
    row = dangerous.row(pepper, Requirement.INSURANCE)
    assert (row.state, row.evidence.source) == (RowState.SENT, EvidenceSource.INSURER)
    assert look(made.token).is_answered
    assert answer(made.token, replace(POLICY, number="L-2")) is None
    assert dangerous.row(pepper, Requirement.INSURANCE).measures.number == "L-1"


def test_a_cancellation_opens_the_row_at_once_and_the_certificate_counts_no_more(
    dangerous, pepper, ask, answer, outbox, clock
):
    made = ask(pepper, Requirement.INSURANCE)
    answer(made.token, POLICY)
    dangerous.decide(pepper, Requirement.INSURANCE)
    dangerous.settle(pepper)
    dangerous.certify(pepper)
    assert dangerous.seen(pepper).is_certified(clock.today())
    clock.move_to(clock.at + timedelta(days=90))

    def cancel(session):
        cancel_policy(session, token=made.token, ends_on=date(2027, 2, 20), clock=clock)

    dangerous.by_owner(cancel)
    dangerous.by_owner(cancel)
    seen = dangerous.seen(pepper)
    assert seen.row(Requirement.INSURANCE).state is RowState.NOT_YET
    assert seen.year.state is RegistrationState.OPEN
    assert not seen.is_certified(clock.today())
    (letter,) = outbox.letters(template="requirement_open")
    assert "this policy ends on February 20, 2027" in letter.text
    with pytest.raises(Refused, match="surety bond or liability insurance"):
        dangerous.certify(pepper)


def test_an_owner_who_takes_an_answered_link_back_leaves_the_insurer_its_way_to_cancel(
    dangerous, pepper, ask, answer, look, clock
):
    """On a page that was open since before the insurer answered."""
    made = ask(pepper, Requirement.INSURANCE)
    answer(made.token, POLICY)
    dangerous.decide(pepper, Requirement.INSURANCE)
    dangerous.by_owner(
        lambda session: withdraw_link(session, link_id=made.link_id, person_id=pepper.person_id, clock=clock)
    )
    assert look(made.token).is_answered
    dangerous.by_owner(lambda session: cancel_policy(session, token=made.token, ends_on=date(2027, 2, 20), clock=clock))
    assert dangerous.row(pepper, Requirement.INSURANCE).state is RowState.NOT_YET


def test_the_cancellation_of_an_old_policy_leaves_the_new_one_alone(dangerous, pepper, ask, answer, clock):
    made = ask(pepper, Requirement.INSURANCE)
    answer(made.token, POLICY)
    dangerous.send(pepper, Requirement.INSURANCE, replace(POLICY, number="L-2"))
    dangerous.by_owner(lambda session: cancel_policy(session, token=made.token, ends_on=date(2026, 12, 1), clock=clock))
    assert dangerous.row(pepper, Requirement.INSURANCE).state is RowState.SENT


def test_a_landlord_confirms_and_can_cancel_nothing(dangerous, pepper, ask, answer, clock):
    made = ask(pepper, Requirement.LANDLORD)
    answer(made.token, Landlord(rents=True, landlord="R. Olson", told_on=date(2026, 11, 10)))
    assert dangerous.row(pepper, Requirement.LANDLORD).evidence.source is EvidenceSource.LANDLORD
    with pytest.raises(NotTheirs):
        dangerous.by_owner(
            lambda session: cancel_policy(session, token=made.token, ends_on=date(2026, 12, 1), clock=clock)
        )


def test_a_link_for_one_row_takes_nothing_of_another(pepper, ask, answer):
    made = ask(pepper, Requirement.LANDLORD)
    with pytest.raises(NotTheirs):
        answer(made.token, POLICY)
    with pytest.raises(NotTheirs):
        ask(pepper, Requirement.SIGNS)


def test_a_link_ends_after_thirty_days_or_when_it_is_taken_back(dangerous, pepper, ask, look, clock, registrations):
    made, other = ask(pepper, Requirement.INSURANCE), ask(pepper, Requirement.LANDLORD)
    gavins = registrations.dog("Rex", email="gavin@example.com")

    def withdraw(person_id):
        dangerous.by_owner(
            lambda session: withdraw_link(session, link_id=other.link_id, person_id=person_id, clock=clock)
        )

    with pytest.raises(NotTheirs):
        withdraw(gavins.person_id)
    withdraw(pepper.person_id)
    assert look(other.token) is None
    clock.move_to(clock.at + timedelta(days=31))
    assert look(made.token) is None
    assert look("not-a-token") is None


def test_nobody_is_written_to_over_and_over(dangerous, pepper, ask):
    for _ in range(MOST_OPEN):
        ask(pepper, Requirement.INSURANCE)
    with pytest.raises(Refused, match="5 times"):
        ask(pepper, Requirement.INSURANCE)
    row = dangerous.row(pepper, Requirement.INSURANCE).stored
    assert len(dangerous.by_owner(lambda session: links_of(session, row.id))) == MOST_OPEN


def test_the_token_of_a_link_is_kept_nowhere(database, pepper, ask):
    made = ask(pepper, Requirement.INSURANCE, email=None)
    kept = " ".join(content for _, content in database.content())
    assert made.token not in kept
