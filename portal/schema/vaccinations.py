"""Rabies vaccinations and the certificates that prove them (section 90.04(D), Minn. R. 1721.0540)."""

from datetime import date
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from portal.ordinance.certificates import Dose, Evidence, VaccineType
from portal.schema.animals import Animal
from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, private, words
from portal.schema.documents import Document
from portal.schema.people import Person


class CertificateState(StrEnum):
    SUBMITTED = "submitted"
    ACCEPTED = "accepted"
    SENT_BACK = "sent_back"
    REPLACED = "replaced"


class CertificateSource(StrEnum):
    OWNER = "owner"
    CLINIC = "clinic"
    OFFICER = "officer"


class Vaccination(Base):
    """A rabies vaccination as its certificate states it. Three dates are kept; none replaces another."""

    __tablename__ = "vaccination"
    __table_args__ = (
        CheckConstraint("state <> 'sent_back' OR decision_reason IS NOT NULL", name="sent_back_says_why"),
        CheckConstraint("(decided_at IS NULL) = (state = 'submitted')", name="a_decision_has_its_time"),
        Index("ix_vaccination_waiting", "created_at", postgresql_where=text("state = 'submitted'")),
        Index("ix_vaccination_animal_id_created_at", "animal_id", "created_at"),
        Index("ix_vaccination_ordinance_until", "ordinance_until", postgresql_where=text("state = 'accepted'")),
        Index("ix_vaccination_certificate_due_on", "certificate_due_on", postgresql_where=text("state = 'accepted'")),
        Index("ix_vaccination_rabies_tag_mark", text("animal_control.mark(rabies_tag)")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A rabies vaccination and its certificate (90.04(D)).",
            "info": private("90.04(D)"),
        },
    )

    id: Mapped[Key]
    animal_id: Mapped[UUID] = mapped_column(ForeignKey(Animal.id), comment="The animal vaccinated.")
    document_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Document.id), index=True, comment="The certificate as sent."
    )
    named_person_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Person.id),
        index=True,
        comment="The keeper whose name and address the sheet bears; other keepers do not see the sheet itself.",
    )
    source: Mapped[CertificateSource] = mapped_column(words(CertificateSource), comment="Who filed it.")
    evidence: Mapped[Evidence] = mapped_column(
        words(Evidence), comment="What kind of paper it is; only a veterinarian's dose counts (90.04(B)(3))."
    )
    given_on: Mapped[date | None] = mapped_column(comment="Day of the vaccination; empty when the paper has none.")
    certificate_due_on: Mapped[date | None] = mapped_column(comment="Next due date printed on the certificate.")
    ordinance_until: Mapped[date | None] = mapped_column(comment="Three years after it was given (90.04(D)(1)).")
    science_due_on: Mapped[date | None] = mapped_column(comment="When the published schedule wants the next dose.")
    dose: Mapped[Dose] = mapped_column(words(Dose), comment="Whether it was the animal's first rabies vaccination.")
    product: Mapped[str | None] = mapped_column(comment="Vaccine product or type as printed.")
    manufacturer: Mapped[str | None] = mapped_column(comment="Maker of the vaccine as printed.")
    vaccine_type: Mapped[VaccineType] = mapped_column(
        words(VaccineType), comment="Type of vaccine; every licensed type is accepted (90.04(D)(1))."
    )
    vaccine_expires_on: Mapped[date | None] = mapped_column(comment="Date on the vial; decides nothing.")
    lot: Mapped[str | None] = mapped_column(comment="Serial or lot number as printed.")
    duration_years: Mapped[int | None] = mapped_column(comment="Duration on the label, in years.")
    rabies_tag: Mapped[str | None] = mapped_column(comment="Number of the rabies tag the clinic gave.")
    veterinarian: Mapped[str | None] = mapped_column(comment="Veterinarian as printed or signed.")
    clinic_name: Mapped[str | None] = mapped_column(comment="Clinic as printed.")
    weight: Mapped[str | None] = mapped_column(comment="Weight or size band as printed.")
    findings: Mapped[list[dict[str, Any]]] = mapped_column(
        JSONB, server_default="[]", comment="What the rules noticed: rule, sentence, field. For the officer."
    )
    needs_review: Mapped[bool] = mapped_column(comment="A person has to look before it counts.")
    state: Mapped[CertificateState] = mapped_column(
        words(CertificateState), server_default="submitted", comment="Where it stands."
    )
    decided_at: Mapped[Instant | None] = mapped_column(comment="When it was accepted or sent back.")
    decided_by: Mapped[str | None] = mapped_column(comment="Who decided: staff e-mail or a clinic.")
    decision_reason: Mapped[str | None] = mapped_column(comment="Why it was sent back, as told to the keeper.")
    created_at: Mapped[Created]
