"""Signing in as the database sees it: spent once whatever comes at once, and nothing kept that opens anything."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy.orm import Session

from portal.composition import Gateways
from portal.gateways.clock import FixedClock
from portal.services.refusal import Refused
from portal.services.secrets import new_code, read_spoken_code, spoken_code, token_hash
from portal.services.signing_in.sign_in import (
    SignedIn,
    SignInAsked,
    ask_to_sign_in,
    email_key,
    find_link,
    sign_in_with_code,
    sign_in_with_link,
    sign_out,
)
from tests.support.database import Database
from tests.support.outbox import Outbox

KEY = "a-key-for-tests-alone-that-is-long-enough"
BROWSER = "the secret of this browser"
EMAIL = "pat@example.com"


@pytest.fixture
def request_id(gateways: Gateways) -> UUID:
    return ask(gateways)


def ask(gateways: Gateways, email: str = EMAIL) -> UUID:
    asked = SignInAsked(email=email, browser=BROWSER, next_path="/dogs")
    with Session(gateways.engine) as session, session.begin():
        return ask_to_sign_in(session, asked, clock=gateways.clock, secret_key=KEY, base_url="http://localhost")


def use_code(gateways: Gateways, request_id: UUID, code: str, *, browser: str = BROWSER) -> SignedIn | None:
    with Session(gateways.engine) as session, session.begin():
        return sign_in_with_code(
            session, request_id=request_id, browser=browser, code=code, clock=gateways.clock, secret_keys=[KEY]
        )


def use_link(gateways: Gateways, token: str) -> SignedIn:
    with Session(gateways.engine) as session, session.begin():
        return sign_in_with_link(session, token=token, clock=gateways.clock)


def token_of(outbox: Outbox) -> str:
    return outbox.link(EMAIL).rpartition("/")[2]


def succeeded(attempt: object) -> bool:
    """Whether a call gave a sign-in; a refusal is not a fault."""
    try:
        return attempt() is not None  # type: ignore[operator]
    except Refused:
        return False


def test_a_code_and_its_link_pressed_at_once_sign_in_once(
    gateways: Gateways, request_id: UUID, outbox: Outbox, database: Database
) -> None:
    code, token = outbox.code(EMAIL), token_of(outbox)
    attempts = [lambda: use_code(gateways, request_id, code), lambda: use_link(gateways, token)] * 4
    with ThreadPoolExecutor(8) as people:
        results = list(people.map(succeeded, attempts))
    assert results.count(True) == 1
    assert database.counts()["portal.sign_in"] == 1


def test_wrong_codes_typed_at_once_are_all_counted(
    gateways: Gateways, request_id: UUID, outbox: Outbox, database: Database
) -> None:
    """Nobody gets more tries by typing quickly."""
    right = outbox.code(EMAIL)
    wrong = [f"{(int(right) + number) % 1_000_000:06d}" for number in range(1, 9)]
    with ThreadPoolExecutor(8) as guesses:
        list(guesses.map(lambda code: succeeded(lambda: use_code(gateways, request_id, code)), wrong))
    assert database.value("SELECT attempts FROM portal.sign_in_request") == 5
    with pytest.raises(Refused):
        use_code(gateways, request_id, right)


def test_two_first_sign_ins_of_a_mailbox_at_once_make_one_account(
    gateways: Gateways, outbox: Outbox, database: Database
) -> None:
    requests = [ask(gateways) for _ in range(4)]
    codes = {str(message.id): str(message.context["code"]) for message in outbox.messages(to=EMAIL)}
    assert len(codes) == len(requests)
    tokens = [str(message.context["link"]).rpartition("/")[2] for message in outbox.messages(to=EMAIL)]
    with ThreadPoolExecutor(4) as people:
        signed_in = list(people.map(lambda token: use_link(gateways, token), tokens))
    assert len({one.token for one in signed_in}) == len(requests)
    assert database.counts()["portal.account"] == 1


def test_a_sign_in_is_kept_as_a_hash(gateways: Gateways, request_id: UUID, outbox: Outbox, database: Database) -> None:
    signed_in = use_link(gateways, token_of(outbox))
    assert database.value("SELECT token_hash FROM portal.sign_in") == token_hash(signed_in.token)
    assert signed_in.next_path == "/dogs"


def test_the_same_code_for_two_browsers_is_kept_differently(gateways: Gateways, database: Database) -> None:
    """Six digits are few: whoever reads the table must not be able to try them all once for everybody."""
    hashes = set()
    for browser in ("one", "another"):
        with Session(gateways.engine) as session, session.begin():
            asked = SignInAsked(email=EMAIL, browser=browser, next_path="/")
            ask_to_sign_in(session, asked, clock=gateways.clock, secret_key=KEY, base_url="")
    for row in database.rows("SELECT code_hash FROM portal.sign_in_request"):
        hashes.add(row.code_hash)
    assert len(hashes) == 2


def test_a_code_is_worth_nothing_in_another_browser(gateways: Gateways, request_id: UUID, outbox: Outbox) -> None:
    with pytest.raises(Refused):
        use_code(gateways, request_id, outbox.code(EMAIL), browser="another")


def test_a_code_of_nobody_is_refused(gateways: Gateways, database: Database) -> None:
    with pytest.raises(Refused):
        use_code(gateways, uuid4(), "000000")


@pytest.mark.parametrize("typed", ["", "abc", "12345", "1234567", "１２３４５６７", "\udcff"])
def test_whatever_is_typed_for_a_code_is_wrong_and_nothing_worse(
    gateways: Gateways, request_id: UUID, typed: str
) -> None:
    assert use_code(gateways, request_id, typed) is None


@pytest.mark.parametrize("token", ["", "x", "\udcff", "\x00"])
def test_whatever_is_taken_for_a_link_is_over_and_nothing_worse(
    gateways: Gateways, database: Database, token: str
) -> None:
    with Session(gateways.engine) as session:
        assert find_link(session, token=token, clock=gateways.clock) is None
    with pytest.raises(Refused):
        use_link(gateways, token)


def test_looking_at_a_link_keeps_it(gateways: Gateways, request_id: UUID, outbox: Outbox) -> None:
    for _ in range(3):
        with Session(gateways.engine) as session:
            found = find_link(session, token=token_of(outbox), clock=gateways.clock)
            assert found
            assert found.email == EMAIL
    use_link(gateways, token_of(outbox))


def test_a_link_lasts_half_an_hour(gateways: Gateways, request_id: UUID, outbox: Outbox, clock: FixedClock) -> None:
    clock.move_to(clock.now() + timedelta(minutes=29, seconds=59))
    with Session(gateways.engine) as session:
        assert find_link(session, token=token_of(outbox), clock=clock)
        clock.move_to(clock.now() + timedelta(seconds=1))
        assert find_link(session, token=token_of(outbox), clock=clock) is None


def test_signing_out_twice_keeps_the_first_time(
    gateways: Gateways, request_id: UUID, outbox: Outbox, clock: FixedClock, database: Database
) -> None:
    token = use_link(gateways, token_of(outbox)).token
    first = clock.now()
    for _ in range(2):
        with Session(gateways.engine) as session, session.begin():
            sign_out(session, token=token, clock=clock)
        clock.move_to(clock.now() + timedelta(hours=1))
    assert database.value("SELECT ended_at FROM portal.sign_in") == first


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        pytest.param(" Gavin@Example.com ", "gavin@example.com", id="I1 capitals and blanks"),
        pytest.param("gavin+dogs@example.com", "gavin+dogs@example.com", id="I1 a plus"),
        pytest.param("g.a.vin@example.com", "g.a.vin@example.com", id="dots are not ours to drop"),
    ],
)
def test_which_addresses_are_one_mailbox(typed: str, key: str) -> None:
    assert email_key(typed) == key


def test_a_message_is_written_to_the_address_as_typed(gateways: Gateways, outbox: Outbox) -> None:
    ask(gateways, " Gavin+Dogs@Example.com ")
    (message,) = outbox.messages()
    assert message.to == "Gavin+Dogs@Example.com"


def test_codes_to_type_have_six_digits_however_small() -> None:
    codes = {new_code() for _ in range(2_000)}
    assert {len(code) for code in codes} == {6}
    assert any(code.startswith("0") for code in codes)


def test_a_code_read_aloud_is_understood_as_it_was_made() -> None:
    code = spoken_code(16)
    assert read_spoken_code(code.lower().replace("-", " ")) == code
    assert read_spoken_code("oil0-1234") == read_spoken_code("0110 1234")
