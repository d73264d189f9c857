"""A town of 3,000 dogs whose year is decided beforehand: who keeps which, what happens to them, and on which day.

The rows are written as sets; what happens during the year is a few statements a day. `Town` says it all again, as
plain values, for whoever wants to know what should have come of it.
"""

from calendar import monthrange
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, insert, text

from portal.schema.accounts import Account
from portal.schema.animals import Animal, Keeper
from portal.schema.drafts import Draft
from portal.schema.licenses import License
from portal.schema.orders import Order, OrderLine, Payment
from portal.schema.people import Person, Premises
from portal.schema.reminders import ReminderChoice
from portal.schema.vaccinations import Vaccination
from tests.support.portal import CHICAGO

FIRST_DAY, LAST_DAY = date(2026, 3, 1), date(2027, 2, 28)
YEAR_END = date(2026, 12, 31)
DAYS = [FIRST_DAY + timedelta(days=number) for number in range((LAST_DAY - FIRST_DAY).days + 1)]
LONG_BEFORE = date(2026, 1, 15)
ORDER = [
    Premises,
    Person,
    Account,
    Animal,
    Keeper,
    Vaccination,
    License,
    Order,
    OrderLine,
    Payment,
    Draft,
    ReminderChoice,
]

APPLY = (
    "INSERT INTO animal_control.license (animal_id, year, valid_from, valid_until, basis, delivery, proof_code)"
    " VALUES (:dog, :year, :begins, :ends, 'fee', 'mail', :code)"
)
SEND_CERTIFICATE = (
    "INSERT INTO animal_control.vaccination (id, animal_id, given_on, ordinance_until, created_at,"
    " source, evidence, dose, vaccine_type, needs_review)"
    " VALUES (:id, :dog, :given, :until, :at, 'owner', 'certificate', 'booster', 'unknown', false)"
)
DECIDE = "UPDATE animal_control.vaccination SET state = '{}', decided_at = :at, decision_reason = 'so' WHERE id = :id"


@dataclass
class Span:
    """From a day on, and perhaps to a day again."""

    since: date | None = None
    until: date | None = None

    def covers(self, day: date) -> bool:
        return self.since is not None and self.since <= day and (self.until is None or day < self.until)


@dataclass
class TownAccount:
    id: UUID
    email: str
    stopped: Span = field(default_factory=Span)
    closed: Span = field(default_factory=Span)
    phone: str | None = None

    def is_left_in_peace(self, day: date) -> bool:
        return self.stopped.covers(day) or self.closed.covers(day)


@dataclass
class TownDog:
    id: UUID
    keepers: list[tuple[TownAccount, date]]
    gone: Span = field(default_factory=Span)


@dataclass
class TownThing:
    """What somebody may be reminded of: until `settled`, and not while `waiting` for somebody else."""

    kind: str
    id: UUID
    due_on: date
    steps: tuple[int, ...]
    whose: list[tuple[TownAccount, date]]
    dog: TownDog | None = None
    since: date = LONG_BEFORE
    not_before: date = FIRST_DAY
    settled: Span = field(default_factory=Span)
    waiting: Span = field(default_factory=Span)


@dataclass
class Town:
    """Rows to begin with, statements by day, and the same as values."""

    random: Random
    rows: dict[Any, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    deeds: dict[date, list[tuple[str, dict[str, Any]]]] = field(default_factory=lambda: defaultdict(list))
    accounts: list[TownAccount] = field(default_factory=list)
    things: list[TownThing] = field(default_factory=list)
    dogs: list[TownDog] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: iter(range(1, 1_000_000)))

    def key(self) -> UUID:
        return UUID(int=self.random.getrandbits(128), version=4)

    def happens(self, share: float) -> bool:
        return self.random.random() < share

    def day(self, first: date = FIRST_DAY, last: date = LAST_DAY) -> date:
        return first + timedelta(days=self.random.randrange((last - first).days + 1))

    def on(self, day: date | None, statement: str, **values: Any) -> None:
        """Something happens in the night before a day."""
        if day:
            self.deeds[day].append((statement, {**values, "at": at(day)}))

    def fill(self, engine: Engine) -> None:
        with engine.begin() as connection:
            for model in ORDER:
                for shape in _by_columns(self.rows[model]):
                    connection.execute(insert(model.__table__), shape)
            for table in ("account", "draft", "reminder_choice"):
                connection.execute(text(f"ANALYZE portal.{table}"))
            for table in ("animal", "keeper", "vaccination", "license", "fee_order", "fee_order_line"):
                connection.execute(text(f"ANALYZE animal_control.{table}"))

    def live_through(self, engine: Engine, day: date) -> None:
        """What happens on this day."""
        if self.deeds[day]:
            with engine.begin() as connection:
                for statement, values in self.deeds[day]:
                    connection.execute(text(statement), values)


