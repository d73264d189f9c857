"""What has to be true in the end, whoever died on the way."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy import RowMapping
from sqlalchemy.exc import OperationalError

from tests.faults.people import Processor
from tests.faults.place import Place
from tests.faults.world import POSTGRES, WORKER, World
from tests.support.owing import Owed
from tests.support.practice import wait_for

UNSENT = "SELECT count(*) FROM portal.outgoing_message WHERE recipient = :email AND sent_at IS NULL"
MESSAGES = "SELECT id, template, sent_at FROM portal.outgoing_message WHERE recipient = :email"
PAYMENTS = "SELECT * FROM animal_control.payment WHERE order_id = :order ORDER BY created_at"
LICENSES = "SELECT * FROM animal_control.license WHERE id = ANY(:ids)"
TAGS = "SELECT * FROM animal_control.tag WHERE license_id = ANY(:ids)"
ORDER = "SELECT * FROM animal_control.fee_order WHERE id = :order"
EVENTS = """
    SELECT kind FROM animal_control.event
    WHERE subject_id = ANY(:subjects) ORDER BY id
"""
WAITING = "SELECT id FROM portal.processor_event WHERE handled_at IS NULL"
NUMBERS = """
    SELECT year, count(*) AS issued, count(DISTINCT number) AS numbers, max(number) AS highest,
        (SELECT last_number FROM animal_control.license_counter c WHERE c.year = l.year) AS counted
    FROM animal_control.license l WHERE number IS NOT NULL GROUP BY year
