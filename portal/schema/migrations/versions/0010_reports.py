"""Reports of nuisances, and behind a wall who made them; letters that tell of one are out of sight (13.44)"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

# Nobody but the worker reads such a letter; a role that owns the table is not held by a policy.
OUT_OF_SIGHT = """
CREATE POLICY confidential_is_out_of_sight ON portal.outgoing_message
USING (NOT is_confidential OR current_user = 'portal_worker') WITH CHECK (true)
"""


def upgrade() -> None:
    op.create_table(
        "report",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("reference", sa.Text(), nullable=False, comment="What people call it by; carries no right."),
        sa.Column(
            "kind",
            sa.Enum(
                "barking",
                "damage",
                "chasing",
                "bite",
                "litter",
                "at_large",
                "neglect",
                "dead_animal",
                "stray",
                "other",
                name="nuisance",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="What happened.",
        ),
        sa.Column(
            "state",
            sa.Enum(
                "received",
                "looking",
                "waiting",
                "closed",
                name="reportstate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            server_default="received",
            nullable=False,
            comment="waiting: the officer asked the reporter something.",
        ),
        sa.Column("closed_reason", sa.Text(), nullable=True, comment="Why it is closed, as the reporter reads it."),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True, comment="When it was closed."),
        sa.Column(
            "reopened_at", sa.DateTime(timezone=True), nullable=True, comment="When the reporter last opened it again."
        ),
        sa.Column(
            "happened_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When it happened, if an instant is known.",
        ),
        sa.Column("happened_text", sa.Text(), nullable=True, comment="When it happened, as typed."),
        sa.Column("place_text", sa.Text(), nullable=False, comment="Where, as typed."),
        sa.Column(
            "place_key",
            sa.Text(),
            nullable=False,
            comment="The place folded for comparing, without the city and ZIP code.",
        ),
        sa.Column("latitude", sa.Double(), nullable=True, comment="Where, if the phone was asked."),
        sa.Column("longitude", sa.Double(), nullable=True, comment="Where, if the phone was asked."),
        sa.Column(
            "is_outside_city",
            sa.Boolean(),
            server_default="false",
            nullable=False,
            comment="The place may be outside the city.",
        ),
        sa.Column("animal_description", sa.Text(), nullable=False, comment="What the animal looks like, as typed."),
        sa.Column("whose_text", sa.Text(), nullable=False, comment="Whose it may be, as typed: a guess."),
        sa.Column("is_going_on", sa.Boolean(), nullable=True, comment="Whether it went on while it was reported."),
        sa.Column("is_again", sa.Boolean(), nullable=True, comment="Whether it happened before."),
        sa.Column(
            "details",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default="{}",
            nullable=False,
            comment="Answers that only this kind is asked.",
        ),
        sa.Column(
            "details_version", sa.Integer(), server_default="1", nullable=False, comment="Version of those questions."
        ),
        sa.Column("narrative", sa.Text(), nullable=False, comment="What happened, as told."),
        sa.Column(
            "has_identity",
            sa.Boolean(),
            server_default="false",
            nullable=False,
            comment="The reporter gave a name: it can support a seizure (90.11(A)(1)).",
        ),
        sa.Column(
            "is_suspicious",
            sa.Boolean(),
            server_default="false",
            nullable=False,
            comment="A spam trap was filled in: look twice.",
        ),
        sa.Column(
            "joined_report_id",
            sa.Uuid(),
            nullable=True,
            comment="Another household's report that it joined, for officers alone.",
        ),
        sa.Column(
            "previous_report_id",
            sa.Uuid(),
            nullable=True,
            comment="The same person's closed report of the same kind and place.",
        ),
        sa.Column(
            "changed_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When anything last happened.",
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "(state = 'closed') = (closed_at IS NOT NULL) AND (state = 'closed') = (closed_reason IS NOT NULL)",
            name=op.f("ck_report_a_closing_has_a_reason"),
        ),
        sa.CheckConstraint("(latitude IS NULL) = (longitude IS NULL)", name=op.f("ck_report_a_position_is_whole")),
        sa.ForeignKeyConstraint(
            ["joined_report_id"], ["animal_control.report.id"], name=op.f("fk_report_joined_report_id")
        ),
        sa.ForeignKeyConstraint(
            ["previous_report_id"], ["animal_control.report.id"], name=op.f("fk_report_previous_report_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
        sa.UniqueConstraint("reference", name=op.f("uq_report_reference")),
        schema="animal_control",
        comment="What somebody reported about an animal (90.08, 90.10, 90.14).",
    )
    op.create_index(
        "ix_report_joined_report_id",
        "report",
        ["joined_report_id"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("joined_report_id IS NOT NULL"),
    )
    op.create_index(
        "ix_report_kind_created_at", "report", ["kind", "created_at"], unique=False, schema="animal_control"
    )
    op.create_index("ix_report_place_key_kind", "report", ["place_key", "kind"], unique=False, schema="animal_control")
    op.create_index(
        "ix_report_previous_report_id",
        "report",
        ["previous_report_id"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("previous_report_id IS NOT NULL"),
    )
    op.create_index(
        "ix_report_state_created_at", "report", ["state", "created_at"], unique=False, schema="animal_control"
    )
    op.create_table(
        "report_episode",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("report_id", sa.Uuid(), nullable=False, comment="The report."),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False, comment="When it began."),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False, comment="When it was last heard."),
        sa.Column(
            "source",
            sa.Enum("timer", "typed", name="episodesource", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="Tapped as it happened, or typed.",
        ),
        sa.Column("is_backdated", sa.Boolean(), nullable=False, comment="Entered after the fact."),
        sa.Column("heard_from", sa.Text(), nullable=True, comment="Where it was heard from, as typed."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint("ended_at >= started_at", name=op.f("ck_report_episode_ends_after_it_begins")),
        sa.ForeignKeyConstraint(["report_id"], ["animal_control.report.id"], name=op.f("fk_report_episode_report_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report_episode")),
        schema="animal_control",
        comment="One episode of barking in a log (90.10(A)).",
    )
    op.create_index(
        "ix_report_episode_report_id_started_at",
        "report_episode",
        ["report_id", "started_at"],
        unique=False,
        schema="animal_control",
    )
    op.create_table(
        "report_update",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("report_id", sa.Uuid(), nullable=False, comment="The report."),
        sa.Column(
            "by",
            sa.Enum("reporter", "officer", name="updateby", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="Which side; never who.",
        ),
        sa.Column(
            "kind",
            sa.Enum(
                "incident",
                "question",
                "answer",
                "status",
                "withdrawn",
                "reopened",
                "closed",
                "identified",
                name="updatekind",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="What it is.",
        ),
        sa.Column("text", sa.Text(), nullable=False, comment="What was written."),
        sa.Column(
            "happened_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When an incident happened, if an instant is known.",
        ),
        sa.Column(
            "details",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default="{}",
            nullable=False,
            comment="Further answers about an incident.",
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["report_id"], ["animal_control.report.id"], name=op.f("fk_report_update_report_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report_update")),
        schema="animal_control",
        comment="What was said and done on a report. The reporter reads all of it.",
    )
    op.create_index(
        "ix_report_update_report_id_created_at",
        "report_update",
        ["report_id", "created_at"],
        unique=False,
        schema="animal_control",
    )
    op.create_table(
        "report_file",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("report_id", sa.Uuid(), nullable=False, comment="The report."),
        sa.Column(
            "update_id",
            sa.Uuid(),
            nullable=True,
            comment="The incident or answer it came with; empty for the report itself.",
        ),
        sa.Column(
            "kind",
            sa.Enum(
                "photo", "sound", "video", name="reportfilekind", native_enum=False, create_constraint=True, length=40
            ),
            nullable=False,
            comment="What it is.",
        ),
        sa.Column("key", sa.Text(), nullable=False, comment="Where it lies in the file store."),
        sa.Column("thumbnail_key", sa.Text(), nullable=True, comment="Small JPEG of a photo."),
        sa.Column(
            "original_name", sa.Text(), nullable=False, comment="The sender's file name: display text, never a path."
        ),
        sa.Column("media_type", sa.Text(), nullable=False, comment="Type decided from the bytes."),
        sa.Column("size_bytes", sa.Integer(), nullable=False, comment="Size in bytes."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["report_id"], ["animal_control.report.id"], name=op.f("fk_report_file_report_id")),
        sa.ForeignKeyConstraint(
            ["update_id"], ["animal_control.report_update.id"], name=op.f("fk_report_file_update_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report_file")),
        schema="animal_control",
        comment="A file that came with a report. Photos have lost their metadata.",
    )
    op.create_index("ix_report_file_key", "report_file", ["key"], unique=False, schema="animal_control")
    op.create_index(
        "ix_report_file_report_id_created_at",
        "report_file",
        ["report_id", "created_at"],
        unique=False,
        schema="animal_control",
    )
    op.create_table(
        "reporter",
        sa.Column("report_id", sa.Uuid(), nullable=False, comment="The report."),
        sa.Column("account_id", sa.Uuid(), nullable=True, comment="The sign-in it was made or confirmed under."),
        sa.Column("name", sa.Text(), nullable=True, comment="Name as typed; empty for a report without one."),
        sa.Column("email", sa.Text(), nullable=True, comment="Mailbox as typed."),
        sa.Column("email_key", sa.Text(), nullable=True, comment="Mailbox trimmed and in lower case."),
        sa.Column("phone", sa.Text(), nullable=True, comment="Phone as typed."),
        sa.Column("address", sa.Text(), nullable=True, comment="Address as typed."),
        sa.Column(
            "asked_not_public_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When they asked the police not to identify them publicly (13.82).",
        ),
        sa.Column("attested_name", sa.Text(), nullable=True, comment="Name typed under the statement."),
        sa.Column("attested_at", sa.DateTime(timezone=True), nullable=False, comment="When the statement was made."),
        sa.Column("attestation_version", sa.Text(), nullable=False, comment="Version of the statement's words."),
        sa.Column(
            "notice_version", sa.Text(), nullable=False, comment="Version of the privacy notice that was shown (13.04)."
        ),
        sa.Column(
            "confirmed_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When the mailbox's holder said that it is theirs.",
        ),
        sa.Column(
            "denied_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When the mailbox's holder said that it is not theirs.",
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["portal.account.id"], name=op.f("fk_reporter_account_id")),
        sa.ForeignKeyConstraint(["report_id"], ["animal_control.report.id"], name=op.f("fk_reporter_report_id")),
        sa.PrimaryKeyConstraint("report_id", name=op.f("pk_reporter")),
        schema="confidential",
        comment="Who made a report (Minn. Stat. 13.44). Read through functions alone.",
    )
    op.create_index(
        "ix_reporter_account_id",
        "reporter",
        ["account_id"],
        unique=False,
        schema="confidential",
        postgresql_where=sa.text("account_id IS NOT NULL"),
    )
    op.create_index(
        "ix_reporter_email_key",
        "reporter",
        ["email_key"],
        unique=False,
        schema="confidential",
        postgresql_where=sa.text("email_key IS NOT NULL"),
    )
    op.create_table(
        "report_link",
        sa.Column("token_hash", sa.Text(), nullable=False, comment="Hash of the link's token."),
        sa.Column("report_id", sa.Uuid(), nullable=False, comment="The report it opens."),
        sa.Column(
            "purpose",
            sa.Enum(
                "follow", "confirm", "status", name="linkpurpose", native_enum=False, create_constraint=True, length=40
            ),
            server_default="follow",
            nullable=False,
            comment="How far.",
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["report_id"], ["animal_control.report.id"], name=op.f("fk_report_link_report_id")),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_report_link")),
        schema="confidential",
        comment="Private links of reports, hashed.",
    )
    op.create_index("ix_report_link_report_id", "report_link", ["report_id"], unique=False, schema="confidential")
    op.create_table(
        "report_invitation",
        sa.Column("code_hash", sa.Text(), nullable=False, comment="Hash of the code."),
        sa.Column("report_id", sa.Uuid(), nullable=False, comment="The report it leads to."),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False, comment="Good until."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(
            ["report_id"], ["animal_control.report.id"], name=op.f("fk_report_invitation_report_id")
        ),
        sa.PrimaryKeyConstraint("code_hash", name=op.f("pk_report_invitation")),
        schema="confidential",
        comment="Codes by which another household joins a report, hashed.",
    )
    op.create_index(
        "ix_report_invitation_report_id", "report_invitation", ["report_id"], unique=False, schema="confidential"
    )
    op.create_table(
        "identity_read",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("report_id", sa.Uuid(), nullable=False, comment="The report."),
        sa.Column("read_by", sa.Text(), nullable=False, comment="Who read it."),
        sa.Column("why", sa.Text(), nullable=False, comment="Why, as they said."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["report_id"], ["animal_control.report.id"], name=op.f("fk_identity_read_report_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identity_read")),
        schema="confidential",
        comment="Who read the identity behind a report, when and why (13.055).",
    )
    op.create_index(
        "ix_identity_read_report_id_created_at",
        "identity_read",
        ["report_id", "created_at"],
        unique=False,
        schema="confidential",
    )
    op.create_table(
        "report_draft",
        sa.Column("token_hash", sa.Text(), nullable=False, comment="Hash of the browser's secret."),
        sa.Column(
            "answers",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default="{}",
            nullable=False,
            comment="Answers so far, by step.",
        ),
        sa.Column(
            "files",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default="[]",
            nullable=False,
            comment="Files so far.",
        ),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="Last saved.",
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False, comment="Removed after."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_report_draft")),
        schema="confidential",
        comment="Reports not sent yet. Read by the browser's secret alone.",
    )
    op.create_index("ix_report_draft_expires_at", "report_draft", ["expires_at"], unique=False, schema="confidential")
    op.add_column(
        "outgoing_message",
        sa.Column(
            "is_confidential",
            sa.Boolean(),
            server_default="false",
            nullable=False,
            comment="Tells of a report: out of the web process's sight, whoever it goes to (13.44).",
        ),
        schema="portal",
    )
    op.execute("ALTER TABLE portal.outgoing_message ENABLE ROW LEVEL SECURITY")
    op.execute(OUT_OF_SIGHT)


def downgrade() -> None:
    op.execute("DROP POLICY confidential_is_out_of_sight ON portal.outgoing_message")
    op.execute("ALTER TABLE portal.outgoing_message DISABLE ROW LEVEL SECURITY")
    # Without its mark a letter about a report would lie in everybody's sight.
    op.execute("DELETE FROM portal.outgoing_message WHERE is_confidential")
    op.drop_column("outgoing_message", "is_confidential", schema="portal")
    op.drop_table("report_draft", schema="confidential")
    op.drop_table("identity_read", schema="confidential")
    op.drop_table("report_invitation", schema="confidential")
    op.drop_table("report_link", schema="confidential")
    op.drop_table("reporter", schema="confidential")
    op.drop_table("report_file", schema="animal_control")
    op.drop_table("report_update", schema="animal_control")
    op.drop_table("report_episode", schema="animal_control")
    op.drop_table("report", schema="animal_control")