def at(day: date, hour: int = 0) -> datetime:
    return datetime.combine(day, time(hour), tzinfo=CHICAGO)


def build(seed: int, *, dogs: int = 3_000) -> Town:
    town = Town(Random(seed))  # noqa: S311 - nothing secret is drawn
    while len(town.dogs) < dogs:
        _household(town)
    return town


def _household(town: Town) -> None:
    account = _account(town)
    keepers = [(account, LONG_BEFORE)]
    if town.happens(0.15):
        keepers.append((_account(town), town.day() if town.happens(0.3) else LONG_BEFORE))
    premises_id = town.rows[Person][-1]["home_premises_id"]
    for _ in range(town.random.choice([1, 1, 1, 2, 2, 3, 4])):
        _dog(town, keepers, premises_id)
    if town.happens(0.1):
        _draft(town, account)


def _account(town: Town) -> TownAccount:
    number = next(town.numbers)
    account = TownAccount(town.key(), f"keeper{number}@example.com")
    premises_id, person_id = town.key(), town.key()
    if town.happens(0.1):
        account.stopped = Span(town.day(), town.day(date(2026, 11, 1)) if town.happens(0.4) else None)
        if account.stopped.until and account.stopped.until <= account.stopped.since:
            account.stopped.until = None
    if town.happens(0.03):
        account.closed = Span(town.day())
    if town.happens(0.2):
        account.phone = f"+1320555{number % 10_000:04}"
        consent = {"sms_phone": account.phone, "sms_consented_at": at(LONG_BEFORE), "sms_consent_text": "2026-11"}
        town.rows[ReminderChoice].append({"account_id": account.id, **consent})
    elif account.stopped.since:
        town.rows[ReminderChoice].append({"account_id": account.id})
    town.rows[Premises].append(
        {
            "id": premises_id,
            "kind": "street",
            "line1": f"{number} Idaho Ave",
            "city": "Benson",
            "state": "MN",
            "postal_code": "56215",
        }
    )
    town.rows[Person].append({"id": person_id, "kind": "person", "name": "Pat", "home_premises_id": premises_id})
    town.rows[Account].append(
        {"id": account.id, "email": account.email, "email_key": account.email, "person_id": person_id}
    )
    choose = "UPDATE portal.reminder_choice SET stopped_at = {} WHERE account_id = :id"
    town.on(account.stopped.since, choose.format(":at"), id=account.id)
    town.on(account.stopped.until, choose.format("NULL"), id=account.id)
    town.on(account.closed.since, "UPDATE portal.account SET closed_at = :at WHERE id = :id", id=account.id)
    town.accounts.append(account)
    return account


def _dog(town: Town, keepers: list[tuple[TownAccount, date]], premises_id: UUID) -> None:
    dog = TownDog(town.key(), keepers)
    if town.happens(0.1):
        dog.gone = Span(town.day())
        if town.happens(0.2):
            dog.gone.until = dog.gone.since + timedelta(days=town.random.randrange(1, 29))
    become = "UPDATE animal_control.animal SET state = '{}' WHERE id = :id"
    town.on(dog.gone.since, become.format(town.random.choice(["died", "left_city", "given_away"])), id=dog.id)
    town.on(dog.gone.until, become.format("kept"), id=dog.id)
    town.dogs.append(dog)
    is_puppy = town.happens(0.06)
    born_on = town.day(date(2025, 10, 1), date(2026, 7, 31)) if is_puppy else date(2020, 5, 5)
    town.rows[Animal].append(
        {
            "id": dog.id,
            "species": "dog",
            "name": "Pepper",
            "breed": "Labrador",
            "color": "black",
            "sex": "female",
            "born_on": born_on,
            "premises_id": premises_id,
            "created_at": at(LONG_BEFORE),
        }
    )
    persons = {row["id"]: row["person_id"] for row in town.rows[Account][-4:]}
    for account, since in keepers:
        town.rows[Keeper].append(
            {"animal_id": dog.id, "person_id": persons[account.id], "role": "owner", "since": at(since)}
        )
    if is_puppy:
        _puppy(town, dog, born_on)
    elif town.happens(0.1):
        _applicant(town, dog, persons[keepers[0][0].id])
    else:
        _licensed(town, dog)
    if town.happens(0.6):
        _certificate(town, dog)


