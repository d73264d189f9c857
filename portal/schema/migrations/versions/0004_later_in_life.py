"""Duplicate tags, departures, households and reminders"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "departure",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("animal_id", sa.Uuid(), nullable=False, comment="The animal."),
        sa.Column("told_by", sa.Uuid(), nullable=False, comment="The keeper who told."),
        sa.Column(
            "kind",
            sa.Enum(
                "died",
                "left_city",
                "given_away",
                name="departurekind",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="What became of it.",
        ),
        sa.Column("happened_on", sa.Date(), nullable=True, comment="When, if said."),
        sa.Column("note", sa.Text(), nullable=True, comment="What the keeper added."),
        sa.Column("undone_at", sa.DateTime(timezone=True), nullable=True, comment="When it was taken back."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["animal_id"], ["animal_control.animal.id"], name=op.f("fk_departure_animal_id")),
        sa.ForeignKeyConstraint(["told_by"], ["animal_control.person.id"], name=op.f("fk_departure_told_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_departure")),
        schema="animal_control",
        comment="An animal that died, left or was given away, as its keeper told.",
    )
    op.create_index(op.f("ix_departure_animal_id"), "departure", ["animal_id"], unique=False, schema="animal_control")
    op.create_index(op.f("ix_departure_told_by"), "departure", ["told_by"], unique=False, schema="animal_control")
    op.create_index(
        "uq_departure_animal_id_standing",
        "departure",
        ["animal_id"],
        unique=True,
        schema="animal_control",
        postgresql_where=sa.text("undone_at IS NULL"),
    )
    op.create_table(
        "fee_question",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("person_id", sa.Uuid(), nullable=True, comment="Who asked, if signed in."),
        sa.Column(
            "fee",
            sa.Text(),
            nullable=False,
            comment="Which fee, by its key in the city's file, or an order's reference.",
        ),
        sa.Column("text", sa.Text(), nullable=False, comment="What looks wrong, as typed."),
        sa.Column("contact", sa.Text(), nullable=True, comment="How to answer, as typed."),
        sa.Column("answer", sa.Text(), nullable=True, comment="What the city said."),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True, comment="When the city answered."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["person_id"], ["animal_control.person.id"], name=op.f("fk_fee_question_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fee_question")),
        schema="animal_control",
        comment="A fee that somebody thinks is wrong (90.18).",
    )
    op.create_index(
        "ix_fee_question_open",
        "fee_question",
        ["created_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("answered_at IS NULL"),
    )
    op.create_index(
        op.f("ix_fee_question_person_id"), "fee_question", ["person_id"], unique=False, schema="animal_control"
    )
    op.create_table(
        "relay",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("animal_id", sa.Uuid(), nullable=False, comment="The animal."),
        sa.Column("finder_token_hash", sa.Text(), nullable=False, comment="Hash of the finder's private link."),
        sa.Column("finder_email", sa.Text(), nullable=True, comment="Where answers go, if the finder wished it."),
        sa.Column(
            "finder_phone", sa.Text(), nullable=True, comment="The finder's phone, if they gave it to be passed on."
        ),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True, comment="When it ended."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["animal_id"], ["animal_control.animal.id"], name=op.f("fk_relay_animal_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_relay")),
        sa.UniqueConstraint("finder_token_hash", name=op.f("uq_relay_finder_token_hash")),
        schema="portal",
        comment="Talks between finders and keepers (90.11(B)).",
    )
    op.create_index(
        "ix_relay_animal_id_created_at", "relay", ["animal_id", "created_at"], unique=False, schema="portal"
    )
    op.create_table(
        "email_change",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("account_id", sa.Uuid(), nullable=False, comment="The account."),
        sa.Column("new_email", sa.Text(), nullable=False, comment="The new mailbox as typed."),
        sa.Column("old_token_hash", sa.Text(), nullable=False, comment="Hash of the token sent to the old mailbox."),
        sa.Column("new_token_hash", sa.Text(), nullable=False, comment="Hash of the token sent to the new mailbox."),
        sa.Column(
            "old_confirmed_at", sa.DateTime(timezone=True), nullable=True, comment="When the old mailbox said yes."
        ),
        sa.Column(
            "new_confirmed_at", sa.DateTime(timezone=True), nullable=True, comment="When the new mailbox said yes."
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False, comment="Good until."),
        sa.Column(
            "ended_at", sa.DateTime(timezone=True), nullable=True, comment="When it took effect or was given up."
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["portal.account.id"], name=op.f("fk_email_change_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_change")),
        sa.UniqueConstraint("new_token_hash", name=op.f("uq_email_change_new_token_hash")),
        sa.UniqueConstraint("old_token_hash", name=op.f("uq_email_change_old_token_hash")),
        schema="portal",
        comment="Changes of an account's mailbox.",
    )
    op.create_index(
        "uq_email_change_account_id_open",
        "email_change",
        ["account_id"],
        unique=True,
        schema="portal",
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_table(
        "keeper_invitation",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("animal_id", sa.Uuid(), nullable=False, comment="The animal."),
        sa.Column("invited_by", sa.Uuid(), nullable=False, comment="Who invited."),
        sa.Column(
            "kind",
            sa.Enum(
                "co_keeper", "new_owner", name="invitationkind", native_enum=False, create_constraint=True, length=40
            ),
            nullable=False,
            comment="To keep it together, or to take it over.",
        ),
        sa.Column("email", sa.Text(), nullable=True, comment="Where the link was sent, as typed."),
        sa.Column("token_hash", sa.Text(), nullable=False, comment="Hash of the link's token."),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False, comment="Good until."),
        sa.Column("accepted_by", sa.Uuid(), nullable=True, comment="Who accepted."),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=True, comment="When it was accepted."),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True, comment="When it was taken back."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["accepted_by"], ["portal.account.id"], name=op.f("fk_keeper_invitation_accepted_by")),
        sa.ForeignKeyConstraint(
            ["animal_id"], ["animal_control.animal.id"], name=op.f("fk_keeper_invitation_animal_id")
        ),
        sa.ForeignKeyConstraint(["invited_by"], ["portal.account.id"], name=op.f("fk_keeper_invitation_invited_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_keeper_invitation")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_keeper_invitation_token_hash")),
        schema="portal",
        comment="Invitations to keep an animal.",
    )
    op.create_index(
        op.f("ix_keeper_invitation_accepted_by"), "keeper_invitation", ["accepted_by"], unique=False, schema="portal"
    )
    op.create_index("ix_keeper_invitation_animal_id", "keeper_invitation", ["animal_id"], unique=False, schema="portal")
    op.create_index(
        op.f("ix_keeper_invitation_invited_by"), "keeper_invitation", ["invited_by"], unique=False, schema="portal"
    )
    op.create_table(
        "relay_message",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("relay_id", sa.Uuid(), nullable=False, comment="The talk."),
        sa.Column(
            "sender",
            sa.Enum("finder", "keeper", name="relaysender", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="Which side wrote it.",
        ),
        sa.Column("text", sa.Text(), nullable=False, comment="What was written."),
        sa.Column("place", sa.Text(), nullable=True, comment="Where the animal is, as typed."),
        sa.Column("photo_upload_key", sa.Text(), nullable=True, comment="A clean picture in the file store."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint("text <> '' OR photo_upload_key IS NOT NULL", name=op.f("ck_relay_message_says_something")),
        sa.ForeignKeyConstraint(["relay_id"], ["portal.relay.id"], name=op.f("fk_relay_message_relay_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_relay_message")),
        schema="portal",
        comment="Messages between finders and keepers.",
    )
    op.create_index(
        "ix_relay_message_relay_id_created_at",
        "relay_message",
        ["relay_id", "created_at"],
        unique=False,
        schema="portal",
    )
    op.create_table(
        "reminder",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("account_id", sa.Uuid(), nullable=False, comment="Who was reminded."),
        sa.Column(
            "kind",
            sa.Enum(
                "renewal",
                "certificate",
                "unpaid_order",
                "unfinished",
                "puppy",
                name="reminderkind",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="Of what.",
        ),
        sa.Column(
            "subject_id",
            sa.Uuid(),
            nullable=False,
            comment="The license, vaccination, order, draft or animal it is about.",
        ),
        sa.Column("due_on", sa.Date(), nullable=False, comment="The day it leads up to."),
        sa.Column("step_days", sa.Integer(), nullable=False, comment="How many days before that day."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["portal.account.id"], name=op.f("fk_reminder_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reminder")),
        sa.UniqueConstraint(
            "account_id",
            "kind",
            "subject_id",
            "due_on",
            "step_days",
            name=op.f("uq_reminder_account_id_kind_subject_id_due_on_step_days"),
        ),
        schema="portal",
        comment="Reminders that were sent, one row each.",
    )
    op.create_index("ix_reminder_subject_id", "reminder", ["subject_id"], unique=False, schema="portal")
    op.create_table(
        "reminder_choice",
        sa.Column("account_id", sa.Uuid(), nullable=False, comment="The account."),
        sa.Column(
            "stopped_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="No reminders since; empty while they are wanted.",
        ),
        sa.Column("sms_phone", sa.Text(), nullable=True, comment="Phone for texts, +13205550100."),
        sa.Column("sms_consented_at", sa.DateTime(timezone=True), nullable=True, comment="When they agreed to texts."),
        sa.Column("sms_consent_text", sa.Text(), nullable=True, comment="Version of the words they agreed to."),
        sa.Column("sms_stopped_at", sa.DateTime(timezone=True), nullable=True, comment="When they said STOP."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["portal.account.id"], name=op.f("fk_reminder_choice_account_id")),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_reminder_choice")),
        schema="portal",
        comment="Who wants no reminders, and who wants texts (TCPA consent).",
    )
    op.create_index("ix_reminder_choice_sms_phone", "reminder_choice", ["sms_phone"], unique=False, schema="portal")
    op.create_table(
        "tag_request",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("license_id", sa.Uuid(), nullable=False, comment="The license whose tag is gone."),
        sa.Column("asked_by", sa.Uuid(), nullable=False, comment="The keeper who asked."),
        sa.Column(
            "loss",
            sa.Enum("lost", "destroyed", name="tagloss", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="Lost or destroyed.",
        ),
        sa.Column("told", sa.Text(), nullable=True, comment="How it happened, in the keeper's words."),
        sa.Column(
            "delivery",
            sa.Enum("mail", "pick_up", name="delivery", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="Mailed, or picked up at the counter.",
        ),
        sa.Column(
            "state",
            sa.Enum(
                "open",
                "issued",
                "canceled",
                name="tagrequeststate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            server_default="open",
            nullable=False,
            comment="Where it stands.",
        ),
        sa.Column("tag_id", sa.Uuid(), nullable=True, comment="The tag it brought."),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True, comment="When it was issued or canceled."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint("(state = 'issued') = (tag_id IS NOT NULL)", name=op.f("ck_tag_request_issued_has_its_tag")),
        sa.ForeignKeyConstraint(["asked_by"], ["animal_control.person.id"], name=op.f("fk_tag_request_asked_by")),
        sa.ForeignKeyConstraint(["license_id"], ["animal_control.license.id"], name=op.f("fk_tag_request_license_id")),
        sa.ForeignKeyConstraint(["tag_id"], ["animal_control.tag.id"], name=op.f("fk_tag_request_tag_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tag_request")),
        sa.UniqueConstraint("tag_id", name=op.f("uq_tag_request_tag_id")),
        schema="animal_control",
        comment="A duplicate tag that was asked for (90.04(B)(5)).",
    )
    op.create_index(op.f("ix_tag_request_asked_by"), "tag_request", ["asked_by"], unique=False, schema="animal_control")
    op.create_index(
        op.f("ix_tag_request_license_id"), "tag_request", ["license_id"], unique=False, schema="animal_control"
    )
    op.create_index(
        "uq_tag_request_license_id_open",
        "tag_request",
        ["license_id"],
        unique=True,
        schema="animal_control",
        postgresql_where=sa.text("state = 'open'"),
    )
    op.add_column(
        "fee_order_line",
        sa.Column("tag_request_id", sa.Uuid(), nullable=True, comment="The duplicate tag it pays for."),
        schema="animal_control",
    )
    op.create_index(
        op.f("ix_fee_order_line_tag_request_id"),
        "fee_order_line",
        ["tag_request_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_foreign_key(
        op.f("fk_fee_order_line_tag_request_id"),
        "fee_order_line",
        "tag_request",
        ["tag_request_id"],
        ["id"],
        source_schema="animal_control",
        referent_schema="animal_control",
    )
    op.add_column(
        "keeper",
        sa.Column(
            "shares_contact",
            sa.Boolean(),
            server_default="false",
            nullable=False,
            comment="Lets the animal's other keepers see phone and e-mail.",
        ),
        schema="animal_control",
    )
    op.add_column(
        "account",
        sa.Column(
            "closed_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When it was closed; official records stay (138.17).",
        ),
        schema="portal",
    )
    op.add_column(
        "outgoing_message",
        sa.Column(
            "channel",
            sa.Enum("email", "sms", name="channel", native_enum=False, create_constraint=True, length=40),
            server_default="email",
            nullable=False,
            comment="E-mail, or a text.",
        ),
        schema="portal",
    )
    op.alter_column(
        "outgoing_message",
        "recipient",
        existing_type=sa.TEXT(),
        comment="Mailbox as typed, or a phone for texts.",
        existing_comment="Mailbox as typed.",
        existing_nullable=False,
        schema="portal",
    )
    _line_kinds(("license", "late", "duplicate_tag"))


def downgrade() -> None:
    _line_kinds(("license",))
    op.alter_column(
        "outgoing_message",
        "recipient",
        existing_type=sa.TEXT(),
        comment="Mailbox as typed.",
        existing_comment="Mailbox as typed, or a phone for texts.",
        existing_nullable=False,
        schema="portal",
    )
    op.drop_column("outgoing_message", "channel", schema="portal")
    op.drop_column("account", "closed_at", schema="portal")
    op.drop_column("keeper", "shares_contact", schema="animal_control")
    op.drop_constraint(
        op.f("fk_fee_order_line_tag_request_id"), "fee_order_line", schema="animal_control", type_="foreignkey"
    )
    op.drop_index(op.f("ix_fee_order_line_tag_request_id"), table_name="fee_order_line", schema="animal_control")
    op.drop_column("fee_order_line", "tag_request_id", schema="animal_control")
    op.drop_index(
        "uq_tag_request_license_id_open",
        table_name="tag_request",
        schema="animal_control",
        postgresql_where=sa.text("state = 'open'"),
    )
    op.drop_index(op.f("ix_tag_request_license_id"), table_name="tag_request", schema="animal_control")
    op.drop_index(op.f("ix_tag_request_asked_by"), table_name="tag_request", schema="animal_control")
    op.drop_table("tag_request", schema="animal_control")
    op.drop_index("ix_reminder_choice_sms_phone", table_name="reminder_choice", schema="portal")
    op.drop_table("reminder_choice", schema="portal")
    op.drop_index("ix_reminder_subject_id", table_name="reminder", schema="portal")
    op.drop_table("reminder", schema="portal")
    op.drop_index("ix_relay_message_relay_id_created_at", table_name="relay_message", schema="portal")
    op.drop_table("relay_message", schema="portal")
    op.drop_index(op.f("ix_keeper_invitation_invited_by"), table_name="keeper_invitation", schema="portal")
    op.drop_index("ix_keeper_invitation_animal_id", table_name="keeper_invitation", schema="portal")
    op.drop_index(op.f("ix_keeper_invitation_accepted_by"), table_name="keeper_invitation", schema="portal")
    op.drop_table("keeper_invitation", schema="portal")
    op.drop_index(
        "uq_email_change_account_id_open",
        table_name="email_change",
        schema="portal",
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.drop_table("email_change", schema="portal")
    op.drop_index("ix_relay_animal_id_created_at", table_name="relay", schema="portal")
    op.drop_table("relay", schema="portal")
    op.drop_index(op.f("ix_fee_question_person_id"), table_name="fee_question", schema="animal_control")
    op.drop_index(
        "ix_fee_question_open",
        table_name="fee_question",
        schema="animal_control",
        postgresql_where=sa.text("answered_at IS NULL"),
    )
    op.drop_table("fee_question", schema="animal_control")
    op.drop_index(
        "uq_departure_animal_id_standing",
        table_name="departure",
        schema="animal_control",
        postgresql_where=sa.text("undone_at IS NULL"),
    )
    op.drop_index(op.f("ix_departure_told_by"), table_name="departure", schema="animal_control")
    op.drop_index(op.f("ix_departure_animal_id"), table_name="departure", schema="animal_control")
    op.drop_table("departure", schema="animal_control")


def _line_kinds(words: tuple[str, ...]) -> None:
    op.drop_constraint(op.f("ck_fee_order_line_linekind"), "fee_order_line", schema="animal_control", type_="check")
    offered = ", ".join(f"'{word}'" for word in words)
    op.create_check_constraint(
        op.f("ck_fee_order_line_linekind"), "fee_order_line", f"kind IN ({offered})", schema="animal_control"
    )
