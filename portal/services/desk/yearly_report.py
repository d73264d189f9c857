"""The licenses and the receipts of a year (90.04(B)(7)): what was issued, what came in and for what, what went back."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session

from portal.city import City
from portal.schema.animals import Animal
from portal.schema.licenses import License, LicenseBasis, LicenseState
from portal.schema.orders import LineKind, OrderLine, Payment, PaymentMethod, PaymentState
from portal.schema.payment_questions import PaymentQuestion, QuestionKind
from portal.schema.staff import StaffRole
from portal.services.desk.exports import Export, Rows, dollars, within
from portal.services.payments.questions import LET_GO


@dataclass(frozen=True)
class LicensesOf:
    """How many licenses of a kind there are."""

    basis: LicenseBasis
    is_altered: bool | None
    state: LicenseState
    count: int


@dataclass(frozen=True)
class FeesOf:
    """What was received for one kind of fee, on one account of the city's books."""

    account: str
    kind: LineKind
    count: int
    cents: int


@dataclass(frozen=True)
class MonthOf:
    """What came in within a month, one way."""

    month: int
    method: PaymentMethod
    count: int
    cents: int
    given_back_cents: int


@dataclass(frozen=True)
class YearlyReport:
    """A year. `is_balanced`: the fees of the orders that were paid are the money that came."""

    year: int
    licenses: tuple[LicensesOf, ...]
    fees: tuple[FeesOf, ...]
    months: tuple[MonthOf, ...]
    in_question_cents: int
    """Money that came twice or in another amount, and is not given back yet."""
    disputed_cents: int
    """What of the money given back payers' banks took in disputes, or was written off in one."""

    @property
    def issued(self) -> int:
        return sum(one.count for one in self.licenses if one.state is LicenseState.ISSUED)

    @property
    def fees_cents(self) -> int:
        return sum(one.cents for one in self.fees)

    @property
    def received_cents(self) -> int:
        return sum(one.cents for one in self.months)

    @property
    def given_back_cents(self) -> int:
        return sum(one.given_back_cents for one in self.months)

    @property
    def kept_cents(self) -> int:
        return self.received_cents - self.given_back_cents

    @property
    def is_balanced(self) -> bool:
        return self.fees_cents == self.received_cents


def yearly_report(session: Session, year: int, *, city: City) -> YearlyReport:
    """Licenses of the license year, and money of the calendar year."""
    begins, ends = within(year, city)
    is_of_year = (Payment.paid_at >= begins, Payment.paid_at < ends)
    is_settled = (*is_of_year, Payment.receipt_number.is_not(None))
    licenses = (
        select(License.basis, Animal.is_altered, License.state, func.count())
        .join(Animal, Animal.id == License.animal_id)
        .where(License.year == year)
        .group_by(License.basis, Animal.is_altered, License.state)
        .order_by(License.basis, Animal.is_altered, License.state)
    )
    fees = (
        select(OrderLine.ledger_code, OrderLine.kind, func.count(), func.sum(OrderLine.amount_cents))
        .join(Payment, Payment.order_id == OrderLine.order_id)
        .where(*is_settled)
        .group_by(OrderLine.ledger_code, OrderLine.kind)
        .order_by(OrderLine.ledger_code, OrderLine.kind)
    )
    month = func.extract("month", func.timezone(city.time_zone.key, Payment.paid_at))
    went_back = Payment.refunded_cents + Payment.refunded_over_cents
    months = (
        select(month, Payment.method, func.count(), func.sum(Payment.amount_cents), func.sum(went_back))
        .where(*is_settled, Payment.method != PaymentMethod.NOTHING_DUE)
        .group_by(month, Payment.method)
        .order_by(month, Payment.method)
    )
    in_question = select(func.sum(Payment.amount_cents - Payment.refunded_cents)).where(
        *is_of_year, Payment.state.in_((PaymentState.DUPLICATE, PaymentState.MISMATCH))
    )
    return YearlyReport(
        year=year,
        licenses=tuple(LicensesOf(*row) for row in session.execute(licenses)),
        fees=tuple(FeesOf(account, kind, n, int(cents)) for account, kind, n, cents in session.execute(fees)),
        months=tuple(MonthOf(int(at), how, n, int(c), int(back)) for at, how, n, c, back in session.execute(months)),
        in_question_cents=int(session.scalar(in_question) or 0),
        disputed_cents=int(session.scalar(_let_go_in_disputes(*is_settled)) or 0),
    )


def _let_go_in_disputes(*which: ColumnElement[bool]) -> Select[tuple[int]]:
    """What somebody said last of each dispute counts."""
    last = (
        select(PaymentQuestion.payment_id, PaymentQuestion.outcome, PaymentQuestion.amount_cents)
        .join(Payment, Payment.id == PaymentQuestion.payment_id)
        .where(*which, PaymentQuestion.kind == QuestionKind.DISPUTED, PaymentQuestion.settled_at.is_not(None))
        .ext(distinct_on(PaymentQuestion.payment_id))
        .order_by(PaymentQuestion.payment_id, PaymentQuestion.settled_at.desc(), PaymentQuestion.created_at.desc())
        .subquery()
    )
    return select(func.sum(last.c.amount_cents)).where(last.c.outcome.in_(LET_GO))


def _rows(session: Session, year: int, city: City) -> Rows:
    """The report as a table."""
    report = yearly_report(session, year, city=city)
    for licenses in report.licenses:
        about = f"{licenses.basis.value}, {_altered(licenses)}, {licenses.state.value}"
        yield "licenses", about, licenses.count, None
    for fees in report.fees:
        yield "fees", f"{fees.account}: {fees.kind.value}", fees.count, dollars(fees.cents)
    for month in report.months:
        about = f"{year}-{month.month:02} {month.method.value}"
        yield "received", about, month.count, dollars(month.cents)
        yield "given back", about, None, dollars(month.given_back_cents)
    yield "total", "received", None, dollars(report.received_cents)
    yield "total", "given back", None, dollars(report.given_back_cents)
    yield "total", "of it in disputes", None, dollars(report.disputed_cents)
    yield "total", "kept", None, dollars(report.kept_cents)
    yield "total", "in question", None, dollars(report.in_question_cents)


def _altered(one: LicensesOf) -> str:
    if one.is_altered is None:
        return "altered or not is not known"
    return "altered" if one.is_altered else "intact"


REPORT = Export(
    "licenses-and-receipts",
    "Licenses and receipts of a year",
    StaffRole.CLERK,
    ("part", "of what", "how many", "amount"),
    _rows,
)
