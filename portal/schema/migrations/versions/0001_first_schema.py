"""The first schema: people, animals, licenses, orders, and the portal's own"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


EVENT_IS_APPEND_ONLY = """
CREATE FUNCTION animal_control.event_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'animal_control.event is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER event_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON animal_control.event
    FOR EACH STATEMENT EXECUTE FUNCTION animal_control.event_is_append_only();
"""

EVENT_IS_ANNOUNCED = """
CREATE FUNCTION animal_control.announce_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('animal_control_event', '');
    RETURN NULL;
END $$;
CREATE TRIGGER event_is_announced AFTER INSERT ON animal_control.event
    FOR EACH STATEMENT EXECUTE FUNCTION animal_control.announce_event();
"""


def upgrade() -> None:
    for schema in ("animal_control", "confidential"):
        op.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
    op.create_table(
        "document",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column(
            "kind",
            sa.Enum(
                "certificate", "animal_photo", name="documentkind", native_enum=False, create_constraint=True, length=40
            ),
            nullable=False,
            comment="What it is meant to be.",
        ),
        sa.Column(
            "original_key",
            sa.Text(),
            nullable=True,
            comment="Where a PDF lies as it came, for the desk; empty for a photo, which tells where it was taken.",
        ),
        sa.Column(
            "original_name", sa.Text(), nullable=False, comment="The sender's file name: display text, never a path."
        ),
        sa.Column("media_type", sa.Text(), nullable=False, comment="Type decided from the bytes."),
        sa.Column("size_bytes", sa.Integer(), nullable=False, comment="Size of the original in bytes."),
        sa.Column("sha256", sa.Text(), nullable=False, comment="Hash of the original, hexadecimal."),
        sa.Column(
            "thumbnail_key", sa.Text(), nullable=False, comment="Small JPEG of the first page in the file store."
        ),
        sa.Column("uploaded_at", sa.DateTime(timezone=True), nullable=False, comment="When it arrived."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document")),
        schema="animal_control",
        comment="A file that was sent. The original is for the desk alone.",
    )
    op.create_index(op.f("ix_document_sha256"), "document", ["sha256"], unique=False, schema="animal_control")
    op.create_table(
        "event",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False, comment="Cursor."),
        sa.Column("kind", sa.Text(), nullable=False, comment="What happened, like license.issued."),
        sa.Column("subject_table", sa.Text(), nullable=False, comment="Table of the row it happened to."),
        sa.Column("subject_id", sa.Uuid(), nullable=False, comment="Key of that row."),
        sa.Column("actor", sa.Text(), nullable=False, comment="Who: keeper, officer with e-mail, processor, system."),
        sa.Column(
            "detail",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default="{}",
            nullable=False,
            comment="More, never a secret.",
        ),
        sa.Column(
            "transaction_id",
            sa.BigInteger(),
            server_default=sa.text("(pg_current_xact_id()::text)::bigint"),
            nullable=False,
            comment="Writing transaction: read only below pg_snapshot_xmin to miss none.",
        ),
        sa.Column(
            "happened_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
        schema="animal_control",
        comment="Everything that happened, append-only. LISTEN animal_control_event.",
    )
    op.create_index("ix_event_subject", "event", ["subject_table", "subject_id"], unique=False, schema="animal_control")
    op.create_table(
        "license_counter",
        sa.Column("year", sa.Integer(), autoincrement=False, nullable=False, comment="License year."),
        sa.Column("last_number", sa.Integer(), nullable=False, comment="Last number given."),
        sa.PrimaryKeyConstraint("year", name=op.f("pk_license_counter")),
        schema="animal_control",
        comment="Last license number given, by license year.",
    )
    op.create_table(
        "premises",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column(
            "kind",
            sa.Enum(
                "street", "safe_at_home", name="premiseskind", native_enum=False, create_constraint=True, length=40
            ),
            nullable=False,
            comment="safe_at_home: the designated address under Minn. Stat. 5B.05; never located.",
        ),
        sa.Column("line1", sa.Text(), nullable=False, comment="Street or rural address as typed."),
        sa.Column("unit", sa.Text(), nullable=True, comment="Apartment, lot or unit as typed."),
        sa.Column("city", sa.Text(), nullable=False, comment="Post town as typed."),
        sa.Column("state", sa.Text(), nullable=False, comment="State as typed, usually MN."),
        sa.Column("postal_code", sa.Text(), nullable=False, comment="ZIP code as typed."),
        sa.Column(
            "match_key",
            sa.Text(),
            nullable=True,
            comment="Address and unit folded for comparing; empty for Safe at Home.",
        ),
        sa.Column(
            "kennel_review",
            sa.Boolean(),
            server_default="false",
            nullable=False,
            comment="Three or more dogs stated here: an officer looks (90.09). Never a refusal.",
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "kind <> 'safe_at_home' OR match_key IS NULL", name=op.f("ck_premises_safe_at_home_is_never_matched")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_premises")),
        sa.UniqueConstraint("match_key", name=op.f("uq_premises_match_key")),
        schema="animal_control",
        comment="A place where animals are kept: one dwelling unit (90.09).",
    )
    op.create_table(
        "kept_answers",
        sa.Column("token_hash", sa.Text(), nullable=False, comment="Hash of the browser's token."),
        sa.Column("path", sa.Text(), nullable=False, comment="The page they were typed on."),
        sa.Column(
            "fields", postgresql.JSONB(astext_type=sa.Text()), nullable=False, comment="What was typed, by field."
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False, comment="Removed after."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_kept_answers")),
        schema="portal",
        comment="Answers kept through a lost sign-in.",
    )
    op.create_index("ix_kept_answers_expires_at", "kept_answers", ["expires_at"], unique=False, schema="portal")
    op.create_table(
        "outgoing_message",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("recipient", sa.Text(), nullable=False, comment="Mailbox as typed."),
        sa.Column("template", sa.Text(), nullable=False, comment="Which message."),
        sa.Column(
            "context",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=False,
            comment="What it tells; emptied once a secret was sent.",
        ),
        sa.Column(
            "is_secret",
            sa.Boolean(),
            server_default="false",
            nullable=False,
            comment="Carries a code or a link that signs in.",
        ),
        sa.Column(
            "not_before",
            sa.DateTime(timezone=True),
            nullable=False,
            comment="Not sent earlier; moved on after a failure.",
        ),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False, comment="Times tried."),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True, comment="When the mail server took it."),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True, comment="When it was given up."),
        sa.Column("last_error", sa.Text(), nullable=True, comment="What the mail server said last."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outgoing_message")),
        schema="portal",
        comment="Messages to send, and those that were sent.",
    )
    op.create_index(
        "ix_outgoing_message_due",
        "outgoing_message",
        ["not_before"],
        unique=False,
        schema="portal",
        postgresql_where=sa.text("sent_at IS NULL AND failed_at IS NULL"),
    )
    op.create_table(
        "processor_event",
        sa.Column("id", sa.Text(), nullable=False, comment="The processor's id of the event."),
        sa.Column("kind", sa.Text(), nullable=False, comment="What it tells."),
        sa.Column("facts", postgresql.JSONB(astext_type=sa.Text()), nullable=False, comment="The event in our words."),
        sa.Column("outcome", sa.Text(), nullable=True, comment="What we did about it."),
        sa.Column(
            "handled_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When it was acted on; empty while it waits.",
        ),
        sa.Column(
            "received_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_processor_event")),
        schema="portal",
        comment="Signed events of the payment processor.",
    )
    op.create_index(
        "ix_processor_event_waiting",
        "processor_event",
        ["received_at"],
        unique=False,
        schema="portal",
        postgresql_where=sa.text("handled_at IS NULL"),
    )
    op.create_table(
        "rate_limit",
        sa.Column("key", sa.Text(), nullable=False, comment="What is limited; addresses and mailboxes are hashed."),
        sa.Column("count", sa.BigInteger(), nullable=False, comment="Attempts in the window."),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False, comment="End of the window."),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_rate_limit")),
        schema="portal",
        comment="Counts of attempts, by key.",
        prefixes=["UNLOGGED"],
    )
    op.create_index("ix_rate_limit_expires_at", "rate_limit", ["expires_at"], unique=False, schema="portal")
    op.create_table(
        "sign_in_request",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("email", sa.Text(), nullable=False, comment="Address as typed."),
        sa.Column("email_key", sa.Text(), nullable=False, comment="Address trimmed and in lower case."),
        sa.Column(
            "browser_hash",
            sa.Text(),
            nullable=False,
            comment="Hash of the browser's secret; the code works only there.",
        ),
        sa.Column("code_hash", sa.Text(), nullable=False, comment="Keyed hash of the six digits."),
        sa.Column("link_hash", sa.Text(), nullable=False, comment="Hash of the link's token."),
        sa.Column("next_path", sa.Text(), nullable=False, comment="Where to go once signed in; a path of ours."),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False, comment="Wrong codes typed."),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False, comment="Good until."),
        sa.Column("spent_at", sa.DateTime(timezone=True), nullable=True, comment="When it was used."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint("attempts >= 0", name=op.f("ck_sign_in_request_attempts_not_negative")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_request")),
        sa.UniqueConstraint("link_hash", name=op.f("uq_sign_in_request_link_hash")),
        schema="portal",
        comment="A sign-in code and link that were sent.",
    )
    op.create_index(
        op.f("ix_sign_in_request_email_key"), "sign_in_request", ["email_key"], unique=False, schema="portal"
    )
    op.create_index("ix_sign_in_request_expires_at", "sign_in_request", ["expires_at"], unique=False, schema="portal")
    op.create_table(
        "animal",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column(
            "species",
            sa.Enum("dog", "cat", name="species", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="Dog or cat; only dogs are licensed (90.04(B)).",
        ),
        sa.Column("name", sa.Text(), nullable=False, comment="The name its people use, as typed."),
        sa.Column(
            "breed", sa.Text(), nullable=False, comment="Breed as stated (90.04(B)(2)); never used for risk or fees."
        ),
        sa.Column("color", sa.Text(), nullable=False, comment="Color as stated (90.04(B)(2))."),
        sa.Column(
            "sex",
            sa.Enum("female", "male", name="sex", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="Sex as stated (90.04(B)(2)).",
        ),
        sa.Column("is_altered", sa.Boolean(), nullable=True, comment="Spayed or neutered; empty when not known."),
        sa.Column("born_on", sa.Date(), nullable=True, comment="Birth date when known."),
        sa.Column(
            "estimated_age_months",
            sa.Integer(),
            nullable=True,
            comment="Age in months as estimated, when the birth date is not known.",
        ),
        sa.Column("age_estimated_on", sa.Date(), nullable=True, comment="The day the age was estimated."),
        sa.Column(
            "microchip", sa.Text(), nullable=True, comment="Microchip number as typed, blanks and dashes removed."
        ),
        sa.Column(
            "came_from", sa.Text(), nullable=True, comment="State or country the animal was brought from, if stated."
        ),
        sa.Column(
            "declared_dangerous_elsewhere",
            sa.Boolean(),
            server_default="false",
            nullable=False,
            comment="The keeper says another place declared it dangerous (90.13(H)(11)).",
        ),
        sa.Column("photo_id", sa.Uuid(), nullable=True, comment="Its picture."),
        sa.Column("premises_id", sa.Uuid(), nullable=False, comment="Where it is kept."),
        sa.Column(
            "state",
            sa.Enum(
                "kept",
                "died",
                "left_city",
                "given_away",
                name="animalstate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            server_default="kept",
            nullable=False,
            comment="Kept here, or what became of it.",
        ),
        sa.Column("state_since", sa.DateTime(timezone=True), nullable=True, comment="When the state last changed."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "(estimated_age_months IS NULL) = (age_estimated_on IS NULL)",
            name=op.f("ck_animal_an_estimate_has_its_date"),
        ),
        sa.CheckConstraint("estimated_age_months >= 0", name=op.f("ck_animal_age_not_negative")),
        sa.ForeignKeyConstraint(["photo_id"], ["animal_control.document.id"], name=op.f("fk_animal_photo_id")),
        sa.ForeignKeyConstraint(["premises_id"], ["animal_control.premises.id"], name=op.f("fk_animal_premises_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_animal")),
        schema="animal_control",
        comment="A dog or cat kept in the city (90.04).",
    )
    op.create_index(
        "ix_animal_microchip",
        "animal",
        ["microchip"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("microchip IS NOT NULL"),
    )
    op.create_index(op.f("ix_animal_photo_id"), "animal", ["photo_id"], unique=False, schema="animal_control")
    op.create_index(op.f("ix_animal_premises_id"), "animal", ["premises_id"], unique=False, schema="animal_control")
    op.create_table(
        "document_page",
        sa.Column("document_id", sa.Uuid(), nullable=False, comment="The document."),
        sa.Column("number", sa.Integer(), nullable=False, comment="Page, from 1."),
        sa.Column("key", sa.Text(), nullable=False, comment="Where the JPEG lies in the file store."),
        sa.Column("width", sa.Integer(), nullable=False, comment="Width in pixels."),
        sa.Column("height", sa.Integer(), nullable=False, comment="Height in pixels."),
        sa.ForeignKeyConstraint(
            ["document_id"], ["animal_control.document.id"], name=op.f("fk_document_page_document_id")
        ),
        sa.PrimaryKeyConstraint("document_id", "number", name=op.f("pk_document_page")),
        schema="animal_control",
        comment="A page of a document as a clean JPEG.",
    )
    op.create_table(
        "person",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column(
            "kind",
            sa.Enum("person", "organization", name="personkind", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="A person, or an organization such as a rescue.",
        ),
        sa.Column("name", sa.Text(), nullable=False, comment="Name as typed; may be one word."),
        sa.Column("email", sa.Text(), nullable=True, comment="Where license mail goes, as typed."),
        sa.Column("phone", sa.Text(), nullable=True, comment="Phone as typed."),
        sa.Column("phone_e164", sa.Text(), nullable=True, comment="The same phone normalized, +13205550100."),
        sa.Column("phone_extension", sa.Text(), nullable=True, comment="Extension of the phone, digits."),
        sa.Column(
            "guardian_name", sa.Text(), nullable=True, comment="Parent or guardian of a keeper under 18 (90.04(A))."
        ),
        sa.Column(
            "guardian_contact", sa.Text(), nullable=True, comment="How to reach the parent or guardian, as typed."
        ),
        sa.Column("home_premises_id", sa.Uuid(), nullable=True, comment="Where the person lives and keeps animals."),
        sa.Column(
            "mailing_address",
            sa.Text(),
            nullable=True,
            comment="Where mail goes when it is not the home: lines as typed, may be a PO box.",
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(
            ["home_premises_id"], ["animal_control.premises.id"], name=op.f("fk_person_home_premises_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        schema="animal_control",
        comment="A person or organization that owns or keeps animals (90.03 OWNER).",
    )
    op.create_index(
        op.f("ix_person_home_premises_id"), "person", ["home_premises_id"], unique=False, schema="animal_control"
    )
    op.create_index("ix_person_name", "person", ["name"], unique=False, schema="animal_control")
    op.create_index("ix_person_phone_e164", "person", ["phone_e164"], unique=False, schema="animal_control")
    op.create_table(
        "fee_order",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("reference", sa.Text(), nullable=False, comment="Short reference to quote; gives no access."),
        sa.Column("person_id", sa.Uuid(), nullable=False, comment="Who owes it."),
        sa.Column("total_cents", sa.Integer(), nullable=False, comment="Sum of the lines, in cents."),
        sa.Column(
            "state",
            sa.Enum(
                "open",
                "paid",
                "refunded",
                "canceled",
                name="orderstate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            server_default="open",
            nullable=False,
            comment="Open until paid.",
        ),
        sa.Column(
            "counter_chosen_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When the person said they will pay at the counter; empty otherwise.",
        ),
        sa.Column("paid_at", sa.DateTime(timezone=True), nullable=True, comment="When it was paid in full."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "state NOT IN ('paid', 'refunded') OR paid_at IS NOT NULL", name=op.f("ck_fee_order_paid_has_its_time")
        ),
        sa.CheckConstraint("total_cents >= 0", name=op.f("ck_fee_order_total_not_negative")),
        sa.ForeignKeyConstraint(["person_id"], ["animal_control.person.id"], name=op.f("fk_fee_order_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fee_order")),
        sa.UniqueConstraint("reference", name=op.f("uq_fee_order_reference")),
        schema="animal_control",
        comment="What a person owes the city for one submission (90.18).",
    )
    op.create_index(op.f("ix_fee_order_person_id"), "fee_order", ["person_id"], unique=False, schema="animal_control")
    op.create_table(
        "household_statement",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("person_id", sa.Uuid(), nullable=False, comment="Who stated it."),
        sa.Column("premises_id", sa.Uuid(), nullable=False, comment="Where."),
        sa.Column(
            "other_dogs",
            sa.Integer(),
            nullable=False,
            comment="How many other dogs, whoever owns them, without a fresh litter.",
        ),
        sa.Column("description", sa.Text(), nullable=True, comment="Name, breed, color and sex of each, as typed."),
        sa.Column(
            "litter_born_on", sa.Date(), nullable=True, comment="Birth date of a fresh litter kept there (90.09(A))."
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint("other_dogs >= 0", name=op.f("ck_household_statement_other_dogs_not_negative")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["animal_control.person.id"], name=op.f("fk_household_statement_person_id")
        ),
        sa.ForeignKeyConstraint(
            ["premises_id"], ["animal_control.premises.id"], name=op.f("fk_household_statement_premises_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_household_statement")),
        schema="animal_control",
        comment="Other dogs a keeper stated are kept there (90.04(B)(2), 90.09).",
    )
    op.create_index(
        op.f("ix_household_statement_person_id"),
        "household_statement",
        ["person_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        op.f("ix_household_statement_premises_id"),
        "household_statement",
        ["premises_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_table(
        "keeper",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("animal_id", sa.Uuid(), nullable=False, comment="The animal."),
        sa.Column("person_id", sa.Uuid(), nullable=False, comment="The person or organization."),
        sa.Column(
            "role",
            sa.Enum(
                "owner", "co_owner", "keeper", name="keeperrole", native_enum=False, create_constraint=True, length=40
            ),
            nullable=False,
            comment="In what sense they are its owner.",
        ),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False, comment="From when."),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True, comment="To when; empty while it lasts."),
        sa.ForeignKeyConstraint(["animal_id"], ["animal_control.animal.id"], name=op.f("fk_keeper_animal_id")),
        sa.ForeignKeyConstraint(["person_id"], ["animal_control.person.id"], name=op.f("fk_keeper_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_keeper")),
        schema="animal_control",
        comment="Who owns or keeps an animal, and since when (90.03 OWNER).",
    )
    op.create_index(
        "ix_keeper_person_id_current",
        "keeper",
        ["person_id"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("until IS NULL"),
    )
    op.create_index(
        "uq_keeper_current",
        "keeper",
        ["animal_id", "person_id"],
        unique=True,
        schema="animal_control",
        postgresql_where=sa.text("until IS NULL"),
    )
    op.create_table(
        "vaccination",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("animal_id", sa.Uuid(), nullable=False, comment="The animal vaccinated."),
        sa.Column("document_id", sa.Uuid(), nullable=True, comment="The certificate as sent."),
        sa.Column(
            "source",
            sa.Enum(
                "owner",
                "clinic",
                "officer",
                name="certificatesource",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="Who filed it.",
        ),
        sa.Column(
            "evidence",
            sa.Enum(
                "certificate",
                "owner_given",
                "medical_letter",
                name="evidence",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="What kind of paper it is; only a veterinarian's dose counts (90.04(B)(3)).",
        ),
        sa.Column(
            "given_on", sa.Date(), nullable=True, comment="Day of the vaccination; empty when the paper has none."
        ),
        sa.Column("certificate_due_on", sa.Date(), nullable=True, comment="Next due date printed on the certificate."),
        sa.Column("ordinance_until", sa.Date(), nullable=True, comment="Three years after it was given (90.04(D)(1))."),
        sa.Column(
            "science_due_on", sa.Date(), nullable=True, comment="When the published schedule wants the next dose."
        ),
        sa.Column(
            "dose",
            sa.Enum("first", "booster", "unknown", name="dose", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="Whether it was the animal's first rabies vaccination.",
        ),
        sa.Column("product", sa.Text(), nullable=True, comment="Vaccine product or type as printed."),
        sa.Column("manufacturer", sa.Text(), nullable=True, comment="Maker of the vaccine as printed."),
        sa.Column(
            "vaccine_type",
            sa.Enum(
                "inactivated",
                "modified_live",
                "other",
                "unknown",
                name="vaccinetype",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="Type of vaccine; every licensed type is accepted (90.04(D)(1)).",
        ),
        sa.Column("vaccine_expires_on", sa.Date(), nullable=True, comment="Date on the vial; decides nothing."),
        sa.Column("lot", sa.Text(), nullable=True, comment="Serial or lot number as printed."),
        sa.Column("duration_years", sa.Integer(), nullable=True, comment="Duration on the label, in years."),
        sa.Column("rabies_tag", sa.Text(), nullable=True, comment="Number of the rabies tag the clinic gave."),
        sa.Column("veterinarian", sa.Text(), nullable=True, comment="Veterinarian as printed or signed."),
        sa.Column("clinic_name", sa.Text(), nullable=True, comment="Clinic as printed."),
        sa.Column("weight", sa.Text(), nullable=True, comment="Weight or size band as printed."),
        sa.Column(
            "findings",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default="[]",
            nullable=False,
            comment="What the rules noticed: rule, sentence, field. For the officer.",
        ),
        sa.Column("needs_review", sa.Boolean(), nullable=False, comment="A person has to look before it counts."),
        sa.Column(
            "state",
            sa.Enum(
                "submitted",
                "accepted",
                "sent_back",
                "replaced",
                name="certificatestate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            server_default="submitted",
            nullable=False,
            comment="Where it stands.",
        ),
        sa.Column(
            "decided_at", sa.DateTime(timezone=True), nullable=True, comment="When it was accepted or sent back."
        ),
        sa.Column("decided_by", sa.Text(), nullable=True, comment="Who decided: staff e-mail or a clinic."),
        sa.Column("decision_reason", sa.Text(), nullable=True, comment="Why it was sent back, as told to the keeper."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "(decided_at IS NULL) = (state = 'submitted')", name=op.f("ck_vaccination_a_decision_has_its_time")
        ),
        sa.CheckConstraint(
            "state <> 'sent_back' OR decision_reason IS NOT NULL", name=op.f("ck_vaccination_sent_back_says_why")
        ),
        sa.ForeignKeyConstraint(["animal_id"], ["animal_control.animal.id"], name=op.f("fk_vaccination_animal_id")),
        sa.ForeignKeyConstraint(
            ["document_id"], ["animal_control.document.id"], name=op.f("fk_vaccination_document_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vaccination")),
        schema="animal_control",
        comment="A rabies vaccination and its certificate (90.04(D)).",
    )
    op.create_index(
        "ix_vaccination_animal_id_created_at",
        "vaccination",
        ["animal_id", "created_at"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        op.f("ix_vaccination_document_id"), "vaccination", ["document_id"], unique=False, schema="animal_control"
    )
    op.create_index(
        "ix_vaccination_waiting",
        "vaccination",
        ["created_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state = 'submitted'"),
    )
    op.create_table(
        "account",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("email", sa.Text(), nullable=False, comment="Address as typed; mail is sent to it."),
        sa.Column(
            "email_key", sa.Text(), nullable=False, comment="Address trimmed and in lower case: one account each."
        ),
        sa.Column("person_id", sa.Uuid(), nullable=True, comment="The keeper it acts for, once known."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["person_id"], ["animal_control.person.id"], name=op.f("fk_account_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("email_key", name=op.f("uq_account_email_key")),
        sa.UniqueConstraint("person_id", name=op.f("uq_account_person_id")),
        schema="portal",
        comment="A proved mailbox.",
    )
    op.create_table(
        "license",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("animal_id", sa.Uuid(), nullable=False, comment="The dog."),
        sa.Column("year", sa.Integer(), nullable=False, comment="License year, stamped on the tag (90.04(B)(5))."),
        sa.Column("valid_from", sa.Date(), nullable=False, comment="First day."),
        sa.Column("valid_until", sa.Date(), nullable=False, comment="Last day."),
        sa.Column(
            "basis",
            sa.Enum(
                "fee",
                "assistance_dog",
                "other_service_dog",
                "police_dog",
                name="licensebasis",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="By fee, or under the waiver of 90.04(C).",
        ),
        sa.Column(
            "waiver_state",
            sa.Enum(
                "claimed",
                "confirmed",
                "declined",
                name="waiverstate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=True,
            comment="Where a claimed waiver stands; empty when a fee is due.",
        ),
        sa.Column(
            "number",
            sa.Integer(),
            nullable=True,
            comment="Number within the year, also on the tag; empty until issued.",
        ),
        sa.Column(
            "state",
            sa.Enum(
                "applied",
                "issued",
                "withdrawn",
                "revoked",
                name="licensestate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            server_default="applied",
            nullable=False,
            comment="Where it stands.",
        ),
        sa.Column(
            "vaccination_id",
            sa.Uuid(),
            nullable=True,
            comment="The accepted vaccination it was issued on (90.04(B)(3)).",
        ),
        sa.Column(
            "delivery",
            sa.Enum("mail", "pick_up", name="delivery", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="How the tag reaches the keeper.",
        ),
        sa.Column("proof_code", sa.Text(), nullable=False, comment="Code on the printable proof; shows no person."),
        sa.Column("issued_at", sa.DateTime(timezone=True), nullable=True, comment="When it was issued."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint("(basis = 'fee') = (waiver_state IS NULL)", name=op.f("ck_license_a_waiver_has_a_state")),
        sa.CheckConstraint(
            "state NOT IN ('issued', 'revoked') OR number IS NOT NULL", name=op.f("ck_license_issued_has_a_number")
        ),
        sa.CheckConstraint("valid_until >= valid_from", name=op.f("ck_license_ends_after_it_begins")),
        sa.ForeignKeyConstraint(["animal_id"], ["animal_control.animal.id"], name=op.f("fk_license_animal_id")),
        sa.ForeignKeyConstraint(
            ["vaccination_id"], ["animal_control.vaccination.id"], name=op.f("fk_license_vaccination_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_license")),
        sa.UniqueConstraint("proof_code", name=op.f("uq_license_proof_code")),
        sa.UniqueConstraint("year", "number", name=op.f("uq_license_year_number")),
        schema="animal_control",
        comment="A dog's license for one license year (90.04(B)).",
    )
    op.create_index(
        op.f("ix_license_vaccination_id"), "license", ["vaccination_id"], unique=False, schema="animal_control"
    )
    op.create_index(
        "ix_license_applied",
        "license",
        ["created_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state = 'applied'"),
    )
    op.create_index(
        "uq_license_animal_id_year",
        "license",
        ["animal_id", "year"],
        unique=True,
        schema="animal_control",
        postgresql_where=sa.text("state IN ('applied', 'issued')"),
    )
    op.create_table(
        "payment",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("order_id", sa.Uuid(), nullable=False, comment="The order."),
        sa.Column(
            "method",
            sa.Enum(
                "card",
                "counter",
                "nothing_due",
                name="paymentmethod",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="Card, counter, or nothing due.",
        ),
        sa.Column(
            "state",
            sa.Enum(
                "pending",
                "processing",
                "paid",
                "failed",
                "expired",
                "duplicate",
                "mismatch",
                "partly_refunded",
                "refunded",
                "disputed",
                name="paymentstate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="What became of it.",
        ),
        sa.Column("amount_cents", sa.Integer(), nullable=False, comment="Amount asked, in cents."),
        sa.Column(
            "refunded_cents", sa.Integer(), server_default="0", nullable=False, comment="Refunded so far, in cents."
        ),
        sa.Column("checkout_reference", sa.Text(), nullable=True, comment="The processor's checkout session."),
        sa.Column("checkout_url", sa.Text(), nullable=True, comment="The processor's page, while it is open."),
        sa.Column(
            "checkout_expires_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When the processor closes that page.",
        ),
        sa.Column("charge_reference", sa.Text(), nullable=True, comment="The processor's payment, once paid."),
        sa.Column("receipt_number", sa.Text(), nullable=True, comment="Number on the receipt, once paid."),
        sa.Column("taken_by", sa.Text(), nullable=True, comment="Staff who took it at the counter."),
        sa.Column("note", sa.Text(), nullable=True, comment="What staff should know, such as a dispute's state."),
        sa.Column("paid_at", sa.DateTime(timezone=True), nullable=True, comment="When the money was confirmed."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint("amount_cents >= 0 AND refunded_cents >= 0", name=op.f("ck_payment_amounts_not_negative")),
        sa.CheckConstraint("refunded_cents <= amount_cents", name=op.f("ck_payment_never_refunds_more_than_paid")),
        sa.ForeignKeyConstraint(["order_id"], ["animal_control.fee_order.id"], name=op.f("fk_payment_order_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment")),
        sa.UniqueConstraint("charge_reference", name=op.f("uq_payment_charge_reference")),
        sa.UniqueConstraint("checkout_reference", name=op.f("uq_payment_checkout_reference")),
        sa.UniqueConstraint("receipt_number", name=op.f("uq_payment_receipt_number")),
        schema="animal_control",
        comment="One attempt to pay an order, and what became of it.",
    )
    op.create_index("ix_payment_order_id", "payment", ["order_id"], unique=False, schema="animal_control")
    op.create_index(
        "ix_payment_unsettled",
        "payment",
        ["created_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state IN ('pending', 'processing', 'duplicate')"),
    )
    op.create_index(
        "uq_payment_order_id_attempt",
        "payment",
        ["order_id"],
        unique=True,
        schema="animal_control",
        postgresql_where=sa.text("state IN ('pending', 'processing')"),
    )
    op.create_table(
        "draft",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("account_id", sa.Uuid(), nullable=False, comment="Whose it is."),
        sa.Column(
            "answers",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default="{}",
            nullable=False,
            comment="Answers so far, by step.",
        ),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="Last saved.",
        ),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=True, comment="When it was sent."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["portal.account.id"], name=op.f("fk_draft_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draft")),
        schema="portal",
        comment="Answers of a registration that is not sent yet.",
    )
    op.create_index(
        "uq_draft_account_id_open",
        "draft",
        ["account_id"],
        unique=True,
        schema="portal",
        postgresql_where=sa.text("submitted_at IS NULL"),
    )
    op.create_table(
        "sign_in",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("account_id", sa.Uuid(), nullable=False, comment="The account."),
        sa.Column("token_hash", sa.Text(), nullable=False, comment="Hash of the browser's token."),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False, comment="Good until."),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True, comment="When it was signed out."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["portal.account.id"], name=op.f("fk_sign_in_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_sign_in_token_hash")),
        schema="portal",
        comment="A signed-in browser.",
    )
    op.create_index(op.f("ix_sign_in_account_id"), "sign_in", ["account_id"], unique=False, schema="portal")
    op.create_index("ix_sign_in_expires_at", "sign_in", ["expires_at"], unique=False, schema="portal")
    op.create_table(
        "submission",
        sa.Column("key", sa.Uuid(), nullable=False, comment="Key the form carried."),
        sa.Column("account_id", sa.Uuid(), nullable=False, comment="Who sent it."),
        sa.Column("result_id", sa.Uuid(), nullable=True, comment="The row it made."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["portal.account.id"], name=op.f("fk_submission_account_id")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_submission")),
        schema="portal",
        comment="Submissions already accepted, by their key.",
    )
    op.create_index(op.f("ix_submission_account_id"), "submission", ["account_id"], unique=False, schema="portal")
    op.create_table(
        "upload",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("account_id", sa.Uuid(), nullable=False, comment="Who sent it."),
        sa.Column(
            "kind",
            sa.Enum(
                "certificate", "animal_photo", name="documentkind", native_enum=False, create_constraint=True, length=40
            ),
            nullable=False,
            comment="What it is meant to be.",
        ),
        sa.Column(
            "original_key",
            sa.Text(),
            nullable=True,
            comment="Where a PDF lies as it came, for the desk; empty for a photo, which tells where it was taken.",
        ),
        sa.Column("original_name", sa.Text(), nullable=False, comment="The sender's file name: display text only."),
        sa.Column("media_type", sa.Text(), nullable=False, comment="Type decided from the bytes."),
        sa.Column("size_bytes", sa.Integer(), nullable=False, comment="Size of the original in bytes."),
        sa.Column("sha256", sa.Text(), nullable=False, comment="Hash of the original, hexadecimal."),
        sa.Column("thumbnail_key", sa.Text(), nullable=False, comment="Small JPEG of the first page."),
        sa.Column(
            "pages", postgresql.JSONB(astext_type=sa.Text()), nullable=False, comment="Pages: key, width, height."
        ),
        sa.Column("document_id", sa.Uuid(), nullable=True, comment="The document it became."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["portal.account.id"], name=op.f("fk_upload_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_upload")),
        schema="portal",
        comment="A file received for a draft.",
    )
    op.create_index("ix_upload_account_id", "upload", ["account_id"], unique=False, schema="portal")
    op.create_table(
        "fee_order_line",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("order_id", sa.Uuid(), nullable=False, comment="The order."),
        sa.Column(
            "kind",
            sa.Enum("license", name="linekind", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="What the fee is for.",
        ),
        sa.Column("license_id", sa.Uuid(), nullable=True, comment="The license it pays for."),
        sa.Column("description", sa.Text(), nullable=False, comment="What the receipt says."),
        sa.Column("amount_cents", sa.Integer(), nullable=False, comment="Fee in cents."),
        sa.Column("resolution", sa.Text(), nullable=False, comment="Council resolution that set the fee (90.18)."),
        sa.Column("ledger_code", sa.Text(), nullable=False, comment="Account the receipts go to (90.04(B)(7))."),
        sa.CheckConstraint("amount_cents >= 0", name=op.f("ck_fee_order_line_amount_not_negative")),
        sa.ForeignKeyConstraint(
            ["license_id"], ["animal_control.license.id"], name=op.f("fk_fee_order_line_license_id")
        ),
        sa.ForeignKeyConstraint(["order_id"], ["animal_control.fee_order.id"], name=op.f("fk_fee_order_line_order_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fee_order_line")),
        schema="animal_control",
        comment="One fee of an order, as quoted.",
    )
    op.create_index(
        op.f("ix_fee_order_line_license_id"), "fee_order_line", ["license_id"], unique=False, schema="animal_control"
    )
    op.create_index(
        op.f("ix_fee_order_line_order_id"), "fee_order_line", ["order_id"], unique=False, schema="animal_control"
    )
    op.create_table(
        "tag",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("license_id", sa.Uuid(), nullable=False, comment="The license it shows."),
        sa.Column("year", sa.Integer(), nullable=False, comment="Year stamped on it."),
        sa.Column("number", sa.Integer(), nullable=False, comment="License number stamped on it."),
        sa.Column(
            "issue",
            sa.Integer(),
            server_default="1",
            nullable=False,
            comment="1 for the first tag, 2 for its duplicate, and so on.",
        ),
        sa.Column(
            "state",
            sa.Enum(
                "to_send",
                "sent",
                "lost",
                "destroyed",
                name="tagstate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            server_default="to_send",
            nullable=False,
            comment="Where it is.",
        ),
        sa.Column(
            "delivery",
            sa.Enum("mail", "pick_up", name="delivery", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="Mailed, or picked up at the counter.",
        ),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True, comment="When it was mailed or handed over."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["license_id"], ["animal_control.license.id"], name=op.f("fk_tag_license_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tag")),
        sa.UniqueConstraint("year", "number", "issue", name=op.f("uq_tag_year_number_issue")),
        schema="animal_control",
        comment="A metal tag stamped with year and license number (90.04(B)(5)).",
    )
    op.create_index(
        "ix_tag_to_send",
        "tag",
        ["created_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state = 'to_send'"),
    )
    op.create_index(
        "uq_tag_license_id_live",
        "tag",
        ["license_id"],
        unique=True,
        schema="animal_control",
        postgresql_where=sa.text("state IN ('to_send', 'sent')"),
    )
    op.execute(EVENT_IS_APPEND_ONLY)
    op.execute(EVENT_IS_ANNOUNCED)


def downgrade() -> None:
    op.drop_index(
        "uq_tag_license_id_live",
        table_name="tag",
        schema="animal_control",
        postgresql_where=sa.text("state IN ('to_send', 'sent')"),
    )
    op.drop_index(
        "ix_tag_to_send", table_name="tag", schema="animal_control", postgresql_where=sa.text("state = 'to_send'")
    )
    op.drop_table("tag", schema="animal_control")
    op.drop_index(op.f("ix_fee_order_line_order_id"), table_name="fee_order_line", schema="animal_control")
    op.drop_index(op.f("ix_fee_order_line_license_id"), table_name="fee_order_line", schema="animal_control")
    op.drop_table("fee_order_line", schema="animal_control")
    op.drop_index("ix_upload_account_id", table_name="upload", schema="portal")
    op.drop_table("upload", schema="portal")
    op.drop_index(op.f("ix_submission_account_id"), table_name="submission", schema="portal")
    op.drop_table("submission", schema="portal")
    op.drop_index("ix_sign_in_expires_at", table_name="sign_in", schema="portal")
    op.drop_index(op.f("ix_sign_in_account_id"), table_name="sign_in", schema="portal")
    op.drop_table("sign_in", schema="portal")
    op.drop_index(
        "uq_draft_account_id_open",
        table_name="draft",
        schema="portal",
        postgresql_where=sa.text("submitted_at IS NULL"),
    )
    op.drop_table("draft", schema="portal")
    op.drop_index(
        "uq_payment_order_id_attempt",
        table_name="payment",
        schema="animal_control",
        postgresql_where=sa.text("state IN ('pending', 'processing')"),
    )
    op.drop_index(
        "ix_payment_unsettled",
        table_name="payment",
        schema="animal_control",
        postgresql_where=sa.text("state IN ('pending', 'processing', 'duplicate')"),
    )
    op.drop_index("ix_payment_order_id", table_name="payment", schema="animal_control")
    op.drop_table("payment", schema="animal_control")
    op.drop_index(
        "uq_license_animal_id_year",
        table_name="license",
        schema="animal_control",
        postgresql_where=sa.text("state IN ('applied', 'issued')"),
    )
    op.drop_index(op.f("ix_license_vaccination_id"), table_name="license", schema="animal_control")
    op.drop_table("license", schema="animal_control")
    op.drop_table("account", schema="portal")
    op.drop_index(
        "ix_vaccination_waiting",
        table_name="vaccination",
        schema="animal_control",
        postgresql_where=sa.text("state = 'submitted'"),
    )
    op.drop_index(op.f("ix_vaccination_document_id"), table_name="vaccination", schema="animal_control")
    op.drop_index("ix_vaccination_animal_id_created_at", table_name="vaccination", schema="animal_control")
    op.drop_table("vaccination", schema="animal_control")
    op.drop_index(
        "uq_keeper_current", table_name="keeper", schema="animal_control", postgresql_where=sa.text("until IS NULL")
    )
    op.drop_index(
        "ix_keeper_person_id_current",
        table_name="keeper",
        schema="animal_control",
        postgresql_where=sa.text("until IS NULL"),
    )
    op.drop_table("keeper", schema="animal_control")
    op.drop_index(op.f("ix_household_statement_premises_id"), table_name="household_statement", schema="animal_control")
    op.drop_index(op.f("ix_household_statement_person_id"), table_name="household_statement", schema="animal_control")
    op.drop_table("household_statement", schema="animal_control")
    op.drop_index(op.f("ix_fee_order_person_id"), table_name="fee_order", schema="animal_control")
    op.drop_table("fee_order", schema="animal_control")
    op.drop_index("ix_person_phone_e164", table_name="person", schema="animal_control")
    op.drop_index("ix_person_name", table_name="person", schema="animal_control")
    op.drop_index(op.f("ix_person_home_premises_id"), table_name="person", schema="animal_control")
    op.drop_table("person", schema="animal_control")
    op.drop_table("document_page", schema="animal_control")
    op.drop_index(op.f("ix_animal_premises_id"), table_name="animal", schema="animal_control")
    op.drop_index(op.f("ix_animal_photo_id"), table_name="animal", schema="animal_control")
    op.drop_index(
        "ix_animal_microchip",
        table_name="animal",
        schema="animal_control",
        postgresql_where=sa.text("microchip IS NOT NULL"),
    )
    op.drop_table("animal", schema="animal_control")
    op.drop_index("ix_sign_in_request_expires_at", table_name="sign_in_request", schema="portal")
    op.drop_index(op.f("ix_sign_in_request_email_key"), table_name="sign_in_request", schema="portal")
    op.drop_table("sign_in_request", schema="portal")
    op.drop_index("ix_rate_limit_expires_at", table_name="rate_limit", schema="portal")
    op.drop_table("rate_limit", schema="portal")
    op.drop_index(
        "ix_processor_event_waiting",
        table_name="processor_event",
        schema="portal",
        postgresql_where=sa.text("handled_at IS NULL"),
    )
    op.drop_table("processor_event", schema="portal")
    op.drop_index(
        "ix_outgoing_message_due",
        table_name="outgoing_message",
        schema="portal",
        postgresql_where=sa.text("sent_at IS NULL AND failed_at IS NULL"),
    )
    op.drop_table("outgoing_message", schema="portal")
    op.drop_index("ix_kept_answers_expires_at", table_name="kept_answers", schema="portal")
    op.drop_table("kept_answers", schema="portal")
    op.drop_table("premises", schema="animal_control")
    op.drop_table("license_counter", schema="animal_control")
    op.drop_index("ix_event_subject", table_name="event", schema="animal_control")
    op.drop_table("event", schema="animal_control")
    op.drop_index(op.f("ix_document_sha256"), table_name="document", schema="animal_control")
    op.drop_table("document", schema="animal_control")
    op.execute("DROP FUNCTION animal_control.event_is_append_only()")
    op.execute("DROP FUNCTION animal_control.announce_event()")
    for schema in ("animal_control", "confidential"):
        op.execute(f"DROP SCHEMA {schema}")
