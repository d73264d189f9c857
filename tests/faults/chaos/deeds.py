"""What people do meanwhile. Each says what it was told, and looks in the end for what became of it."""

import io
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar
from uuid import uuid4

import requests
from PIL import Image
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from portal.schema.clinics import Clinic, ClinicState
from portal.services.clinic_of import ClinicStaff
from portal.services.clinic_tokens import make_token
from portal.services.draft_answers import CertificateAnswers
from portal.services.open311_keys import add_key
from tests.faults.chaos.tally import Tally
from tests.faults.drafts import answered_draft
from tests.faults.people import Officer, Payer, Resident, until_it_works
from tests.faults.place import Place
from tests.faults.test_registering import CHECK, REGISTERED
from tests.faults.truth import Truth
from tests.support.owing import Owed, accept_all, owe, take_at_counter
from tests.support.pages import Page
from tests.support.practice import wait_for

REPORTS = "SELECT count(*) FROM animal_control.report WHERE place_text = :what"
MESSAGES = "SELECT count(*) FROM portal.relay_message WHERE text = :what"
FILINGS = "SELECT count(*) FROM animal_control.clinic_filing WHERE idempotency_key = :what"
TAG = "SELECT year || '-' || number AS tag FROM animal_control.tag WHERE license_id = :license"
TAGS = 5
LONGEST_OUTAGE_SECONDS = 90
MOST_COPIES = 5
FILING = {
    "owner_name": "Pat Larson",
    "owner_address": "1310 Idaho Ave, Benson, MN 56215",
    "animal_name": "Pepper",
    "species": "dog",
    "sex": "female",
    "description": "Labrador, black",
    "weight": "62 lb",
    "given_on": "2026-11-02",
    "dose": "booster",
    "vaccine_type": "inactivated",
    "duration_years": 3,
    "veterinarian": "Karin Dahl, DVM",
    "attested_name": "Karin Dahl",
}

Audit = Callable[[], None]
Made = TypeVar("Made")


class Copies(Counter[str]):
    """How often one letter may come once more: whoever dies before noting that it is out sends it again, the same."""

    def __missing__(self, _key: str) -> int:
        return MOST_COPIES


@dataclass
class People:
    """Those who deal with the portal, and what they hold: keys, tokens, tags."""

    place: Place
    tally: Tally
    truth: Truth
    officer: Officer | None
    key: str
    token: str
    tags: list[str]
    audits: list[Audit] = field(default_factory=list)
    console: threading.Lock = field(default_factory=threading.Lock)

    @property
    def deeds(self) -> dict[str, Callable[[Random], Audit]]:
        """By what each is called."""
        return {
            "register": self.register,
            "pay": self.pay,
            "report": self.report,
            "message": self.message,
            "file": self.file,
        }

    def do(self, kind: str, chance: Random) -> None:
        """One deed; whoever gets no answer for a long time gives up, and was promised nothing."""
        self.tally.count(self.tally.begun, kind)
        self.audits.append(self.deeds[kind](chance))

    def register(self, _chance: Random) -> Audit:
        """Send a registration; without an answer send the same form again."""
        place = self.place
        account_id, email, _ = until_there(
            lambda: answered_draft(
                place.database.engine, clock=place.clock, certificate=CertificateAnswers(is_later=True)
            )
        )
        resident = until_there(lambda: Resident(place, account_id))

        def send() -> bool:
            form = until_it_works(lambda: resident.form(CHECK, on=CHECK))
            filled = form.filled({"is_true": True}, button=None)
            answer = until_it_works(lambda: resident.send(CHECK, filled))
            return is_expected(answer, 303, "register", self.tally)

        accepted = self.try_it("register", send)

        def audit() -> None:
            (found,) = place.database.rows(REGISTERED, email=email)
            for what in ("dogs", "licenses", "orders"):
                self.tally.found("register", f"{what} of {email}", accepted=accepted, there=found[what])

        return audit

    def pay(self, chance: Random) -> Audit:
        """By card; one in three presses twice. The officer accepts the certificate before or after."""
        place = self.place
        early = chance.random() < 0.5
        presses = 2 if chance.random() < 0.3 else 1
        owed = until_there(lambda: owe(place.database.engine, clock=place.clock, accepted=early))
        payer = until_there(lambda: Payer.of(place, owed))

        def send() -> bool:
            card_page = ""
            for _ in range(presses):
                card_page = payer.go_to_card_page()
            until_it_works(lambda: press_pay(card_page))
            until_it_works(lambda: payer.look(f"/pay/{owed.order_id}/return"))
            return True

        accepted = self.try_it("pay", send)
        if accepted and not early:
            self.issue(owed)

        def audit() -> None:
            if accepted:
                self.paid_once(owed)

        return audit

    def issue(self, owed: Owed) -> None:
        """The officer accepts on the console, whose command may be killed too."""
        self.tally.count(self.tally.begun, "issue")
        if self.officer is None:
            accept_all(self.place.database.engine, owed, clock=self.place.clock)
            return
        with self.console:
            accepted = self.try_it("issue", lambda: self.officer is not None and self.officer.accept(owed) is None)
        if not accepted:
            self.audits.append(lambda: accept_all(self.place.database.engine, owed, clock=self.place.clock))

    def paid_once(self, owed: Owed) -> None:
        """Charged once, one receipt, one license, one number, one tag, everything told once, in order."""
        try:
            self.truth.wait_until_paid(owed)
            self.truth.paid_and_issued_once(owed)
        except AssertionError as wrong:
            self.tally.tell(f"pay {owed.order_id}: {str(wrong).splitlines()[0] if str(wrong) else repr(wrong)}")

    def report(self, _chance: Random) -> Audit:
        """Software sends a report until it is told the number."""
        where = f"{uuid4().hex} Idaho Ave"
        said = {
            "api_key": self.key,
            "service_code": "barking",
            "address_string": where,
            "description": "It barks all night",
        }

        once = {"Idempotency-Key": where.partition(" ")[0]}

        def send() -> bool:
            answer = until_it_works(lambda: self.ask("POST", "/open311/v2/requests.json", data=said, headers=once))
            return is_expected(answer, 200, "report", self.tally)

        return self.one_row("report", REPORTS, where, send)

    def message(self, chance: Random) -> Audit:
        """A finder writes to a dog's people; the same form goes again when no answer comes."""
        text, path = f"She is fine. {uuid4().hex}", f"/tags/{chance.choice(self.tags)}"
        finder = requests.Session()

        def opened() -> requests.Response | None:
            return passing(lambda: finder.get(self.place.url + path, timeout=20))

        def send() -> bool:
            answer = until_it_works(opened)
            page = Page(path, answer.status_code, answer.text, answer.headers)
            form = page.form(button="Tell the dog’s people", names=["message"])
            filled = form.filled({"message": text, "taken_in": "no"}, button="Tell the dog’s people")
            words = {name: found for name, found in filled.items() if not isinstance(found[0], tuple)}
            fields = [(name, (None, value)) for name, values in words.items() for value in values]
            answer = until_it_works(
                lambda: passing(
                    lambda: finder.post(self.place.url + path, files=fields, timeout=40, allow_redirects=False)
                )
            )
            return is_expected(answer, 303, "message", self.tally)

        return self.one_row("message", MESSAGES, text, send)

    def file(self, chance: Random) -> Audit:
        """A clinic's software files a certificate and its sheet."""
        key, sheet = uuid4().hex, picture(chance)
        held = {"Authorization": f"Bearer {self.token}"}

        def send() -> bool:
            sent = {**held, "Idempotency-Key": key}
            answer = until_it_works(lambda: self.ask("POST", "/api/v1/certificates", json=FILING, headers=sent))
            if not is_expected(answer, (200, 201), "file", self.tally):
                return False
            address = f"/api/v1/certificates/{answer.json()['id']}/file"
            kind = {**held, "Content-Type": "image/jpeg"}
            answer = until_it_works(lambda: self.ask("PUT", address, data=sheet, headers=kind))
            return is_expected(answer, 200, "file", self.tally)

        return self.one_row("file", FILINGS, f"api:{key}", send)

    def one_row(self, kind: str, statement: str, what: str, send: Callable[[], bool]) -> Audit:
        accepted = self.try_it(kind, send)

        def audit() -> None:
            self.tally.found(kind, what, accepted=accepted, there=self.place.database.value(statement, what=what))

        return audit

    def try_it(self, kind: str, send: Callable[[], bool]) -> bool:
        """Whether the portal said yes."""
        try:
            accepted = send()
        except AssertionError:
            accepted = False
        self.tally.count(self.tally.accepted if accepted else self.tally.given_up, kind)
        return accepted

    def ask(self, method: str, path: str, **more: Any) -> requests.Response | None:
        """The answer of the machine's own address, if it is one."""
        return passing(lambda: requests.request(method, self.place.url + path, timeout=40, **more))


