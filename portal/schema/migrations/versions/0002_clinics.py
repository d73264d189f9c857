"""Clinics, what they file, and what is asked of them"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "clinic",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("name", sa.Text(), nullable=False, comment="Name as typed."),
        sa.Column("address", sa.Text(), nullable=False, comment="Address as typed."),
        sa.Column("phone", sa.Text(), nullable=False, comment="Phone as typed."),
        sa.Column(
            "email", sa.Text(), nullable=False, comment="The clinic's own mailbox, as typed; links for it go there."
        ),
        sa.Column("email_key", sa.Text(), nullable=False, comment="The same address trimmed and in lower case."),
        sa.Column(
            "state",
            sa.Enum(
                "asked",
                "approved",
                "refused",
                "suspended",
                name="clinicstate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            server_default="asked",
            nullable=False,
            comment="Where it stands.",
        ),
        sa.Column(
            "decided_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When it was approved, refused or suspended.",
        ),
        sa.Column("decided_by", sa.Text(), nullable=True, comment="Staff who decided."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint("(state = 'asked') = (decided_at IS NULL)", name=op.f("ck_clinic_a_decision_has_its_time")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clinic")),
        schema="animal_control",
        comment="A veterinary clinic that files certificates (90.04(D)(2)).",
    )
    op.create_index("ix_clinic_email_key", "clinic", ["email_key"], unique=False, schema="animal_control")
    op.create_index(
        "ix_clinic_waiting",
        "clinic",
        ["created_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state = 'asked'"),
    )
    op.create_table(
        "clinic_member",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("clinic_id", sa.Uuid(), nullable=False, comment="The clinic."),
        sa.Column("email", sa.Text(), nullable=False, comment="Mailbox as typed."),
        sa.Column("email_key", sa.Text(), nullable=False, comment="Mailbox trimmed and in lower case."),
        sa.Column("added_by", sa.Text(), nullable=False, comment="Who added it."),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True, comment="To when; empty while it lasts."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["clinic_id"], ["animal_control.clinic.id"], name=op.f("fk_clinic_member_clinic_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clinic_member")),
        schema="portal",
        comment="Mailboxes that may file for a clinic.",
    )
    op.create_index(
        "ix_clinic_member_email_key_current",
        "clinic_member",
        ["email_key"],
        unique=False,
        schema="portal",
        postgresql_where=sa.text("until IS NULL"),
    )
    op.create_index(
        "uq_clinic_member_current",
        "clinic_member",
        ["clinic_id", "email_key"],
        unique=True,
        schema="portal",
        postgresql_where=sa.text("until IS NULL"),
    )
    op.create_table(
        "clinic_token",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("clinic_id", sa.Uuid(), nullable=False, comment="The clinic."),
        sa.Column("name", sa.Text(), nullable=False, comment="What the clinic calls it."),
        sa.Column("token_hash", sa.Text(), nullable=False, comment="Hash of the token; it is shown once."),
        sa.Column("created_by", sa.Text(), nullable=False, comment="Member who made it."),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True, comment="Last use, to the hour."),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True, comment="When it was taken back."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["clinic_id"], ["animal_control.clinic.id"], name=op.f("fk_clinic_token_clinic_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clinic_token")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_clinic_token_token_hash")),
        schema="portal",
        comment="Keys of clinics' practice software.",
    )
    op.create_index(op.f("ix_clinic_token_clinic_id"), "clinic_token", ["clinic_id"], unique=False, schema="portal")
    op.create_table(
        "certificate_demand",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("animal_id", sa.Uuid(), nullable=False, comment="The animal."),
        sa.Column("officer", sa.Text(), nullable=False, comment="Who demanded it."),
        sa.Column("demanded_on", sa.Date(), nullable=False, comment="The day of the demand, not counted (645.15)."),
        sa.Column("raw_due_on", sa.Date(), nullable=False, comment="Seven days later."),
        sa.Column(
            "legal_last_day", sa.Date(), nullable=False, comment="The same, rolled over weekend and holiday (645.15)."
        ),
        sa.Column("show_by", sa.Date(), nullable=False, comment="The earliest safe day, which the keeper is told."),
        sa.Column(
            "presented_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When a certificate was shown or uploaded.",
        ),
        sa.Column(
            "is_late", sa.Boolean(), nullable=True, comment="Shown after the legal last day; accepted all the same."
        ),
        sa.Column("vaccination_id", sa.Uuid(), nullable=True, comment="The certificate that was shown."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(
            ["animal_id"], ["animal_control.animal.id"], name=op.f("fk_certificate_demand_animal_id")
        ),
        sa.ForeignKeyConstraint(
            ["vaccination_id"], ["animal_control.vaccination.id"], name=op.f("fk_certificate_demand_vaccination_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_certificate_demand")),
        schema="animal_control",
        comment="An officer's demand for a certificate (90.04(D)(2)).",
    )
    op.create_index(
        op.f("ix_certificate_demand_animal_id"),
        "certificate_demand",
        ["animal_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        "ix_certificate_demand_open",
        "certificate_demand",
        ["animal_id"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("presented_at IS NULL"),
    )
    op.create_index(
        op.f("ix_certificate_demand_vaccination_id"),
        "certificate_demand",
        ["vaccination_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_table(
        "clinic_filing",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("clinic_id", sa.Uuid(), nullable=False, comment="Who filed it."),
        sa.Column(
            "channel",
            sa.Enum(
                "page",
                "files",
                "table",
                "api",
                "link",
                name="filingchannel",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="How it came.",
        ),
        sa.Column(
            "filed_by", sa.Text(), nullable=False, comment="Mailbox of the member of staff, or name of the token."
        ),
        sa.Column(
            "idempotency_key",
            sa.Text(),
            nullable=True,
            comment="The sender's own key: the same again is the same filing.",
        ),
        sa.Column("owner_name", sa.Text(), nullable=False, comment="Owner's name as on the certificate."),
        sa.Column("owner_address", sa.Text(), nullable=False, comment="Owner's address as on the certificate."),
        sa.Column("owner_phone", sa.Text(), nullable=True, comment="Owner's telephone as on the certificate."),
        sa.Column("owner_key", sa.Text(), nullable=False, comment="Owner's surname folded for comparing."),
        sa.Column("address_key", sa.Text(), nullable=False, comment="Owner's address folded for comparing."),
        sa.Column("animal_name", sa.Text(), nullable=False, comment="Animal's name as on the certificate."),
        sa.Column(
            "species",
            sa.Enum("dog", "cat", name="species", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="Dog or cat.",
        ),
        sa.Column(
            "sex",
            sa.Enum("female", "male", name="sex", native_enum=False, create_constraint=True, length=40),
            nullable=True,
            comment="Sex as on the certificate.",
        ),
        sa.Column("description", sa.Text(), nullable=False, comment="Breed, color and marks as on the certificate."),
        sa.Column("weight", sa.Text(), nullable=True, comment="Weight or size band as on the certificate."),
        sa.Column("age", sa.Text(), nullable=True, comment="Age as on the certificate."),
        sa.Column("microchip", sa.Text(), nullable=True, comment="Microchip number, blanks and dashes removed."),
        sa.Column("rabies_tag", sa.Text(), nullable=True, comment="Number of the rabies tag the clinic gave."),
        sa.Column(
            "given_on", sa.Date(), nullable=True, comment="Day of the vaccination; empty while a file is unread."
        ),
        sa.Column("certificate_due_on", sa.Date(), nullable=True, comment="Next due date on the certificate."),
        sa.Column(
            "dose",
            sa.Enum("first", "booster", "unknown", name="dose", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="Whether it was the first rabies vaccination.",
        ),
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
            comment="Type of vaccine.",
        ),
        sa.Column("product", sa.Text(), nullable=True, comment="Vaccine product."),
        sa.Column("manufacturer", sa.Text(), nullable=True, comment="Maker of the vaccine."),
        sa.Column("lot", sa.Text(), nullable=True, comment="Serial or lot number."),
        sa.Column("vaccine_expires_on", sa.Date(), nullable=True, comment="Date on the vial; decides nothing."),
        sa.Column("duration_years", sa.Integer(), nullable=True, comment="Duration on the label, in years."),
        sa.Column("veterinarian", sa.Text(), nullable=False, comment="Veterinarian who gave or supervised it."),
        sa.Column("veterinarian_license", sa.Text(), nullable=True, comment="The veterinarian's license number."),
        sa.Column("attested_name", sa.Text(), nullable=True, comment="Name typed as signature (90.04(D)(2))."),
        sa.Column("attested_at", sa.DateTime(timezone=True), nullable=True, comment="When it was signed."),
        sa.Column("document_id", sa.Uuid(), nullable=True, comment="The certificate as a file."),
        sa.Column(
            "state",
            sa.Enum(
                "unread",
                "waiting",
                "unsure",
                "filed",
                "sent_back",
                "withdrawn",
                name="filingstate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="Where it stands; the clinic is told less.",
        ),
        sa.Column(
            "vaccination_id", sa.Uuid(), nullable=True, comment="The vaccination it became, once its animal was found."
        ),
        sa.Column("decision_reason", sa.Text(), nullable=True, comment="Why it was sent back, as told to the clinic."),
        sa.Column(
            "decided_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When its animal was found, or it was sent back.",
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "state <> 'filed' OR vaccination_id IS NOT NULL", name=op.f("ck_clinic_filing_filed_has_its_vaccination")
        ),
        sa.ForeignKeyConstraint(["clinic_id"], ["animal_control.clinic.id"], name=op.f("fk_clinic_filing_clinic_id")),
        sa.ForeignKeyConstraint(
            ["document_id"], ["animal_control.document.id"], name=op.f("fk_clinic_filing_document_id")
        ),
        sa.ForeignKeyConstraint(
            ["vaccination_id"], ["animal_control.vaccination.id"], name=op.f("fk_clinic_filing_vaccination_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clinic_filing")),
        sa.UniqueConstraint("clinic_id", "idempotency_key", name=op.f("uq_clinic_filing_clinic_id_idempotency_key")),
        sa.UniqueConstraint("vaccination_id", name=op.f("uq_clinic_filing_vaccination_id")),
        schema="animal_control",
        comment="A certificate as a clinic filed it (90.04(D)(2)).",
    )
    op.create_index(
        "ix_clinic_filing_clinic_id_created_at",
        "clinic_filing",
        ["clinic_id", "created_at"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        op.f("ix_clinic_filing_document_id"), "clinic_filing", ["document_id"], unique=False, schema="animal_control"
    )
    op.create_index(
        "ix_clinic_filing_microchip",
        "clinic_filing",
        ["microchip"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state IN ('waiting', 'unsure')"),
    )
    op.create_index(
        "ix_clinic_filing_owner_key",
        "clinic_filing",
        ["owner_key"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state IN ('waiting', 'unsure')"),
    )
    op.create_index(
        "ix_clinic_filing_rabies_tag",
        "clinic_filing",
        ["rabies_tag"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state IN ('waiting', 'unsure')"),
    )
    op.create_table(
        "vet_request",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("animal_id", sa.Uuid(), nullable=False, comment="The animal."),
        sa.Column("asked_by", sa.Uuid(), nullable=False, comment="The keeper who asked."),
        sa.Column(
            "clinic_id",
            sa.Uuid(),
            nullable=True,
            comment="The approved clinic whose mailbox it went to; empty for any other.",
        ),
        sa.Column("clinic_name", sa.Text(), nullable=False, comment="The clinic as the keeper calls it."),
        sa.Column(
            "clinic_email", sa.Text(), nullable=True, comment="Where the link was sent; empty when shown as a code."
        ),
        sa.Column("token_hash", sa.Text(), nullable=False, comment="Hash of the link's token."),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False, comment="Good until."),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True, comment="When the keeper took it back."),
        sa.Column(
            "answered_at", sa.DateTime(timezone=True), nullable=True, comment="When the clinic sent the certificate."
        ),
        sa.Column("vaccination_id", sa.Uuid(), nullable=True, comment="The vaccination it brought."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["animal_id"], ["animal_control.animal.id"], name=op.f("fk_vet_request_animal_id")),
        sa.ForeignKeyConstraint(["asked_by"], ["animal_control.person.id"], name=op.f("fk_vet_request_asked_by")),
        sa.ForeignKeyConstraint(["clinic_id"], ["animal_control.clinic.id"], name=op.f("fk_vet_request_clinic_id")),
        sa.ForeignKeyConstraint(
            ["vaccination_id"], ["animal_control.vaccination.id"], name=op.f("fk_vet_request_vaccination_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vet_request")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_vet_request_token_hash")),
        schema="animal_control",
        comment="A single-animal link a keeper sent to a clinic (90.04(B)(3)).",
    )
    op.create_index(
        "ix_vet_request_animal_id_created_at",
        "vet_request",
        ["animal_id", "created_at"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(op.f("ix_vet_request_asked_by"), "vet_request", ["asked_by"], unique=False, schema="animal_control")
    op.create_index(
        op.f("ix_vet_request_clinic_id"), "vet_request", ["clinic_id"], unique=False, schema="animal_control"
    )
    op.create_index(
        op.f("ix_vet_request_vaccination_id"), "vet_request", ["vaccination_id"], unique=False, schema="animal_control"
    )
    op.create_table(
        "filing_candidate",
        sa.Column("filing_id", sa.Uuid(), nullable=False, comment="The filing."),
        sa.Column("animal_id", sa.Uuid(), nullable=False, comment="The animal."),
        sa.Column("why", sa.Text(), nullable=False, comment="What agrees, in words."),
        sa.ForeignKeyConstraint(
            ["animal_id"], ["animal_control.animal.id"], name=op.f("fk_filing_candidate_animal_id")
        ),
        sa.ForeignKeyConstraint(
            ["filing_id"], ["animal_control.clinic_filing.id"], name=op.f("fk_filing_candidate_filing_id")
        ),
        sa.PrimaryKeyConstraint("filing_id", "animal_id", name=op.f("pk_filing_candidate")),
        schema="animal_control",
        comment="Animals an unsure filing may be about.",
    )
    op.create_index(
        op.f("ix_filing_candidate_animal_id"), "filing_candidate", ["animal_id"], unique=False, schema="animal_control"
    )
    op.create_table(
        "reading",
        sa.Column("upload_id", sa.Uuid(), nullable=False, comment="The upload."),
        sa.Column(
            "state",
            sa.Enum(
                "waiting", "done", "nothing", name="readingstate", native_enum=False, create_constraint=True, length=40
            ),
            server_default="waiting",
            nullable=False,
            comment="Where it stands.",
        ),
        sa.Column(
            "fields",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default="{}",
            nullable=False,
            comment="By field: value, and how sure (0 to 1).",
        ),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False, comment="Times tried."),
        sa.Column(
            "not_before",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="Not read earlier; a worker's lease.",
        ),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True, comment="When it was read."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["upload_id"], ["portal.upload.id"], name=op.f("fk_reading_upload_id")),
        sa.PrimaryKeyConstraint("upload_id", name=op.f("pk_reading")),
        schema="portal",
        comment="Suggestions read from an uploaded certificate.",
    )
    op.create_index(
        "ix_reading_waiting",
        "reading",
        ["created_at"],
        unique=False,
        schema="portal",
        postgresql_where=sa.text("state = 'waiting'"),
    )


def downgrade() -> None:

    op.drop_index(
        "ix_reading_waiting", table_name="reading", schema="portal", postgresql_where=sa.text("state = 'waiting'")
    )
    op.drop_table("reading", schema="portal")
    op.drop_index(op.f("ix_filing_candidate_animal_id"), table_name="filing_candidate", schema="animal_control")
    op.drop_table("filing_candidate", schema="animal_control")
    op.drop_index(op.f("ix_vet_request_vaccination_id"), table_name="vet_request", schema="animal_control")
    op.drop_index(op.f("ix_vet_request_clinic_id"), table_name="vet_request", schema="animal_control")
    op.drop_index(op.f("ix_vet_request_asked_by"), table_name="vet_request", schema="animal_control")
    op.drop_index("ix_vet_request_animal_id_created_at", table_name="vet_request", schema="animal_control")
    op.drop_table("vet_request", schema="animal_control")
    op.drop_index(
        "ix_clinic_filing_rabies_tag",
        table_name="clinic_filing",
        schema="animal_control",
        postgresql_where=sa.text("state IN ('waiting', 'unsure')"),
    )
    op.drop_index(
        "ix_clinic_filing_owner_key",
        table_name="clinic_filing",
        schema="animal_control",
        postgresql_where=sa.text("state IN ('waiting', 'unsure')"),
    )
    op.drop_index(
        "ix_clinic_filing_microchip",
        table_name="clinic_filing",
        schema="animal_control",
        postgresql_where=sa.text("state IN ('waiting', 'unsure')"),
    )
    op.drop_index(op.f("ix_clinic_filing_document_id"), table_name="clinic_filing", schema="animal_control")
    op.drop_index("ix_clinic_filing_clinic_id_created_at", table_name="clinic_filing", schema="animal_control")
    op.drop_table("clinic_filing", schema="animal_control")
    op.drop_index(
        op.f("ix_certificate_demand_vaccination_id"), table_name="certificate_demand", schema="animal_control"
    )
    op.drop_index(
        "ix_certificate_demand_open",
        table_name="certificate_demand",
        schema="animal_control",
        postgresql_where=sa.text("presented_at IS NULL"),
    )
    op.drop_index(op.f("ix_certificate_demand_animal_id"), table_name="certificate_demand", schema="animal_control")
    op.drop_table("certificate_demand", schema="animal_control")
    op.drop_index(op.f("ix_clinic_token_clinic_id"), table_name="clinic_token", schema="portal")
    op.drop_table("clinic_token", schema="portal")
    op.drop_index(
        "uq_clinic_member_current",
        table_name="clinic_member",
        schema="portal",
        postgresql_where=sa.text("until IS NULL"),
    )
    op.drop_index(
        "ix_clinic_member_email_key_current",
        table_name="clinic_member",
        schema="portal",
        postgresql_where=sa.text("until IS NULL"),
    )
    op.drop_table("clinic_member", schema="portal")
    op.drop_index(
        "ix_clinic_waiting", table_name="clinic", schema="animal_control", postgresql_where=sa.text("state = 'asked'")
    )
    op.drop_index("ix_clinic_email_key", table_name="clinic", schema="animal_control")
    op.drop_table("clinic", schema="animal_control")
