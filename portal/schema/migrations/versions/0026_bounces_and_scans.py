"""Mailboxes that letters come back from, and files that waited for the virus scanner"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "dead_mailbox",
        sa.Column("mailbox", sa.Text(), nullable=False, comment="Address trimmed and in lower case."),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False, comment="When the first letter came back."),
        sa.PrimaryKeyConstraint("mailbox", name=op.f("pk_dead_mailbox")),
        schema="portal",
        comment="Mailboxes that letters come back from, until somebody signs in by one.",
    )
    op.create_index(op.f("ix_dead_mailbox_since"), "dead_mailbox", ["since"], unique=False, schema="portal")
    op.create_table(
        "file_scan",
        sa.Column("key", sa.Text(), nullable=False, comment="Where the file lies in the file store."),
        sa.Column(
            "verdict",
            sa.Enum("clean", "infected", name="verdict", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="Clean, or infected and kept from everybody.",
        ),
        sa.Column("found", sa.Text(), nullable=True, comment="What the scanner calls what it found."),
        sa.Column("scanned_at", sa.DateTime(timezone=True), nullable=False, comment="When it was scanned."),
        sa.Column("handled_by", sa.Text(), nullable=True, comment="Who at the desk dealt with an infected one."),
        sa.Column("handled_at", sa.DateTime(timezone=True), nullable=True, comment="When they did."),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_file_scan")),
        schema="portal",
        comment="Files that waited for the virus scanner, and what it said. No row: it waits still.",
    )
    op.create_index(
        "ix_file_scan_infected",
        "file_scan",
        ["scanned_at"],
        unique=False,
        schema="portal",
        postgresql_where=sa.text("verdict = 'infected' AND handled_at IS NULL"),
    )

    for table in ("document", "document_page"):
        op.create_index(
            f"ix_{table}_unscanned",
            table,
            ["original_key"],
            unique=False,
            schema="animal_control",
            postgresql_where=sa.text("starts_with(original_key, 'unscanned/')"),
        )


def downgrade() -> None:
    op.drop_index("ix_document_page_unscanned", table_name="document_page", schema="animal_control")
    op.drop_index("ix_document_unscanned", table_name="document", schema="animal_control")
    op.drop_table("file_scan", schema="portal")
    op.drop_table("dead_mailbox", schema="portal")