"""
MESSAGE_ID = re.compile(r"^Message-ID: <([^@.>]+)", re.MULTILINE | re.IGNORECASE)
NO_MONEY = {"failed", "expired", "refunded"}


@dataclass
class Mailbag:
    """The letters as they reached the mail server, told apart by their Message-ID."""

    place: Place
    taken: Callable[[], list[bytes]]
    allowed: Counter[str] = field(default_factory=Counter)

    def copies(self) -> Counter[str]:
        """How often each message was handed over."""
        return Counter(MESSAGE_ID.findall(b"\n".join(self.taken()).decode(errors="replace")))

    def note_killed(self, program: str) -> None:
        """Handed over, and killed before that was noted: the letter may go out once more."""
        if program not in (WORKER, POSTGRES):
            return
        copies = self.copies()
        for row in self.place.database.rows("SELECT id FROM portal.outgoing_message WHERE sent_at IS NULL"):
            if copies[str(row.id)]:
                self.allowed[str(row.id)] += 1


@dataclass
class Truth:
    """Reads the books of the city, of the processor and of the post, and compares them."""

    place: Place
    mail: Mailbag

    def wait_until_paid(self, owed: Owed) -> None:
        wait_for(patiently(lambda: self._order(owed).state == "paid"), seconds=180)

    def wait_for_letters(self, owed: Owed) -> None:
        wait_for(patiently(lambda: self.place.database.value(UNSENT, email=owed.email) == 0), seconds=180)

    def paid_and_issued_once(self, owed: Owed, *, by_card: bool = True) -> None:
        """One payment, one receipt; for each dog one license, one number, one tag; every letter, once if it can be."""
        figures, order, processor = self.place.figures, self._order(owed), Processor(self.place)
        wait_for(processor.all_delivered)
        charged = processor.charged(owed)
        figures.doubled += max(0, len(charged) - by_card)
        figures.lost += order.state != "paid"
        assert charged == [order.total_cents] * by_card, "charged, and not given back"
        assert order.state == "paid"
        assert max(processor.pages_each(owed), default=0) <= 1, "one attempt, two pages to pay on"
        self._one_receipt(owed)
        self._one_license_each(owed)
        self._feed_is_whole(owed)
        self.letters_came(owed, *self._usual_letters(owed))

    def numbers_are_whole(self) -> None:
        """No number is given twice, none is left out."""
        for year in self.place.database.rows(NUMBERS):
            assert year.issued == year.numbers == year.highest == year.counted
        assert self.place.database.rows(WAITING) == [], "an event was never acted on"

    def states(self, owed: Owed) -> list[str]:
        """The states of an order's payments, oldest first."""
        return [row.state for row in self.place.database.rows(PAYMENTS, order=owed.order_id)]

    def order_state(self, owed: Owed) -> str:
        return str(self._order(owed).state)

    def issued(self, owed: Owed) -> list[bool]:
        """Which of the licenses are issued; a tag goes out with each of these and no other."""
        licenses = self.place.database.rows(LICENSES, ids=list(owed.license_ids))
        tags = [row.license_id for row in self.place.database.rows(TAGS, ids=list(owed.license_ids))]
        assert sorted(tags) == sorted(row.id for row in licenses if row.state == "issued")
        return [row.state == "issued" for row in licenses]

    def events(self, owed: Owed) -> list[str]:
        """The feed of this order and all that hangs on it."""
        rows = self.place.database.rows
        subjects = [owed.order_id, *owed.license_ids, *owed.vaccination_ids]
        subjects += [row.id for row in rows(PAYMENTS, order=owed.order_id)]
        subjects += [row.id for row in rows(TAGS, ids=list(owed.license_ids))]
        return [row.kind for row in rows(EVENTS, subjects=subjects)]

    def _order(self, owed: Owed) -> RowMapping:
        return self.place.database.rows(ORDER, order=owed.order_id)[0]

    def _one_receipt(self, owed: Owed) -> None:
        payments = self.place.database.rows(PAYMENTS, order=owed.order_id)
        (receipt,) = [row for row in payments if row.receipt_number]
        assert (receipt.receipt_number, receipt.state) == (self._order(owed).reference, "paid")
        assert {row.state for row in payments if row is not receipt} <= NO_MONEY

    def _one_license_each(self, owed: Owed) -> None:
        licenses = self.place.database.rows(LICENSES, ids=list(owed.license_ids))
        tags = self.place.database.rows(TAGS, ids=list(owed.license_ids))
        assert [row.state for row in licenses] == ["issued"] * len(owed.license_ids)
        wanted = {(row.id, row.year, row.number, 1, "to_send") for row in licenses}
        self.place.figures.doubled += len(tags) - len(licenses)
        assert sorted((t.license_id, t.year, t.number, t.issue, t.state) for t in tags) == sorted(wanted)

    def _feed_is_whole(self, owed: Owed) -> None:
        """Each thing that happened is told once, in the order in which it can have happened."""
        told = self.events(owed)
        counts = Counter(told)
        for kind in ("order.opened", "payment.paid", "order.paid"):
            assert counts[kind] == 1, f"{kind} is told {counts[kind]} times: {told}"
        for kind in ("certificate.accepted", "license.issued", "tag.to_send"):
            assert counts[kind] == len(owed.license_ids), f"{kind} is told {counts[kind]} times: {told}"
        assert told.index("order.opened") < told.index("payment.paid") < told.index("license.issued")
        assert told.index("certificate.accepted") < told.index("license.issued") < told.index("tag.to_send")

    def _usual_letters(self, owed: Owed) -> tuple[str, ...]:
        dogs = len(owed.license_ids)
        given_back = self.states(owed).count("refunded")
        return (
            "receipt",
            *("certificate_accepted",) * dogs,
            *("license_issued",) * dogs,
            *("duplicate_refunded",) * given_back,
        )

    def letters_came(self, owed: Owed, *templates: str) -> None:
        """Exactly these were written, and each arrived: once, or once more for each worker killed before noting it."""
        messages = self.place.database.rows(MESSAGES, email=owed.email)
        assert sorted(row.template for row in messages) == sorted(templates)
        self.wait_for_letters(owed)
        copies = self.mail.copies()
        for row in messages:
            came, most = copies[str(row.id)], 1 + self.mail.allowed[str(row.id)]
            self.place.figures.letters += 1
            self.place.figures.letters_sent_again += max(0, came - 1)
            assert 1 <= came <= most, f"{row.template} came {came} times, at most {most} were possible"


def truth_about(world: World, letters: Callable[[], list[bytes]]) -> Truth:
    """The truth about a world whose letters come out there."""
    mail = Mailbag(world, letters)
    world.on_kill.append(mail.note_killed)
    return Truth(world, mail)


def patiently(look: Callable[[], bool]) -> Callable[[], bool]:
    """The same, and not yet while the database is away."""

    def attempt() -> bool:
        try:
            return look()
        except OperationalError:
            return False

    return attempt
