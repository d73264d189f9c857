"""Veterinary clinics, what they file, and what was asked of them (sections 90.04(D)(2), 90.08(C))."""

from datetime import date
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.ordinance.certificates import Dose, VaccineType
from portal.schema.animals import Animal, Sex, Species
from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, private, words
from portal.schema.documents import Document
from portal.schema.people import Person
from portal.schema.vaccinations import Vaccination


class ClinicState(StrEnum):
    ASKED = "asked"
    APPROVED = "approved"
    REFUSED = "refused"
    SUSPENDED = "suspended"


class FilingChannel(StrEnum):
    PAGE = "page"
    FILES = "files"
    TABLE = "table"
    API = "api"
    LINK = "link"


class FilingState(StrEnum):
    UNREAD = "unread"
    WAITING = "waiting"
    UNSURE = "unsure"
    FILED = "filed"
    SENT_BACK = "sent_back"
    WITHDRAWN = "withdrawn"


class Clinic(Base):
    """A veterinary clinic that asked to file certificates; only an approved one may."""

    __tablename__ = "clinic"
    __table_args__ = (
        CheckConstraint("(state = 'asked') = (decided_at IS NULL)", name="a_decision_has_its_time"),
        Index("ix_clinic_waiting", "created_at", postgresql_where=text("state = 'asked'")),
        Index("ix_clinic_email_key", "email_key"),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A veterinary clinic that files certificates (90.04(D)(2)).",
            "info": private("90.04(D)(2)"),
        },
    )

    id: Mapped[Key]
    name: Mapped[str] = mapped_column(comment="Name as typed.")
    address: Mapped[str] = mapped_column(comment="Address as typed.")
    phone: Mapped[str] = mapped_column(comment="Phone as typed.")
    email: Mapped[str] = mapped_column(comment="The clinic's own mailbox, as typed; links for it go there.")
    email_key: Mapped[str] = mapped_column(comment="The same address trimmed and in lower case.")
    state: Mapped[ClinicState] = mapped_column(words(ClinicState), server_default="asked", comment="Where it stands.")
    decided_at: Mapped[Instant | None] = mapped_column(comment="When it was approved, refused or suspended.")
    decided_by: Mapped[str | None] = mapped_column(comment="Staff who decided.")
    created_at: Mapped[Created]


class ClinicFiling(Base):
    """A certificate as a clinic filed it. It waits for its animal; the clinic never learns if we know its owner."""

    __tablename__ = "clinic_filing"
    __table_args__ = (
        UniqueConstraint("clinic_id", "idempotency_key"),
        CheckConstraint("state <> 'filed' OR vaccination_id IS NOT NULL", name="filed_has_its_vaccination"),
        Index("ix_clinic_filing_clinic_id_created_at", "clinic_id", "created_at"),
        Index("ix_clinic_filing_microchip", "microchip", postgresql_where=text("state IN ('waiting', 'unsure')")),
        Index("ix_clinic_filing_owner_key", "owner_key", postgresql_where=text("state IN ('waiting', 'unsure')")),
        Index("ix_clinic_filing_rabies_tag", "rabies_tag", postgresql_where=text("state IN ('waiting', 'unsure')")),
        Index("ix_clinic_filing_unread", "created_at", postgresql_where=text("state = 'unread'")),
        Index(
            "ix_clinic_filing_taken_back",
            "decided_at",
            postgresql_where=text("state = 'withdrawn' AND vaccination_id IS NOT NULL"),
        ),
        Index("ix_clinic_filing_open", "created_at", postgresql_where=text("state IN ('waiting', 'unsure')")),
        Index(
            "ix_clinic_filing_looked_at",
            text("looked_at NULLS FIRST"),
            postgresql_where=text("state IN ('waiting', 'unsure')"),
        ),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A certificate as a clinic filed it (90.04(D)(2)).",
            "info": private("90.04(D)(2)"),
        },
    )

    id: Mapped[Key]
    clinic_id: Mapped[UUID] = mapped_column(ForeignKey(Clinic.id), comment="Who filed it.")
    channel: Mapped[FilingChannel] = mapped_column(words(FilingChannel), comment="How it came.")
    filed_by: Mapped[str] = mapped_column(comment="Mailbox of the member of staff, or name of the token.")
    idempotency_key: Mapped[str | None] = mapped_column(
        comment="The sender's own key: the same again is the same filing."
    )
    owner_name: Mapped[str] = mapped_column(comment="Owner's name as on the certificate.")
    owner_address: Mapped[str] = mapped_column(comment="Owner's address as on the certificate.")
    owner_phone: Mapped[str | None] = mapped_column(comment="Owner's telephone as on the certificate.")
    owner_key: Mapped[str] = mapped_column(comment="Owner's surname folded for comparing.")
    address_key: Mapped[str] = mapped_column(comment="Owner's address folded for comparing.")
    animal_name: Mapped[str] = mapped_column(comment="Animal's name as on the certificate.")
    species: Mapped[Species] = mapped_column(words(Species), comment="Dog or cat.")
    sex: Mapped[Sex | None] = mapped_column(words(Sex), comment="Sex as on the certificate.")
    description: Mapped[str] = mapped_column(comment="Breed, color and marks as on the certificate.")
    weight: Mapped[str | None] = mapped_column(comment="Weight or size band as on the certificate.")
    age: Mapped[str | None] = mapped_column(comment="Age as on the certificate.")
    microchip: Mapped[str | None] = mapped_column(comment="Microchip number, blanks and dashes removed.")
    rabies_tag: Mapped[str | None] = mapped_column(comment="Number of the rabies tag the clinic gave.")
    given_on: Mapped[date | None] = mapped_column(comment="Day of the vaccination; empty while a file is unread.")
    certificate_due_on: Mapped[date | None] = mapped_column(comment="Next due date on the certificate.")
    dose: Mapped[Dose] = mapped_column(words(Dose), comment="Whether it was the first rabies vaccination.")
    vaccine_type: Mapped[VaccineType] = mapped_column(words(VaccineType), comment="Type of vaccine.")
    product: Mapped[str | None] = mapped_column(comment="Vaccine product.")
    manufacturer: Mapped[str | None] = mapped_column(comment="Maker of the vaccine.")
    lot: Mapped[str | None] = mapped_column(comment="Serial or lot number.")
    vaccine_expires_on: Mapped[date | None] = mapped_column(comment="Date on the vial; decides nothing.")
    duration_years: Mapped[int | None] = mapped_column(comment="Duration on the label, in years.")
    veterinarian: Mapped[str] = mapped_column(comment="Veterinarian who gave or supervised it.")
    veterinarian_license: Mapped[str | None] = mapped_column(comment="The veterinarian's license number.")
    attested_name: Mapped[str | None] = mapped_column(comment="Name typed as signature (90.04(D)(2)).")
    attested_at: Mapped[Instant | None] = mapped_column(comment="When it was signed.")
    document_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Document.id), index=True, comment="The certificate as a file."
    )
    state: Mapped[FilingState] = mapped_column(words(FilingState), comment="Where it stands; the clinic is told less.")
    vaccination_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Vaccination.id), unique=True, comment="The vaccination it became, once its animal was found."
    )
    looked_at: Mapped[Instant | None] = mapped_column(
        comment="When it was last compared with the animals we know; empty until the worker has."
    )
    decision_reason: Mapped[str | None] = mapped_column(comment="Why it was sent back, as told to the clinic.")
    decided_at: Mapped[Instant | None] = mapped_column(comment="When its animal was found, or it was sent back.")
    created_at: Mapped[Created]


