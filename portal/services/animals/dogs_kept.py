"""The animals of one resident as values: each with its certificates, its licenses, their fees and tags."""

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from portal.ordinance.certificates import Dose
from portal.ordinance.licensing import birth_date
from portal.schema.animals import Sex, Species
from portal.schema.licenses import Delivery, LicenseBasis, LicenseState, TagState, WaiverState
from portal.schema.orders import OrderState, PaymentState
from portal.schema.vaccinations import CertificateState


@dataclass(frozen=True)
class CertificateKept:
    """A rabies certificate as it was filed, and what was decided about it."""

    id: UUID
    state: CertificateState
    given_on: date | None
    certificate_due_on: date | None
    ordinance_until: date | None
    science_due_on: date | None
    dose: Dose
    decision_reason: str | None
    filed_at: datetime
    decided_at: datetime | None


@dataclass(frozen=True)
class TagMade:
    """The tag that counts now."""

    state: TagState
    delivery: Delivery
    issue: int
    sent_at: datetime | None
    created_at: datetime


@dataclass(frozen=True)
class OrderKept:
    """The order that a license is paid with, and its payments: the one under way, the one the receipt is for."""

    id: UUID
    reference: str
    person_id: UUID
    state: OrderState
    total_cents: int
    counter_chosen_at: datetime | None
    paid_at: datetime | None
    amount_cents: int
    attempt_state: PaymentState | None
    settled_state: PaymentState | None
    is_in_question: bool

    def is_owed_by(self, person_id: UUID | None) -> bool:
        """Whether this person has to pay it now; not while a bank debit is on its way or an officer looks at it."""
        is_settling = self.attempt_state is PaymentState.PROCESSING or self.is_in_question
        return self.state is OrderState.OPEN and self.person_id == person_id and not is_settling


@dataclass(frozen=True)
class LicenseKept:
    """A license applied for or issued."""

    id: UUID
    year: int
    valid_from: date
    valid_until: date
    basis: LicenseBasis
    waiver_state: WaiverState | None
    number: int | None
    state: LicenseState
    delivery: Delivery
    proof_code: str
    issued_at: datetime | None
    tag: TagMade | None = None
    order: OrderKept | None = None
    new_tag_order_id: UUID | None = None
    """The person's own order for a duplicate tag that waits for its fee."""

    @property
    def is_issued(self) -> bool:
        return self.state is LicenseState.ISSUED

    @property
    def is_waived(self) -> bool:
        """No fee is due under 90.04(C), or an officer has still to say so; a declined waiver leaves the fee."""
        return self.basis is not LicenseBasis.FEE and self.waiver_state is not WaiverState.DECLINED

    @property
    def tag_wanted_since(self) -> datetime | None:
        """Since when the tag is to be sent: from the issuing of the license, a duplicate from when it was asked for."""
        return self.tag.created_at if self.tag and self.tag.issue > 1 else self.issued_at


@dataclass(frozen=True)
class AnimalKept:
    """An animal with its certificates and licenses, the newest of each first."""

    id: UUID
    species: Species
    name: str
    breed: str
    color: str
    sex: Sex
    is_altered: bool | None
    birth_date: date | None
    age_months: int | None
    age_estimated_on: date | None
    photo_id: UUID | None
    certificates: tuple[CertificateKept, ...] = ()
    licenses: tuple[LicenseKept, ...] = ()
    mail_to: str = ""
    show_by: date | None = None
    """By which day an officer wants to see its certificate (90.04(D)(2)); None while nobody demanded it."""
    impounded_on: date | None = None
    """Since when it is at the pound (90.07); None while it is not."""
    is_designated: bool = False
    """Whether animal control ever designated it as dangerous or potentially dangerous (90.13(D))."""

    @property
    def is_dog(self) -> bool:
        return self.species is Species.DOG

    @property
    def born_on(self) -> date | None:
        """The birth date as stated, or the one that an estimated age amounts to."""
        return birth_date(self.birth_date, age_months=self.age_months, estimated_on=self.age_estimated_on)

    @property
    def accepted(self) -> CertificateKept | None:
        """The accepted certificate of the latest vaccination: the one a license is issued on."""
        accepted = [kept for kept in self.certificates if kept.state is CertificateState.ACCEPTED]
        return max(accepted, key=lambda kept: (kept.given_on or date.min, kept.filed_at), default=None)

    @property
    def new_tag_order_id(self) -> UUID | None:
        """The person's own order for a duplicate tag that waits for its fee."""
        return next((kept.new_tag_order_id for kept in self.licenses if kept.new_tag_order_id), None)

    @property
    def newest(self) -> CertificateKept | None:
        """The certificate that was filed last."""
        return self.certificates[0] if self.certificates else None
