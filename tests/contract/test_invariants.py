"""What the database refuses whoever asks: the rules that no mistake of the code may break."""

import psycopg
import pytest
from sqlalchemy.exc import IntegrityError

from tests.support.database import Database
from tests.support.registrations import LATER, Registered, Registrations


@pytest.fixture
def pepper(registrations: Registrations) -> Registered:
    """A licensed dog: license 1 of 2026, its tag waiting to be sent."""
    return registrations.licensed("Pepper")


@pytest.fixture
def rex(registrations: Registrations, pepper: Registered) -> Registered:
    """Another dog, whose application waits for payment and an officer."""
    return registrations.dog("Rex", email="gavin@example.com")


def copy_of(table: str, *, where: str, **changes: str) -> str:
    """A statement that adds a row like the one named, but for these columns."""
    fields = ", ".join(f"'{name}', {value}" for name, value in {"id": "gen_random_uuid()", **changes}.items())
    row = f"jsonb_populate_record(null::{table}, to_jsonb(r) || jsonb_build_object({fields}))"
    return f"INSERT INTO {table} SELECT ({row}).* FROM {table} r WHERE {where}"


def refused(database: Database, constraint: str, statement: str, **values: object) -> None:
    with pytest.raises(IntegrityError, match=constraint):
        database.run(statement, **values)


def test_a_dog_has_one_live_license_a_year(database: Database, pepper: Registered) -> None:
    again = copy_of("animal_control.license", where="true", number="2", proof_code="'Q'")
    refused(database, "uq_license_animal_id_year", again)
    database.run("UPDATE animal_control.license SET state = 'revoked'")
    database.run(again)


def test_a_license_number_is_given_once_a_year(database: Database, pepper: Registered, rex: Registered) -> None:
    number_one = "UPDATE animal_control.license SET state = 'issued', number = 1 WHERE id = :id"
    refused(database, "uq_license_year_number", number_one, id=rex.license_id)
    database.run(number_one.replace("number = 1", "number = 1, year = 2027"), id=rex.license_id)


def test_an_issued_license_has_a_number(database: Database, rex: Registered) -> None:
    refused(
        database,
        "ck_license_issued_has_a_number",
        "UPDATE animal_control.license SET state = 'issued' WHERE id = :id",
        id=rex.license_id,
    )


def test_a_license_ends_after_it_begins(database: Database, pepper: Registered) -> None:
    backwards = "UPDATE animal_control.license SET valid_until = valid_from - 1"
    refused(database, "ck_license_ends_after_it_begins", backwards)


@pytest.mark.parametrize("values", ["waiver_state = 'claimed'", "basis = 'police_dog'"])
def test_a_waiver_is_claimed_or_a_fee_is_due_and_never_both(
    database: Database, pepper: Registered, values: str
) -> None:
    refused(database, "ck_license_a_waiver_has_a_state", f"UPDATE animal_control.license SET {values}")


def test_a_proof_code_belongs_to_one_license(database: Database, pepper: Registered, rex: Registered) -> None:
    same = "UPDATE animal_control.license SET proof_code = (SELECT min(proof_code) FROM animal_control.license)"
    refused(database, "uq_license_proof_code", same)


def test_a_license_has_one_live_tag(database: Database, pepper: Registered) -> None:
    duplicate = copy_of("animal_control.tag", where="true", issue="2")
    refused(database, "uq_tag_license_id_live", duplicate)
    database.run("UPDATE animal_control.tag SET state = 'lost'")
    database.run(duplicate)


def test_a_tag_is_stamped_once(database: Database, pepper: Registered) -> None:
    refused(database, "uq_tag_year_number_issue", copy_of("animal_control.tag", where="true", state="'lost'"))


def test_a_certificate_sent_back_says_why(database: Database, rex: Registered) -> None:
    without = "UPDATE animal_control.vaccination SET state = 'sent_back', decided_at = now() WHERE id = :id"
    refused(database, "ck_vaccination_sent_back_says_why", without, id=rex.vaccination_id)


@pytest.mark.parametrize("values", ["state = 'accepted'", "decided_at = now()"])
def test_a_decision_on_a_certificate_has_its_time(database: Database, rex: Registered, values: str) -> None:
    undated = f"UPDATE animal_control.vaccination SET {values} WHERE id = :id"
    refused(database, "ck_vaccination_a_decision_has_its_time", undated, id=rex.vaccination_id)