class FilingCandidate(Base):
    """An animal that an unsure filing may be about; for the officer alone."""

    __tablename__ = "filing_candidate"
    __table_args__ = (
        {"schema": ANIMAL_CONTROL, "comment": "Animals an unsure filing may be about.", "info": private("90.04(D)(2)")},
    )

    filing_id: Mapped[UUID] = mapped_column(ForeignKey(ClinicFiling.id), primary_key=True, comment="The filing.")
    animal_id: Mapped[UUID] = mapped_column(ForeignKey(Animal.id), primary_key=True, index=True, comment="The animal.")
    why: Mapped[str] = mapped_column(comment="What agrees, in words.")


class VetRequest(Base):
    """A keeper asked a clinic for one animal's certificate: a link that opens that one form and nothing else."""

    __tablename__ = "vet_request"
    __table_args__ = (
        Index("ix_vet_request_animal_id_created_at", "animal_id", "created_at"),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A single-animal link a keeper sent to a clinic (90.04(B)(3)).",
            "info": private("90.04(B)(3)"),
        },
    )

    id: Mapped[Key]
    animal_id: Mapped[UUID] = mapped_column(ForeignKey(Animal.id), comment="The animal.")
    asked_by: Mapped[UUID] = mapped_column(ForeignKey(Person.id), index=True, comment="The keeper who asked.")
    clinic_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Clinic.id), index=True, comment="The approved clinic whose mailbox it went to; empty for any other."
    )
    clinic_name: Mapped[str] = mapped_column(comment="The clinic as the keeper calls it.")
    clinic_email: Mapped[str | None] = mapped_column(comment="Where the link was sent; empty when shown as a code.")
    token_hash: Mapped[str] = mapped_column(unique=True, comment="Hash of the link's token.")
    expires_at: Mapped[Instant] = mapped_column(comment="Good until.")
    withdrawn_at: Mapped[Instant | None] = mapped_column(comment="When the keeper took it back.")
    answered_at: Mapped[Instant | None] = mapped_column(comment="When the clinic sent the certificate.")
    vaccination_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Vaccination.id), index=True, comment="The vaccination it brought."
    )
    created_at: Mapped[Created]


class CertificateDemand(Base):
    """An officer demanded the certificate; it is to be shown within seven days, and later is taken and marked."""

    __tablename__ = "certificate_demand"
    __table_args__ = (
        Index("ix_certificate_demand_open", "animal_id", postgresql_where=text("presented_at IS NULL")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "An officer's demand for a certificate (90.04(D)(2)).",
            "info": private("90.04(D)(2)"),
        },
    )

    id: Mapped[Key]
    animal_id: Mapped[UUID] = mapped_column(ForeignKey(Animal.id), index=True, comment="The animal.")
    officer: Mapped[str] = mapped_column(comment="Who demanded it.")
    demanded_on: Mapped[date] = mapped_column(comment="The day of the demand, not counted (645.15).")
    raw_due_on: Mapped[date] = mapped_column(comment="Seven days later.")
    legal_last_day: Mapped[date] = mapped_column(comment="The same, rolled over weekend and holiday (645.15).")
    show_by: Mapped[date] = mapped_column(comment="The earliest safe day, which the keeper is told.")
    presented_at: Mapped[Instant | None] = mapped_column(comment="When a certificate was shown or uploaded.")
    is_late: Mapped[bool | None] = mapped_column(comment="Shown after the legal last day; accepted all the same.")
    vaccination_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Vaccination.id), index=True, comment="The certificate that was shown."
    )
    created_at: Mapped[Created]