def _licensed(town: Town, dog: TownDog) -> None:
    """Issued, most of them long before; some are waived; most are renewed, before or after the year's end."""
    issued_on = town.day(FIRST_DAY, date(2026, 12, 28)) if town.happens(0.2) else LONG_BEFORE
    is_waived = town.happens(0.05)
    license_ = _license(dog, 2026, number=next(town.numbers), state="issued")
    waiver = {"basis": "assistance_dog", "waiver_state": "confirmed"} if is_waived else {}
    license_ |= {"id": town.key(), "issued_at": at(issued_on), **waiver}
    if issued_on > FIRST_DAY:
        license_["state"], license_["issued_at"] = "applied", None
        issue = "UPDATE animal_control.license SET state = 'issued', issued_at = :at WHERE id = :id"
        town.on(issued_on, issue, id=license_["id"])
    renewed = Span(town.day(date(2026, 11, 2), date(2027, 1, 20)) if town.happens(0.7) else None)
    town.on(
        renewed.since,
        APPLY,
        dog=dog.id,
        year=2027,
        begins=date(2027, 1, 1),
        ends=date(2027, 12, 31),
        code=f"renewed-{license_['id']}",
    )
    town.rows[License].append(license_)
    if not is_waived:
        town.things.append(
            TownThing(
                "renewal",
                license_["id"],
                YEAR_END,
                (60, 30, 7),
                dog.keepers,
                dog,
                since=issued_on,
                not_before=date(2026, 11, 2),
                settled=renewed,
            )
        )


def _applicant(town: Town, dog: TownDog, person_id: UUID) -> None:
    """Applied for, with an order that is paid sooner or later, or never; some begin to pay and leave the card page."""
    opened_on, order_id = town.day(), town.key()
    license_ = {**_license(dog, 2026, number=None, state="applied"), "id": town.key()}
    paid = Span(town.day(opened_on, opened_on + timedelta(days=30)) if town.happens(0.6) else None)
    begun = Span()
    if town.happens(0.2):
        first = opened_on + timedelta(days=town.random.randrange(12))
        begun = Span(first, first + timedelta(days=town.random.randrange(1, 4)))
        payment_id = town.key()
        town.on(
            first,
            "INSERT INTO animal_control.payment (id, order_id, method, state, amount_cents)"
            " VALUES (:id, :order, 'card', 'pending', 1000)",
            id=payment_id,
            order=order_id,
        )
        expire = "UPDATE animal_control.payment SET state = 'expired' WHERE id = :id"
        town.on(begun.until, expire, id=payment_id)
    order = {"id": order_id, "reference": str(order_id), "person_id": person_id, "total_cents": 1000}
    town.rows[License].append(license_)
    town.rows[Order].append({**order, "created_at": at(opened_on, 9)})
    town.rows[OrderLine].append(
        {
            "order_id": order_id,
            "kind": "license",
            "license_id": license_["id"],
            "description": "Dog license",
            "amount_cents": 1000,
            "resolution": "2026-01",
            "ledger_code": "dogs",
        }
    )
    town.on(paid.since, "UPDATE animal_control.fee_order SET state = 'paid', paid_at = :at WHERE id = :id", id=order_id)
    owes = dog.keepers[:1]
    town.things.append(
        TownThing("unpaid_order", order_id, opened_on, (-3, -10), owes, dog, settled=paid, waiting=begun)
    )


def _puppy(town: Town, dog: TownDog, born_on: date) -> None:
    """No license until it has one; it needs one from the day after it is six months old."""
    needed_from = _six_months_after(born_on) + timedelta(days=1)
    licensed = Span(town.day() if town.happens(0.5) else None)
    town.on(
        licensed.since,
        APPLY,
        dog=dog.id,
        year=2026,
        begins=date(2026, 1, 1),
        ends=date(2026, 12, 31),
        code=f"puppy-{dog.id}",
    )
    town.things.append(TownThing("puppy", dog.id, needed_from, (1,), dog.keepers, dog, settled=licensed))


