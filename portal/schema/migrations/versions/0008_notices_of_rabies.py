"""Notices of suspected rabies, and what of clinics' filings waits for an officer"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

WRITTEN = {
    "sent_by": "Mailbox of whoever wrote it.",
    "called": "Whom they called before, and when.",
    "animal": "The animal.",
    "place": "Where it is now.",
    "owner": "Its owner.",
    "what": "What was seen, and who was bitten.",
    "phone": "Where to call back.",
}


def upgrade() -> None:
    op.create_table(
        "rabies_notice",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("clinic_id", sa.Uuid(), nullable=False, comment="The clinic."),
        *(sa.Column(name, sa.Text(), nullable=False, comment=comment) for name, comment in WRITTEN.items()),
        sa.Column(
            "seen_at", sa.DateTime(timezone=True), nullable=True, comment="When an officer noted that it was seen."
        ),
        sa.Column("seen_by", sa.Text(), nullable=True, comment="Who noted it."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint("(seen_at IS NULL) = (seen_by IS NULL)", name=op.f("ck_rabies_notice_seen_by_somebody")),
        sa.ForeignKeyConstraint(["clinic_id"], ["animal_control.clinic.id"], name=op.f("fk_rabies_notice_clinic_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rabies_notice")),
        schema="animal_control",
        comment="A clinic's notice of an animal that may be rabid (90.08(C)).",
    )
    op.create_index(op.f("ix_rabies_notice_clinic_id"), "rabies_notice", ["clinic_id"], schema="animal_control")
    op.create_index(
        "ix_rabies_notice_waiting",
        "rabies_notice",
        ["created_at"],
        schema="animal_control",
        postgresql_where=sa.text("seen_at IS NULL"),
    )
    op.create_index(
        "ix_clinic_filing_unread",
        "clinic_filing",
        ["created_at"],
        schema="animal_control",
        postgresql_where=sa.text("state = 'unread'"),
    )
    op.create_index(
        "ix_clinic_filing_taken_back",
        "clinic_filing",
        ["decided_at"],
        schema="animal_control",
        postgresql_where=sa.text("state = 'withdrawn' AND vaccination_id IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_clinic_filing_taken_back", "clinic_filing", schema="animal_control")
    op.drop_index("ix_clinic_filing_unread", "clinic_filing", schema="animal_control")
    op.drop_table("rabies_notice", schema="animal_control")