def passing(ask: Callable[[], requests.Response]) -> requests.Response | None:
    """The answer, unless it says to come back: a fault of ours, too many at once, or no room."""
    answer = ask()
    return None if answer.status_code >= 500 or answer.status_code == 429 else answer


def press_pay(card_page: str) -> requests.Response | None:
    """Press “Pay” on the processor's page."""
    return passing(lambda: requests.post(card_page, data={"way": "card"}, timeout=20, allow_redirects=False))


def is_expected(answer: requests.Response, status: int | tuple[int, ...], kind: str, tally: Tally) -> bool:
    """A refusal is no promise, but none of these deserves one."""
    wanted = status if isinstance(status, tuple) else (status,)
    if answer.status_code in wanted:
        return True
    tally.tell(f"{kind} was answered with {answer.status_code}: {answer.text[:200]}")
    return False


def until_there(make: Callable[[], Made]) -> Made:
    """What a person had before; the database may be away just now."""

    def attempt() -> Made | None:
        try:
            return make()
        except DBAPIError:
            return None

    made = wait_for(attempt, seconds=LONGEST_OUTAGE_SECONDS)
    assert made is not None
    return made


def picture(chance: Random) -> bytes:
    """A small photo, different each time."""
    target = io.BytesIO()
    Image.frombytes("RGB", (64, 48), chance.randbytes(64 * 48 * 3)).save(target, "JPEG")
    return target.getvalue()


def gather(place: Place, tally: Tally, truth: Truth, officer: Officer | None) -> People:
    """A clinic with software, software that reports, and dogs that wear tags."""
    engine, clock = place.database.engine, place.clock
    with Session(engine) as session, session.begin():
        key = add_key(session, name="Chaos", officer="test")
        clinic = Clinic(
            name="Prairie Vet",
            address="200 Atlantic Ave",
            phone="(320) 555-0150",
            email="vet@clinic.example",
            email_key="vet@clinic.example",
            state=ClinicState.APPROVED,
            decided_at=clock.now(),
            decided_by="test",
        )
        session.add(clinic)
        session.flush()
        token = make_token(session, ClinicStaff(clinic.id, clinic.name, clinic.email), name="Chaos")
    tags = []
    for _ in range(TAGS):
        owed = owe(engine, clock=clock, accepted=True)
        take_at_counter(engine, owed, clock=clock)
        tags.append(str(place.database.value(TAG, license=owed.license_ids[0])))
    return People(place, tally, truth, officer, key, token, tags)
