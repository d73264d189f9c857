"""Dog licenses and the metal tags that go with them (section 90.04(B))."""

from datetime import date
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from portal.schema.animals import Animal
from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, private, public, words
from portal.schema.vaccinations import Vaccination


class LicenseState(StrEnum):
    APPLIED = "applied"
    ISSUED = "issued"
    WITHDRAWN = "withdrawn"
    REVOKED = "revoked"


class LicenseBasis(StrEnum):
    FEE = "fee"
    ASSISTANCE_DOG = "assistance_dog"
    OTHER_SERVICE_DOG = "other_service_dog"
    POLICE_DOG = "police_dog"


class WaiverState(StrEnum):
    CLAIMED = "claimed"
    CONFIRMED = "confirmed"
    DECLINED = "declined"


class TagState(StrEnum):
    TO_SEND = "to_send"
    SENT = "sent"
    LOST = "lost"
    DESTROYED = "destroyed"


class Delivery(StrEnum):
    MAIL = "mail"
    PICK_UP = "pick_up"


class License(Base):
    """A license applied for or issued, for one dog and one license year."""

    __tablename__ = "license"
    __table_args__ = (
        CheckConstraint("state NOT IN ('issued', 'revoked') OR number IS NOT NULL", name="issued_has_a_number"),
        CheckConstraint("valid_until >= valid_from", name="ends_after_it_begins"),
        CheckConstraint("(basis = 'fee') = (waiver_state IS NULL)", name="a_waiver_has_a_state"),
        UniqueConstraint("year", "number"),
        Index("ix_license_applied", "created_at", postgresql_where=text("state = 'applied'")),
        Index(
            "uq_license_animal_id_year",
            "animal_id",
            "year",
            unique=True,
            postgresql_where=text("state IN ('applied', 'issued')"),
        ),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A dog's license for one license year (90.04(B)).",
            "info": private("90.04(B)"),
        },
    )

    id: Mapped[Key]
    animal_id: Mapped[UUID] = mapped_column(ForeignKey(Animal.id), index=True, comment="The dog.")
    year: Mapped[int] = mapped_column(comment="License year, stamped on the tag (90.04(B)(5)).")
    valid_from: Mapped[date] = mapped_column(comment="First day.")
    valid_until: Mapped[date] = mapped_column(comment="Last day.")
    basis: Mapped[LicenseBasis] = mapped_column(words(LicenseBasis), comment="By fee, or under the waiver of 90.04(C).")
    waiver_state: Mapped[WaiverState | None] = mapped_column(
        words(WaiverState), comment="Where a claimed waiver stands; empty when a fee is due."
    )
    number: Mapped[int | None] = mapped_column(comment="Number within the year, also on the tag; empty until issued.")
    state: Mapped[LicenseState] = mapped_column(
        words(LicenseState), server_default="applied", comment="Where it stands."
    )
    vaccination_id: Mapped[UUID | None] = mapped_column(
        ForeignKey(Vaccination.id), index=True, comment="The accepted vaccination it was issued on (90.04(B)(3))."
    )
    delivery: Mapped[Delivery] = mapped_column(words(Delivery), comment="How the tag reaches the keeper.")
    proof_code: Mapped[str] = mapped_column(unique=True, comment="Code on the printable proof; shows no person.")
    issued_at: Mapped[Instant | None] = mapped_column(comment="When it was issued.")
    created_at: Mapped[Created]


class LicenseCounter(Base):
    """The last license number given in a year. Locked while the next is given, so none is given twice."""

    __tablename__ = "license_counter"
    __table_args__ = (
        {
            "schema": ANIMAL_CONTROL,
            "comment": "Last license number given, by license year.",
            "info": public("90.04(B)(5)"),
        },
    )

    year: Mapped[int] = mapped_column(primary_key=True, autoincrement=False, comment="License year.")
    last_number: Mapped[int] = mapped_column(comment="Last number given.")


class Tag(Base):
    """A metal tag: year and license number, and which issue of it."""

    __tablename__ = "tag"
    __table_args__ = (
        UniqueConstraint("year", "number", "issue"),
        Index(
            "uq_tag_license_id_live", "license_id", unique=True, postgresql_where=text("state IN ('to_send', 'sent')")
        ),
        Index("ix_tag_to_send", "created_at", postgresql_where=text("state = 'to_send'")),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A metal tag stamped with year and license number (90.04(B)(5)).",
            "info": private("90.04(B)(5)"),
        },
    )

    id: Mapped[Key]
    license_id: Mapped[UUID] = mapped_column(ForeignKey(License.id), index=True, comment="The license it shows.")
    year: Mapped[int] = mapped_column(comment="Year stamped on it.")
    number: Mapped[int] = mapped_column(comment="License number stamped on it.")
    issue: Mapped[int] = mapped_column(
        server_default="1", comment="1 for the first tag, 2 for its duplicate, and so on."
    )
    state: Mapped[TagState] = mapped_column(words(TagState), server_default="to_send", comment="Where it is.")
    delivery: Mapped[Delivery] = mapped_column(words(Delivery), comment="Mailed, or picked up at the counter.")
    sent_at: Mapped[Instant | None] = mapped_column(comment="When it was mailed or handed over.")
    created_at: Mapped[Created]
