"""The city's staff at the desk: second factors, sign-ins of their own, and what each has open"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "staff",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("email", sa.Text(), nullable=False, comment="Address as typed; codes are sent to it."),
        sa.Column("email_key", sa.Text(), nullable=False, comment="Address trimmed and in lower case: one row each."),
        sa.Column(
            "role",
            sa.Enum("officer", "clerk", name="staffrole", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="What they may do.",
        ),
        sa.Column("added_by", sa.Text(), nullable=False, comment="Who added them, or last changed their role."),
        sa.Column(
            "app_secret",
            sa.Text(),
            nullable=True,
            comment="Secret of the authenticator app, sealed under the portal's key; empty until it is set up.",
        ),
        sa.Column(
            "app_step",
            sa.BigInteger(),
            nullable=True,
            comment="Half-minute since 1970 of the last code of the app that was taken: none is taken twice.",
        ),
        sa.Column(
            "set_up_until",
            sa.DateTime(timezone=True),
            nullable=False,
            comment="Until when a first second factor may be set up.",
        ),
        sa.Column(
            "removed_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When they left; empty while they work here.",
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_staff")),
        sa.UniqueConstraint("email_key", name=op.f("uq_staff_email_key")),
        schema="portal",
        comment="City staff who may sign in at the desk.",
    )
    op.create_table(
        "desk_opening",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("kind", sa.Text(), nullable=False, comment="Kind of item, as the queue calls it."),
        sa.Column("item_id", sa.Uuid(), nullable=False, comment="The item."),
        sa.Column("staff_id", sa.Uuid(), nullable=False, comment="Who opened it."),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False, comment="When they last opened it."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["staff_id"], ["portal.staff.id"], name=op.f("fk_desk_opening_staff_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_desk_opening")),
        schema="portal",
        comment="Items of the queue that somebody has open.",
    )
    op.create_index("ix_desk_opening_opened_at", "desk_opening", ["opened_at"], unique=False, schema="portal")
    op.create_index(op.f("ix_desk_opening_staff_id"), "desk_opening", ["staff_id"], unique=False, schema="portal")
    op.create_index(
        "uq_desk_opening_item", "desk_opening", ["kind", "item_id", "staff_id"], unique=True, schema="portal"
    )
    op.create_table(
        "staff_passkey",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("staff_id", sa.Uuid(), nullable=False, comment="Whose it is."),
        sa.Column("credential_id", sa.Text(), nullable=False, comment="The credential's id, in base64url."),
        sa.Column("public_key", sa.Text(), nullable=False, comment="Its public key (COSE), in base64url."),
        sa.Column("sign_count", sa.BigInteger(), nullable=False, comment="How often it has signed, as it says itself."),
        sa.Column("name", sa.Text(), nullable=False, comment="What its owner calls it."),
        sa.Column(
            "removed_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When it was taken away; it opens nothing since.",
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["staff_id"], ["portal.staff.id"], name=op.f("fk_staff_passkey_staff_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_staff_passkey")),
        sa.UniqueConstraint("credential_id", name=op.f("uq_staff_passkey_credential_id")),
        schema="portal",
        comment="A passkey of somebody at the desk.",
    )
    op.create_index(op.f("ix_staff_passkey_staff_id"), "staff_passkey", ["staff_id"], unique=False, schema="portal")
    op.create_table(
        "staff_recovery_code",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("staff_id", sa.Uuid(), nullable=False, comment="Whose it is."),
        sa.Column("code_hash", sa.Text(), nullable=False, comment="Keyed hash of the code."),
        sa.Column(
            "used_at", sa.DateTime(timezone=True), nullable=True, comment="When it was used or replaced by others."
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["staff_id"], ["portal.staff.id"], name=op.f("fk_staff_recovery_code_staff_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_staff_recovery_code")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_staff_recovery_code_code_hash")),
        schema="portal",
        comment="A recovery code of somebody at the desk.",
    )
    op.create_index(
        op.f("ix_staff_recovery_code_staff_id"), "staff_recovery_code", ["staff_id"], unique=False, schema="portal"
    )
    op.create_table(
        "staff_sign_in",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("staff_id", sa.Uuid(), nullable=False, comment="Who signed in."),
        sa.Column("token_hash", sa.Text(), nullable=False, comment="Hash of the browser's token."),
        sa.Column(
            "proved_by",
            sa.Enum(
                "app",
                "passkey",
                "recovery_code",
                name="factorkind",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=True,
            comment="Which second factor proved it.",
        ),
        sa.Column(
            "proved_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When it did; empty while only the code was typed.",
        ),
        sa.Column("challenge", sa.Text(), nullable=True, comment="What a passkey is asked to sign, in base64url."),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False, comment="Good until."),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True, comment="When it was signed out."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "(proved_at IS NULL) = (proved_by IS NULL)", name=op.f("ck_staff_sign_in_a_proof_has_its_kind")
        ),
        sa.ForeignKeyConstraint(["staff_id"], ["portal.staff.id"], name=op.f("fk_staff_sign_in_staff_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_staff_sign_in")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_staff_sign_in_token_hash")),
        schema="portal",
        comment="A browser signed in at the desk.",
    )
    op.create_index("ix_staff_sign_in_expires_at", "staff_sign_in", ["expires_at"], unique=False, schema="portal")
    op.create_index(op.f("ix_staff_sign_in_staff_id"), "staff_sign_in", ["staff_id"], unique=False, schema="portal")
    op.create_table(
        "staff_sign_in_request",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("staff_id", sa.Uuid(), nullable=True, comment="Who asked; empty for a mailbox of nobody here."),
        sa.Column(
            "browser_hash",
            sa.Text(),
            nullable=False,
            comment="Hash of the browser's secret; the code works only there.",
        ),
        sa.Column("code_hash", sa.Text(), nullable=False, comment="Keyed hash of the six digits."),
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
        sa.CheckConstraint("attempts >= 0", name=op.f("ck_staff_sign_in_request_attempts_not_negative")),
        sa.ForeignKeyConstraint(["staff_id"], ["portal.staff.id"], name=op.f("fk_staff_sign_in_request_staff_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_staff_sign_in_request")),
        schema="portal",
        comment="A code for the desk that was asked for.",
    )
    op.create_index(
        "ix_staff_sign_in_request_expires_at", "staff_sign_in_request", ["expires_at"], unique=False, schema="portal"
    )
    op.create_index(
        op.f("ix_staff_sign_in_request_staff_id"), "staff_sign_in_request", ["staff_id"], unique=False, schema="portal"
    )
    op.create_table(
        "desk_rate_limit",
        sa.Column("key", sa.Text(), nullable=False, comment="What is limited; addresses and mailboxes are hashed."),
        sa.Column("count", sa.BigInteger(), nullable=False, comment="Attempts in the window."),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False, comment="End of the window."),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_desk_rate_limit")),
        schema="portal",
        comment="Counts of attempts at the desk, by key.",
        prefixes=["UNLOGGED"],
    )
    op.create_index("ix_desk_rate_limit_expires_at", "desk_rate_limit", ["expires_at"], schema="portal")


def downgrade() -> None:
    op.drop_table("desk_rate_limit", schema="portal")
    op.drop_table("staff_sign_in_request", schema="portal")
    op.drop_table("staff_sign_in", schema="portal")
    op.drop_table("staff_recovery_code", schema="portal")
    op.drop_table("staff_passkey", schema="portal")
    op.drop_table("desk_opening", schema="portal")
    op.drop_table("staff", schema="portal")