def _certificate(town: Town, dog: TownDog) -> None:
    """Good to a day near the year; for many another one comes, which an officer takes or sends back."""
    good_to, certificate_id = town.day(date(2026, 2, 1), date(2027, 4, 15)), town.key()
    accepted_on = town.day(FIRST_DAY, LAST_DAY) if town.happens(0.1) else LONG_BEFORE
    accepted_on = accepted_on if accepted_on <= good_to else LONG_BEFORE
    sent = Span(town.day(good_to - timedelta(days=40), good_to + timedelta(days=20)) if town.happens(0.5) else None)
    if sent.since and (sent.since < FIRST_DAY or sent.since <= accepted_on):
        sent = Span()
    dates = {"certificate_due_on": good_to, "ordinance_until": good_to + timedelta(days=700)}
    if town.happens(0.3):
        dates = {"certificate_due_on": None, "ordinance_until": good_to}
    common = {
        "animal_id": dog.id,
        "source": "owner",
        "evidence": "certificate",
        "dose": "booster",
        "vaccine_type": "unknown",
        "needs_review": False,
    }
    row = {**common, **dates, "id": certificate_id, "given_on": good_to - timedelta(days=1000)}
    if accepted_on == LONG_BEFORE:
        row |= {"state": "accepted", "decided_at": at(LONG_BEFORE), "created_at": at(LONG_BEFORE)}
    else:
        row |= {"state": "submitted", "decided_at": None, "created_at": at(LONG_BEFORE)}
        accept = "UPDATE animal_control.vaccination SET state = 'accepted', decided_at = :at WHERE id = :id"
        town.on(accepted_on, accept, id=certificate_id)
    town.rows[Vaccination].append(row)
    if sent.since:
        other_id = town.key()
        town.on(
            sent.since,
            SEND_CERTIFICATE,
            id=other_id,
            dog=dog.id,
            given=good_to,
            until=good_to + timedelta(days=1095),
        )
        decided_on = sent.since + timedelta(days=town.random.randrange(1, 8))
        if is_back := town.happens(0.3):
            sent.until = decided_on
        town.on(decided_on, DECIDE.format("sent_back" if is_back else "accepted"), id=other_id)
    town.things.append(
        TownThing(
            "certificate",
            certificate_id,
            good_to,
            (30, 14, 1),
            dog.keepers,
            dog,
            since=accepted_on,
            settled=sent,
        )
    )


def _draft(town: Town, account: TownAccount) -> None:
    """Begun, sometimes taken up again, sometimes sent; each touch counts anew."""
    draft_id, touched = town.key(), sorted({town.day() for _ in range(town.random.choice([1, 1, 2]))})
    sent = Span(touched[-1] + timedelta(days=town.random.randrange(1, 20)) if town.happens(0.4) else None)
    first = touched[0]
    town.on(
        first,
        "INSERT INTO portal.draft (id, account_id, answers, updated_at)"
        """ VALUES (:id, :account, '{"animals": [{"name": "Biscuit"}]}', :at)""",
        id=draft_id,
        account=account.id,
    )
    for number, day in enumerate(touched):
        until = touched[number + 1] if number + 1 < len(touched) else sent.since
        town.on(day, "UPDATE portal.draft SET updated_at = :at WHERE id = :id", id=draft_id)
        town.things.append(
            TownThing("unfinished", draft_id, day, (-2, -14), [(account, LONG_BEFORE)], settled=Span(until))
        )
    town.on(sent.since, "UPDATE portal.draft SET submitted_at = :at WHERE id = :id", id=draft_id)


def _license(dog: TownDog, year: int, *, number: int | None, state: str) -> dict[str, Any]:
    return {
        "animal_id": dog.id,
        "year": year,
        "valid_from": date(year, 1, 1),
        "valid_until": date(year, 12, 31),
        "basis": "fee",
        "waiver_state": None,
        "number": number,
        "state": state,
        "delivery": "mail",
        "proof_code": f"{year}-{dog.id}",
        "created_at": at(LONG_BEFORE),
    }


def _six_months_after(day: date) -> date:
    year, month = day.year + (day.month + 5) // 12, (day.month + 5) % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def _by_columns(rows: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Rows that state the same columns, since a statement for many states the same for all."""
    shapes = defaultdict(list)
    for row in rows:
        shapes[tuple(row)].append(row)
    yield from shapes.values()