def test_an_order_has_one_open_attempt_to_pay(database: Database, rex: Registered) -> None:
    attempt = """
        INSERT INTO animal_control.payment (order_id, method, state, amount_cents) VALUES (:order, 'card', :state, 1000)
    """
    database.run(attempt, order=rex.order_id, state="pending")
    refused(database, "uq_payment_order_id_attempt", attempt, order=rex.order_id, state="pending")
    refused(database, "uq_payment_order_id_attempt", attempt, order=rex.order_id, state="processing")
    database.run(attempt, order=rex.order_id, state="expired")


def test_no_more_is_given_back_than_was_paid(database: Database, pepper: Registered) -> None:
    too_much = "UPDATE animal_control.payment SET refunded_cents = amount_cents + 1"
    refused(database, "ck_payment_never_refunds_more_than_paid", too_much)


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("animal_control.fee_order", "total_cents"),
        ("animal_control.fee_order_line", "amount_cents"),
        ("animal_control.payment", "amount_cents"),
        ("animal_control.household_statement", "other_dogs"),
    ],
)
def test_nothing_is_less_than_nothing(database: Database, pepper: Registered, table: str, column: str) -> None:
    refused(database, "_not_negative", f"UPDATE {table} SET {column} = -1")


def test_a_paid_order_has_its_time(database: Database, rex: Registered) -> None:
    undated = "UPDATE animal_control.fee_order SET state = 'paid' WHERE id = :id"
    refused(database, "ck_fee_order_paid_has_its_time", undated, id=rex.order_id)


def test_a_receipt_is_given_once(database: Database, pepper: Registered) -> None:
    again = copy_of("animal_control.payment", where="receipt_number IS NOT NULL")
    refused(database, "uq_payment_receipt_number", again)


def test_a_safe_at_home_address_is_matched_with_nothing(database: Database, pepper: Registered) -> None:
    """Minn. Stat. 5B.05: there is no key by which two such addresses could be told to be one."""
    assert database.value("SELECT match_key IS NOT NULL FROM animal_control.premises")
    hidden = "UPDATE animal_control.premises SET kind = 'safe_at_home'"
    refused(database, "ck_premises_safe_at_home_is_never_matched", hidden)
    database.run(f"{hidden}, match_key = NULL")


def test_an_address_is_one_place(database: Database, pepper: Registered) -> None:
    refused(database, "uq_premises_match_key", copy_of("animal_control.premises", where="true"))


def test_an_estimated_age_has_the_day_it_was_estimated(database: Database, pepper: Registered) -> None:
    refused(database, "ck_animal_an_estimate_has_its_date", "UPDATE animal_control.animal SET estimated_age_months = 3")


def test_a_mailbox_has_one_account_and_one_keeper(database: Database, pepper: Registered, rex: Registered) -> None:
    same_mailbox = "UPDATE portal.account SET email_key = 'pat@example.com'"
    refused(database, "uq_account_email_key", same_mailbox)
    refused(database, "uq_account_person_id", "UPDATE portal.account SET person_id = :id", id=pepper.person_id)


def test_an_account_has_one_open_draft(database: Database, pepper: Registered) -> None:
    draft = "INSERT INTO portal.draft (account_id) VALUES (:id)"
    database.run(draft, id=pepper.account_id)
    refused(database, "uq_draft_account_id_open", draft, id=pepper.account_id)


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("animal_control.animal", "species"),
        ("animal_control.license", "state"),
        ("animal_control.fee_order", "state"),
        ("animal_control.payment", "method"),
        ("animal_control.vaccination", "state"),
        ("animal_control.tag", "delivery"),
    ],
)
def test_a_word_that_is_not_in_the_list_is_refused(
    database: Database, pepper: Registered, table: str, column: str
) -> None:
    refused(database, f"ck_{table.partition('.')[2]}_", f"UPDATE {table} SET {column} = 'ferret'")


def test_a_dog_does_not_lose_its_keeper_or_its_home(database: Database, pepper: Registered) -> None:
    refused(database, "_person_id", "DELETE FROM animal_control.person")
    refused(database, "_premises_id", "DELETE FROM animal_control.premises")


def test_whoever_listens_hears_that_something_happened(database: Database, registrations: Registrations) -> None:
    with psycopg.connect(database.url.replace("+psycopg", ""), autocommit=True) as listener:
        listener.execute("LISTEN animal_control_event")
        registrations.dog("Rex", certificate=LATER)
        heard = [(notice.channel, notice.payload) for notice in listener.notifies(timeout=60, stop_after=1)]
    assert heard == [("animal_control_event", "")] * len(heard)
    assert heard
