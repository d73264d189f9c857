"""Dangerous dogs: designations, registrations with their requirements, and what owners tell and ask

What was sent and what was decided about a requirement is only ever added to. Two years of one dog never overlap.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

# A range of keys: with it an exclusion compares keys by what PostgreSQL brings along, without an extension.
KEY_RANGE = "CREATE TYPE animal_control.key_range AS RANGE (subtype = uuid, multirange_type_name = key_multirange)"
ONLY_ADDED_TO = ("requirement_evidence", "requirement_decision")
IS_ONLY_ADDED_TO = """
CREATE FUNCTION animal_control.is_only_added_to() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'animal_control.% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$
"""
ADDED_TO = """
CREATE TRIGGER {table}_is_only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON animal_control.{table}
    FOR EACH STATEMENT EXECUTE FUNCTION animal_control.is_only_added_to()
"""
KINDS = {
    ("animal_control", "document", "documentkind"): ("certificate", "animal_photo"),
    ("portal", "upload", "documentkind"): ("certificate", "animal_photo"),
    ("animal_control", "fee_order_line", "linekind"): ("license", "late", "duplicate_tag"),
}
NEW_KINDS = {"documentkind": "evidence", "linekind": "dangerous_dog"}


def upgrade() -> None:
    op.execute(KEY_RANGE)
    op.create_table(
        "dangerous_designation",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("reference", sa.Text(), nullable=False, comment="Short reference on the notice; gives no access."),
        sa.Column(
            "kind",
            sa.Enum(
                "dangerous",
                "potentially_dangerous",
                name="designated",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="Dangerous or potentially dangerous (90.13(C)).",
        ),
        sa.Column(
            "state",
            sa.Enum(
                "stated",
                "standing",
                "rescinded",
                "not_upheld",
                name="designationstate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            server_default="standing",
            nullable=False,
            comment="Where it stands.",
        ),
        sa.Column(
            "animal_id",
            sa.Uuid(),
            nullable=True,
            comment="The dog, once it is known here: matched by an officer, or claimed by code.",
        ),
        sa.Column("dog", sa.Text(), nullable=False, comment="The dog as the notice describes it ((E)(3)(a)(i))."),
        sa.Column(
            "grounds",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=False,
            comment="What it rests on: words of 90.13(C)(1), (C)(2).",
        ),
        sa.Column(
            "circumstances",
            sa.Text(),
            nullable=True,
            comment="Time, place and circumstances as the notice tells them ((E)(3)); never who was bitten.",
        ),
        sa.Column(
            "declared_by",
            sa.Text(),
            nullable=True,
            comment="The other place that declared it, if it was not this city (90.13(H)(11)).",
        ),
        sa.Column(
            "noticed_on", sa.Date(), nullable=True, comment="The date on the notice, from which the safe days count."
        ),
        sa.Column("sent_on", sa.Date(), nullable=True, comment="When the notice was sent (90.13(I))."),
        sa.Column("received_on", sa.Date(), nullable=True, comment="When it was received, if known."),
        sa.Column(
            "delivery",
            sa.Enum(
                "hand",
                "mail",
                "posted",
                "resident",
                name="noticedelivery",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=True,
            comment="How: to the owner by hand or mail, posted, or to a resident ((E)(3)).",
        ),
        sa.Column(
            "final_on",
            sa.Date(),
            nullable=True,
            comment="The final determination, from which sterilizing counts (90.13(H)(15)).",
        ),
        sa.Column("ended_on", sa.Date(), nullable=True, comment="When it was rescinded, or not upheld."),
        sa.Column(
            "designated_by", sa.Text(), nullable=False, comment="Officer who entered it, or the keeper who stated it."
        ),
        sa.Column(
            "code_hash",
            sa.Text(),
            nullable=True,
            comment="Hash of the code printed on the notice; whoever has the code may claim it for their dog.",
        ),
        sa.Column("claimed_by", sa.Uuid(), nullable=True, comment="The keeper who claimed it with the code."),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=True, comment="When."),
        sa.Column(
            "version", sa.Integer(), server_default="1", nullable=False, comment="Counts the changes of this row."
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "(state IN ('rescinded', 'not_upheld')) = (ended_on IS NOT NULL)",
            name=op.f("ck_dangerous_designation_an_end_has_its_day"),
        ),
        sa.CheckConstraint(
            "state <> 'standing' OR noticed_on IS NOT NULL", name=op.f("ck_dangerous_designation_a_notice_has_its_date")
        ),
        sa.CheckConstraint(
            "(claimed_at IS NULL) = (claimed_by IS NULL)", name=op.f("ck_dangerous_designation_claimed_by_somebody")
        ),
        sa.CheckConstraint(
            "claimed_at IS NULL OR animal_id IS NOT NULL", name=op.f("ck_dangerous_designation_claimed_for_an_animal")
        ),
        sa.ForeignKeyConstraint(
            ["animal_id"], ["animal_control.animal.id"], name=op.f("fk_dangerous_designation_animal_id")
        ),
        sa.ForeignKeyConstraint(
            ["claimed_by"], ["animal_control.person.id"], name=op.f("fk_dangerous_designation_claimed_by")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dangerous_designation")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_dangerous_designation_code_hash")),
        sa.UniqueConstraint("reference", name=op.f("uq_dangerous_designation_reference")),
        schema="animal_control",
        comment="A dog designated dangerous or potentially dangerous (90.13(D), (E)(3)).",
    )
    op.create_index(
        "ix_dangerous_designation_animal_id",
        "dangerous_designation",
        ["animal_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        op.f("ix_dangerous_designation_claimed_by"),
        "dangerous_designation",
        ["claimed_by"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        "ix_dangerous_designation_standing",
        "dangerous_designation",
        ["kind"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state = 'standing'"),
    )
    op.create_index(
        "ix_dangerous_designation_stated",
        "dangerous_designation",
        ["created_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state = 'stated'"),
    )
    op.create_table(
        "dangerous_notice",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("reference", sa.Text(), nullable=False, comment="Short reference to quote; gives no access."),
        sa.Column("designation_id", sa.Uuid(), nullable=False, comment="The designation."),
        sa.Column("animal_id", sa.Uuid(), nullable=False, comment="The dog."),
        sa.Column("told_by", sa.Uuid(), nullable=False, comment="The keeper who told."),
        sa.Column(
            "kind",
            sa.Enum(
                "move", "transfer", "death", name="noticekind", native_enum=False, create_constraint=True, length=40
            ),
            nullable=False,
            comment="Move, sale or gift, or death.",
        ),
        sa.Column("happens_on", sa.Date(), nullable=False, comment="When it happened or is to happen."),
        sa.Column("owner_name", sa.Text(), nullable=False, comment="The present owner's name (90.13(N))."),
        sa.Column("owner_address", sa.Text(), nullable=False, comment="The present owner's address (90.13(N))."),
        sa.Column("new_address", sa.Text(), nullable=True, comment="Where the dog will live, as typed."),
        sa.Column(
            "leaves_city",
            sa.Boolean(),
            nullable=True,
            comment="Out of this city: to be registered there (90.13(H)(11)).",
        ),
        sa.Column("new_owner_name", sa.Text(), nullable=True, comment="The new owner's name (90.13(H)(14), (N))."),
        sa.Column("new_owner_address", sa.Text(), nullable=True, comment="The new owner's address (90.13(H)(14))."),
        sa.Column("new_owner_phone", sa.Text(), nullable=True, comment="The new owner's telephone (90.13(H)(14))."),
        sa.Column(
            "new_owner_was_told",
            sa.Boolean(),
            nullable=True,
            comment="The owner says that the new one was told of the designation (90.13(H)(14)).",
        ),
        sa.Column("told", sa.Text(), nullable=True, comment="Anything else, in the owner's words."),
        sa.Column("signed_name", sa.Text(), nullable=False, comment="Name typed as signature."),
        sa.Column(
            "legal_last_day",
            sa.Date(),
            nullable=False,
            comment="The last day for a notice of this kind at this moment: 14 days before, or 30 days after.",
        ),
        sa.Column("show_by", sa.Date(), nullable=False, comment="The earliest safe day, which the owner is shown."),
        sa.Column(
            "is_late", sa.Boolean(), nullable=False, comment="Came after the legal last day; accepted all the same."
        ),
        sa.Column("confirms_id", sa.Uuid(), nullable=True, comment="The notice before, which this confirms."),
        sa.Column(
            "affidavit_asked_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When animal control asked for an affidavit under oath (347.52(c)).",
        ),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True, comment="When an officer saw it."),
        sa.Column("seen_by", sa.Text(), nullable=True, comment="Which."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "kind <> 'move' OR new_address IS NOT NULL", name=op.f("ck_dangerous_notice_a_move_says_where")
        ),
        sa.CheckConstraint(
            "kind <> 'transfer' OR new_owner_name IS NOT NULL",
            name=op.f("ck_dangerous_notice_a_transfer_names_the_new_owner"),
        ),
        sa.CheckConstraint("(seen_at IS NULL) = (seen_by IS NULL)", name=op.f("ck_dangerous_notice_seen_by_somebody")),
        sa.ForeignKeyConstraint(
            ["animal_id"], ["animal_control.animal.id"], name=op.f("fk_dangerous_notice_animal_id")
        ),
        sa.ForeignKeyConstraint(
            ["confirms_id"], ["animal_control.dangerous_notice.id"], name=op.f("fk_dangerous_notice_confirms_id")
        ),
        sa.ForeignKeyConstraint(
            ["designation_id"],
            ["animal_control.dangerous_designation.id"],
            name=op.f("fk_dangerous_notice_designation_id"),
        ),
        sa.ForeignKeyConstraint(["told_by"], ["animal_control.person.id"], name=op.f("fk_dangerous_notice_told_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dangerous_notice")),
        sa.UniqueConstraint("confirms_id", name=op.f("uq_dangerous_notice_confirms_id")),
        sa.UniqueConstraint("reference", name=op.f("uq_dangerous_notice_reference")),
        schema="animal_control",
        comment="A notice of move, transfer or death (90.13(H)(12), (14), (N)).",
    )
    op.create_index(
        op.f("ix_dangerous_notice_animal_id"), "dangerous_notice", ["animal_id"], unique=False, schema="animal_control"
    )
    op.create_index(
        "ix_dangerous_notice_designation_id_created_at",
        "dangerous_notice",
        ["designation_id", "created_at"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        op.f("ix_dangerous_notice_told_by"), "dangerous_notice", ["told_by"], unique=False, schema="animal_control"
    )
    op.create_index(
        "ix_dangerous_notice_waiting",
        "dangerous_notice",
        ["created_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("seen_at IS NULL"),
    )
    op.create_table(
        "dangerous_registration",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("designation_id", sa.Uuid(), nullable=False, comment="The designation."),
        sa.Column("animal_id", sa.Uuid(), nullable=False, comment="The dog."),
        sa.Column("person_id", sa.Uuid(), nullable=False, comment="The owner who registers it."),
        sa.Column("previous_id", sa.Uuid(), nullable=True, comment="The year before; empty at first."),
        sa.Column("starts_on", sa.Date(), nullable=False, comment="First day of its year."),
        sa.Column("ends_on", sa.Date(), nullable=False, comment="Last day of its year."),
        sa.Column(
            "state",
            sa.Enum(
                "open",
                "certified",
                "withdrawn",
                name="registrationstate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            server_default="open",
            nullable=False,
            comment="Certified once every row is settled.",
        ),
        sa.Column(
            "sent_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When its owner said that it is ready to be looked at.",
        ),
        sa.Column(
            "is_late",
            sa.Boolean(),
            server_default="false",
            nullable=False,
            comment="Sent after the day it was due; accepted all the same.",
        ),
        sa.Column(
            "photograph_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When animal control photographs the dog, as it set (90.13(H)(10)).",
        ),
        sa.Column("photograph_place", sa.Text(), nullable=True, comment="Where."),
        sa.Column(
            "certificate_code",
            sa.Text(),
            nullable=True,
            comment="Code on the certificate, which an officer can check; shows no person.",
        ),
        sa.Column(
            "certificate_until",
            sa.Date(),
            nullable=True,
            comment="Last day of the certificate: of the year, or of what it rests on, as the city says.",
        ),
        sa.Column(
            "certified_at", sa.DateTime(timezone=True), nullable=True, comment="When the certificate was issued last."
        ),
        sa.Column("certified_by", sa.Text(), nullable=True, comment="Officer who issued it."),
        sa.Column(
            "version", sa.Integer(), server_default="1", nullable=False, comment="Counts the changes of this row."
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        postgresql.ExcludeConstraint(
            (sa.text("animal_control.key_range(animal_id, animal_id, '[]')"), "&&"),
            (sa.text("daterange(starts_on, ends_on, '[]')"), "&&"),
            where=sa.text("state <> 'withdrawn'"),
            using="gist",
            name="ex_dangerous_registration_one_at_a_time",
        ),
        sa.CheckConstraint(
            "state <> 'certified' OR (certified_at IS NOT NULL AND certified_by IS NOT NULL "
            "AND certificate_code IS NOT NULL AND certificate_until IS NOT NULL)",
            name=op.f("ck_dangerous_registration_certified_has_its_certificate"),
        ),
        sa.CheckConstraint(
            "certificate_until <= ends_on", name=op.f("ck_dangerous_registration_a_certificate_ends_with_its_year")
        ),
        sa.CheckConstraint("ends_on >= starts_on", name=op.f("ck_dangerous_registration_ends_after_it_begins")),
        sa.ForeignKeyConstraint(
            ["animal_id"], ["animal_control.animal.id"], name=op.f("fk_dangerous_registration_animal_id")
        ),
        sa.ForeignKeyConstraint(
            ["designation_id"],
            ["animal_control.dangerous_designation.id"],
            name=op.f("fk_dangerous_registration_designation_id"),
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["animal_control.person.id"], name=op.f("fk_dangerous_registration_person_id")
        ),
        sa.ForeignKeyConstraint(
            ["previous_id"],
            ["animal_control.dangerous_registration.id"],
            name=op.f("fk_dangerous_registration_previous_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dangerous_registration")),
        sa.UniqueConstraint("certificate_code", name=op.f("uq_dangerous_registration_certificate_code")),
        sa.UniqueConstraint("previous_id", name=op.f("uq_dangerous_registration_previous_id")),
        schema="animal_control",
        comment="A year of a dangerous dog's registration (90.13(H)(1), (11)).",
    )
    op.create_index(
        "ix_dangerous_registration_animal_id_starts_on",
        "dangerous_registration",
        ["animal_id", "starts_on"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        "ix_dangerous_registration_designation_id",
        "dangerous_registration",
        ["designation_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        op.f("ix_dangerous_registration_person_id"),
        "dangerous_registration",
        ["person_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        "ix_dangerous_registration_waiting",
        "dangerous_registration",
        ["sent_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state = 'open'"),
    )
    op.create_table(
        "hearing_request",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("reference", sa.Text(), nullable=False, comment="Short reference to quote; gives no access."),
        sa.Column("designation_id", sa.Uuid(), nullable=True, comment="The designation, if it is known here."),
        sa.Column("person_id", sa.Uuid(), nullable=True, comment="Who asked, if they keep an animal here."),
        sa.Column(
            "kind",
            sa.Enum(
                "dangerous",
                "potentially_dangerous",
                name="designated",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="About which designation.",
        ),
        sa.Column(
            "about_earlier",
            sa.Boolean(),
            server_default="false",
            nullable=False,
            comment="Also about an earlier potentially dangerous designation ((E)(3)(a)(v)).",
        ),
        sa.Column("dog", sa.Text(), nullable=False, comment="The dog, in the owner's words."),
        sa.Column("noticed_on", sa.Date(), nullable=True, comment="The date on the notice, as the owner reads it."),
        sa.Column("received_on", sa.Date(), nullable=True, comment="When the owner received it, as they say."),
        sa.Column(
            "delivery",
            sa.Enum(
                "hand",
                "mail",
                "posted",
                "resident",
                name="noticedelivery",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=True,
            comment="How it was received.",
        ),
        sa.Column("grounds", sa.Text(), nullable=True, comment="Why the owner asks, in their words."),
        sa.Column("interpreter", sa.Text(), nullable=True, comment="The language of an interpreter, if one is needed."),
        sa.Column("access_needs", sa.Text(), nullable=True, comment="What the owner needs to take part."),
        sa.Column("name", sa.Text(), nullable=False, comment="The owner's name."),
        sa.Column("email", sa.Text(), nullable=True, comment="Where the receipt goes."),
        sa.Column("phone", sa.Text(), nullable=True, comment="Phone as typed."),
        sa.Column("address", sa.Text(), nullable=True, comment="Address as typed."),
        sa.Column("signed_name", sa.Text(), nullable=False, comment="Name typed as signature."),
        sa.Column(
            "asked_at", sa.DateTime(timezone=True), nullable=False, comment="The exact time at which it was received."
        ),
        sa.Column(
            "legal_last_day", sa.Date(), nullable=True, comment="The last of the 14 days; empty without a notice date."
        ),
        sa.Column(
            "is_late",
            sa.Boolean(),
            server_default="false",
            nullable=False,
            comment="Came after the legal last day; accepted all the same.",
        ),
        sa.Column("hold_by", sa.Date(), nullable=False, comment="The last day on which to hold it (90.13(E)(1))."),
        sa.Column("scheduled_at", sa.DateTime(timezone=True), nullable=True, comment="When it is to be held."),
        sa.Column("place", sa.Text(), nullable=True, comment="Where."),
        sa.Column("heard_by", sa.Text(), nullable=True, comment="Who hears it."),
        sa.Column("held_on", sa.Date(), nullable=True, comment="When it was held."),
        sa.Column("decide_by", sa.Date(), nullable=True, comment="The last day for the decision (90.13(E)(1))."),
        sa.Column(
            "outcome",
            sa.Enum(
                "upheld",
                "not_upheld",
                "withdrawn",
                name="hearingoutcome",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=True,
            comment="What was decided.",
        ),
        sa.Column("decided_on", sa.Date(), nullable=True, comment="When it was decided."),
        sa.Column(
            "decision_received_on",
            sa.Date(),
            nullable=True,
            comment="When the owner received the decision, from which the days to comply count ((E)(3)(a)(vii)).",
        ),
        sa.Column(
            "version", sa.Integer(), server_default="1", nullable=False, comment="Counts the changes of this row."
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "(outcome IS NULL) = (decided_on IS NULL)", name=op.f("ck_hearing_request_an_outcome_has_its_day")
        ),
        sa.ForeignKeyConstraint(
            ["designation_id"],
            ["animal_control.dangerous_designation.id"],
            name=op.f("fk_hearing_request_designation_id"),
        ),
        sa.ForeignKeyConstraint(["person_id"], ["animal_control.person.id"], name=op.f("fk_hearing_request_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hearing_request")),
        sa.UniqueConstraint("reference", name=op.f("uq_hearing_request_reference")),
        schema="animal_control",
        comment="A request for a hearing about a designation (90.13(E)).",
    )
    op.create_index(
        "ix_hearing_request_designation_id",
        "hearing_request",
        ["designation_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        "ix_hearing_request_open",
        "hearing_request",
        ["created_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.create_index(
        op.f("ix_hearing_request_person_id"), "hearing_request", ["person_id"], unique=False, schema="animal_control"
    )
    op.create_table(
        "review_request",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("reference", sa.Text(), nullable=False, comment="Short reference to quote; gives no access."),
        sa.Column("designation_id", sa.Uuid(), nullable=False, comment="The designation."),
        sa.Column("asked_by", sa.Uuid(), nullable=False, comment="The keeper who asked."),
        sa.Column(
            "changes",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=False,
            comment="What changed the dog's behavior, in the words of (P).",
        ),
        sa.Column("told", sa.Text(), nullable=False, comment="How it has changed, in the owner's words."),
        sa.Column("document_id", sa.Uuid(), nullable=True, comment="What shows it."),
        sa.Column("signed_name", sa.Text(), nullable=False, comment="Name typed as signature."),
        sa.Column("from_day", sa.Date(), nullable=False, comment="The first day on which a review may be asked for."),
        sa.Column("is_early", sa.Boolean(), nullable=False, comment="Asked before that day; kept all the same."),
        sa.Column(
            "outcome",
            sa.Enum("rescinded", "kept", name="reviewoutcome", native_enum=False, create_constraint=True, length=40),
            nullable=True,
            comment="What was decided.",
        ),
        sa.Column("reason", sa.Text(), nullable=True, comment="Why, as told to the owner."),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True, comment="When it was decided."),
        sa.Column("decided_by", sa.Text(), nullable=True, comment="Who decided."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "outcome IS DISTINCT FROM 'kept' OR reason IS NOT NULL", name=op.f("ck_review_request_kept_says_why")
        ),
        sa.CheckConstraint(
            "(outcome IS NULL) = (decided_at IS NULL)", name=op.f("ck_review_request_an_outcome_has_its_time")
        ),
        sa.ForeignKeyConstraint(["asked_by"], ["animal_control.person.id"], name=op.f("fk_review_request_asked_by")),
        sa.ForeignKeyConstraint(
            ["designation_id"],
            ["animal_control.dangerous_designation.id"],
            name=op.f("fk_review_request_designation_id"),
        ),
        sa.ForeignKeyConstraint(
            ["document_id"], ["animal_control.document.id"], name=op.f("fk_review_request_document_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_request")),
        sa.UniqueConstraint("reference", name=op.f("uq_review_request_reference")),
        schema="animal_control",
        comment="A request to review a designation (90.13(P)).",
    )
    op.create_index(
        op.f("ix_review_request_asked_by"), "review_request", ["asked_by"], unique=False, schema="animal_control"
    )
    op.create_index(
        "ix_review_request_designation_id_created_at",
        "review_request",
        ["designation_id", "created_at"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        op.f("ix_review_request_document_id"), "review_request", ["document_id"], unique=False, schema="animal_control"
    )
    op.create_index(
        "ix_review_request_open",
        "review_request",
        ["created_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.create_table(
        "seizure_security",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("designation_id", sa.Uuid(), nullable=False, comment="The designation."),
        sa.Column(
            "seized_on",
            sa.Date(),
            nullable=False,
            comment="The day of the seizure, which counts as the first of the seven.",
        ),
        sa.Column("kept_at", sa.Text(), nullable=False, comment="Where the dog is kept."),
        sa.Column("contact_name", sa.Text(), nullable=False, comment="Whom to ask there ((E)(3)(a)(i))."),
        sa.Column("contact_phone", sa.Text(), nullable=False, comment="The telephone number there ((E)(3)(a)(i))."),
        sa.Column(
            "amount_cents",
            sa.Integer(),
            nullable=True,
            comment="Security asked, in cents: the actual cost of its care.",
        ),
        sa.Column("raw_due_on", sa.Date(), nullable=False, comment="The seventh day."),
        sa.Column(
            "legal_last_day", sa.Date(), nullable=False, comment="The same, rolled over weekend and holiday (645.15)."
        ),
        sa.Column("show_by", sa.Date(), nullable=False, comment="The earliest safe day, which the owner is shown."),
        sa.Column("posted_on", sa.Date(), nullable=True, comment="When the security was posted."),
        sa.Column(
            "is_late", sa.Boolean(), nullable=True, comment="Posted after the legal last day; accepted all the same."
        ),
        sa.Column(
            "reclaim_told_on",
            sa.Date(),
            nullable=True,
            comment="When the owner was told that the dog may be reclaimed (90.13(K)).",
        ),
        sa.Column("released_on", sa.Date(), nullable=True, comment="When the dog went home."),
        sa.Column("entered_by", sa.Text(), nullable=False, comment="Officer who entered it."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "(posted_on IS NULL) = (is_late IS NULL)", name=op.f("ck_seizure_security_posted_is_late_or_not")
        ),
        sa.CheckConstraint("amount_cents > 0", name=op.f("ck_seizure_security_an_amount_is_something")),
        sa.ForeignKeyConstraint(
            ["designation_id"],
            ["animal_control.dangerous_designation.id"],
            name=op.f("fk_seizure_security_designation_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seizure_security")),
        schema="animal_control",
        comment="A seized dog and the security for its care (90.13(E)(2), (J)).",
    )
    op.create_index(
        "ix_seizure_security_designation_id",
        "seizure_security",
        ["designation_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_table(
        "dangerous_requirement",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("designation_id", sa.Uuid(), nullable=False, comment="Whose."),
        sa.Column(
            "registration_id",
            sa.Uuid(),
            nullable=True,
            comment="The year it is for; empty for a potentially dangerous dog (90.13(G), 347.515).",
        ),
        sa.Column(
            "kind",
            sa.Enum(
                "registration",
                "enclosure",
                "restraint",
                "signs",
                "insurance",
                "fee",
                "tag",
                "microchip",
                "license",
                "photograph",
                "renewal",
                "death_or_transfer",
                "landlord",
                "new_owner",
                "sterilization",
                "county",
                name="requirement",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="Which requirement.",
        ),
        sa.Column(
            "state",
            sa.Enum(
                "not_yet",
                "sent",
                "accepted",
                "sent_back",
                "waived",
                "not_applicable",
                name="rowstate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            server_default="not_yet",
            nullable=False,
            comment="Where it stands.",
        ),
        sa.Column(
            "evidence_number",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="The newest evidence; 0 for none.",
        ),
        sa.Column(
            "decided_number",
            sa.Integer(),
            nullable=True,
            comment="The evidence that the standing decision is about; 0 where an officer saw it without any.",
        ),
        sa.Column(
            "changed_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it last changed.",
        ),
        sa.Column(
            "version", sa.Integer(), server_default="1", nullable=False, comment="Counts the changes of this row."
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "state <> 'sent' OR evidence_number > 0", name=op.f("ck_dangerous_requirement_sent_has_its_evidence")
        ),
        sa.CheckConstraint(
            "state NOT IN ('accepted', 'sent_back') OR decided_number = evidence_number",
            name=op.f("ck_dangerous_requirement_decided_about_its_newest_evidence"),
        ),
        sa.CheckConstraint(
            "decided_number <= evidence_number", name=op.f("ck_dangerous_requirement_decided_about_evidence_there_is")
        ),
        sa.ForeignKeyConstraint(
            ["designation_id"],
            ["animal_control.dangerous_designation.id"],
            name=op.f("fk_dangerous_requirement_designation_id"),
        ),
        sa.ForeignKeyConstraint(
            ["registration_id"],
            ["animal_control.dangerous_registration.id"],
            name=op.f("fk_dangerous_requirement_registration_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dangerous_requirement")),
        schema="animal_control",
        comment="A requirement of 90.13(H) as a row of a registration.",
    )
    op.create_index(
        op.f("ix_dangerous_requirement_designation_id"),
        "dangerous_requirement",
        ["designation_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        "ix_dangerous_requirement_sent",
        "dangerous_requirement",
        ["changed_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state = 'sent'"),
    )
    op.create_index(
        "uq_dangerous_requirement_designation_id_kind",
        "dangerous_requirement",
        ["designation_id", "kind"],
        unique=True,
        schema="animal_control",
        postgresql_where=sa.text("registration_id IS NULL"),
    )
    op.create_index(
        "uq_dangerous_requirement_registration_id_kind",
        "dangerous_requirement",
        ["registration_id", "kind"],
        unique=True,
        schema="animal_control",
        postgresql_where=sa.text("registration_id IS NOT NULL"),
    )
    op.create_table(
        "requirement_evidence",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("requirement_id", sa.Uuid(), nullable=False, comment="The row."),
        sa.Column("number", sa.Integer(), nullable=False, comment="Counts the evidence of its row, from 1."),
        sa.Column(
            "source",
            sa.Enum(
                "owner",
                "insurer",
                "landlord",
                "officer",
                "year_before",
                name="evidencesource",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="Who sent it.",
        ),
        sa.Column("sent_by", sa.Text(), nullable=False, comment="Who, as events name them."),
        sa.Column("document_id", sa.Uuid(), nullable=True, comment="The very file."),
        sa.Column(
            "measures",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default="{}",
            nullable=False,
            comment="What was measured or stated, by name, as portal.ordinance reads it.",
        ),
        sa.Column(
            "findings",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default="[]",
            nullable=False,
            comment="What lies below a figure or is missing: rule, sentence, field.",
        ),
        sa.Column(
            "is_unmet",
            sa.Boolean(),
            server_default="false",
            nullable=False,
            comment="Something lies below its figure; stored all the same, for an officer to see.",
        ),
        sa.Column("first_day", sa.Date(), nullable=True, comment="From when it holds, such as a policy's first day."),
        sa.Column("last_day", sa.Date(), nullable=True, comment="To when it holds, such as a policy's last day."),
        sa.Column(
            "is_late",
            sa.Boolean(),
            server_default="false",
            nullable=False,
            comment="Sent after the legal last day; accepted all the same.",
        ),
        sa.Column("carried_from_id", sa.Uuid(), nullable=True, comment="The evidence of the year before."),
        sa.Column(
            "attested_name", sa.Text(), nullable=True, comment="Name typed under the statement, if one was asked for."
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint("number > 0", name=op.f("ck_requirement_evidence_counts_from_one")),
        sa.ForeignKeyConstraint(
            ["carried_from_id"],
            ["animal_control.requirement_evidence.id"],
            name=op.f("fk_requirement_evidence_carried_from_id"),
        ),
        sa.ForeignKeyConstraint(
            ["document_id"], ["animal_control.document.id"], name=op.f("fk_requirement_evidence_document_id")
        ),
        sa.ForeignKeyConstraint(
            ["requirement_id"],
            ["animal_control.dangerous_requirement.id"],
            name=op.f("fk_requirement_evidence_requirement_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requirement_evidence")),
        sa.UniqueConstraint("requirement_id", "number", name=op.f("uq_requirement_evidence_requirement_id_number")),
        schema="animal_control",
        comment="Evidence for a requirement, append-only (90.13(H)).",
    )
    op.create_index(
        op.f("ix_requirement_evidence_carried_from_id"),
        "requirement_evidence",
        ["carried_from_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        op.f("ix_requirement_evidence_document_id"),
        "requirement_evidence",
        ["document_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        "ix_requirement_evidence_last_day",
        "requirement_evidence",
        ["last_day"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("last_day IS NOT NULL"),
    )
    op.create_table(
        "requirement_decision",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("requirement_id", sa.Uuid(), nullable=False, comment="The row."),
        sa.Column(
            "evidence_number",
            sa.Integer(),
            nullable=True,
            comment="The very evidence that was looked at; empty where an officer saw the thing itself.",
        ),
        sa.Column(
            "outcome",
            sa.Enum(
                "accepted",
                "sent_back",
                "waived",
                "not_applicable",
                "reopened",
                name="decision",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="What was decided.",
        ),
        sa.Column("reason", sa.Text(), nullable=True, comment="Why, as told to the owner."),
        sa.Column(
            "decided_by",
            sa.Text(),
            nullable=False,
            comment="Officer, or whoever else brought it about, as events name them.",
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "outcome NOT IN ('sent_back', 'reopened', 'waived') OR reason IS NOT NULL",
            name=op.f("ck_requirement_decision_says_why"),
        ),
        sa.ForeignKeyConstraint(
            ["requirement_id", "evidence_number"],
            ["animal_control.requirement_evidence.requirement_id", "animal_control.requirement_evidence.number"],
            name="fk_requirement_decision_evidence",
        ),
        sa.ForeignKeyConstraint(
            ["requirement_id"],
            ["animal_control.dangerous_requirement.id"],
            name=op.f("fk_requirement_decision_requirement_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requirement_decision")),
        schema="animal_control",
        comment="A decision about a requirement, append-only (90.13(H)).",
    )
    op.create_index(
        "ix_requirement_decision_requirement_id_created_at",
        "requirement_decision",
        ["requirement_id", "created_at"],
        unique=False,
        schema="animal_control",
    )
    op.create_table(
        "requirement_link",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("requirement_id", sa.Uuid(), nullable=False, comment="The row."),
        sa.Column(
            "link_for",
            sa.Enum("insurer", "landlord", name="linkfor", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="Insurer or landlord.",
        ),
        sa.Column("addressee", sa.Text(), nullable=False, comment="The insurer or landlord as the owner calls them."),
        sa.Column("email", sa.Text(), nullable=True, comment="Where the link was sent; empty when it was handed over."),
        sa.Column("token_hash", sa.Text(), nullable=False, comment="Hash of the link's token."),
        sa.Column("asked_by", sa.Uuid(), nullable=False, comment="The keeper who asked."),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False, comment="Takes an answer until then."),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True, comment="When the keeper took it back."),
        sa.Column(
            "answered_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When it was answered. An insurer's then stays open for the cancellation of that policy alone.",
        ),
        sa.Column("evidence_id", sa.Uuid(), nullable=True, comment="What it brought."),
        sa.Column(
            "canceled_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When the insurer said that the policy was canceled.",
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["asked_by"], ["animal_control.person.id"], name=op.f("fk_requirement_link_asked_by")),
        sa.ForeignKeyConstraint(
            ["evidence_id"], ["animal_control.requirement_evidence.id"], name=op.f("fk_requirement_link_evidence_id")
        ),
        sa.ForeignKeyConstraint(
            ["requirement_id"],
            ["animal_control.dangerous_requirement.id"],
            name=op.f("fk_requirement_link_requirement_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requirement_link")),
        sa.UniqueConstraint("evidence_id", name=op.f("uq_requirement_link_evidence_id")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_requirement_link_token_hash")),
        schema="animal_control",
        comment="A one-purpose link for an insurer or a landlord (90.13(H)(5), (13)).",
    )
    op.create_index(
        op.f("ix_requirement_link_asked_by"), "requirement_link", ["asked_by"], unique=False, schema="animal_control"
    )
    op.create_index(
        "ix_requirement_link_requirement_id_created_at",
        "requirement_link",
        ["requirement_id", "created_at"],
        unique=False,
        schema="animal_control",
    )
    op.add_column(
        "fee_order_line",
        sa.Column(
            "dangerous_registration_id", sa.Uuid(), nullable=True, comment="The year of a dangerous dog it pays for."
        ),
        schema="animal_control",
    )
    op.create_index(
        op.f("ix_fee_order_line_dangerous_registration_id"),
        "fee_order_line",
        ["dangerous_registration_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_foreign_key(
        op.f("fk_fee_order_line_dangerous_registration_id"),
        "fee_order_line",
        "dangerous_registration",
        ["dangerous_registration_id"],
        ["id"],
        source_schema="animal_control",
        referent_schema="animal_control",
    )
    op.execute(IS_ONLY_ADDED_TO)
    for table in ONLY_ADDED_TO:
        op.execute(ADDED_TO.format(table=table))
    for place, words in KINDS.items():
        _offer(*place, (*words, NEW_KINDS[place[2]]))


def downgrade() -> None:
    for place, words in KINDS.items():
        _offer(*place, words)
    op.drop_constraint(
        op.f("fk_fee_order_line_dangerous_registration_id"),
        "fee_order_line",
        schema="animal_control",
        type_="foreignkey",
    )
    op.drop_index(
        op.f("ix_fee_order_line_dangerous_registration_id"), table_name="fee_order_line", schema="animal_control"
    )
    op.drop_column("fee_order_line", "dangerous_registration_id", schema="animal_control")
    op.drop_table("requirement_link", schema="animal_control")
    op.drop_table("requirement_decision", schema="animal_control")
    op.drop_table("requirement_evidence", schema="animal_control")
    op.drop_table("dangerous_requirement", schema="animal_control")
    op.drop_table("seizure_security", schema="animal_control")
    op.drop_table("review_request", schema="animal_control")
    op.drop_table("hearing_request", schema="animal_control")
    op.drop_table("dangerous_registration", schema="animal_control")
    op.drop_table("dangerous_notice", schema="animal_control")
    op.drop_table("dangerous_designation", schema="animal_control")
    op.execute("DROP FUNCTION animal_control.is_only_added_to()")
    op.execute("DROP TYPE animal_control.key_range")


def _offer(schema: str, table: str, kind: str, words: tuple[str, ...]) -> None:
    """The column takes these words from now on."""
    op.drop_constraint(op.f(f"ck_{table}_{kind}"), table, schema=schema, type_="check")
    offered = ", ".join(f"'{word}'" for word in words)
    op.create_check_constraint(op.f(f"ck_{table}_{kind}"), table, f"kind IN ({offered})", schema=schema)
