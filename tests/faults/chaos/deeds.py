"""What people do meanwhile. Each says what it was told, and looks in the end for what became of it."""

import io
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import uuid4

import requests
from PIL import Image

from portal.services.draft_answers import CertificateAnswers
from tests.faults.chaos.asking import is_expected, passing, press_pay, until_there
from tests.faults.chaos.tally import Tally
from tests.faults.drafts import answered_draft
from tests.faults.people import Officer, Payer, Resident, until_it_works
from tests.faults.place import Place
from tests.faults.test_registering import CHECK, REGISTERED
from tests.faults.truth import Truth
from tests.support.owing import Owed, accept_all, owe
from tests.support.pages import Page

REPORTS = "SELECT count(*) FROM animal_control.report WHERE place_text = :what"
MESSAGES = "SELECT count(*) FROM portal.relay_message WHERE text = :what"
FILINGS = "SELECT count(*) FROM animal_control.clinic_filing WHERE idempotency_key = :what"
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


def picture(chance: Random) -> bytes:
    """A small photo, different each time."""
    target = io.BytesIO()
    Image.frombytes("RGB", (64, 48), chance.randbytes(64 * 48 * 3)).save(target, "JPEG")
    return target.getvalue()
