"""Reminders: what is due is found by its day"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

STEP = "How many days before that day; less than none after it."
STEP_BEFORE = "How many days before that day."


def upgrade() -> None:
    for column in ("ordinance_until", "certificate_due_on"):
        op.create_index(
            f"ix_vaccination_{column}",
            "vaccination",
            [column],
            schema="animal_control",
            postgresql_where=sa.text("state = 'accepted'"),
        )
    op.create_index(
        "ix_fee_order_open",
        "fee_order",
        ["created_at"],
        schema="animal_control",
        postgresql_where=sa.text("state = 'open'"),
    )
    op.create_index(
        "ix_draft_updated_at_open",
        "draft",
        ["updated_at"],
        schema="portal",
        postgresql_where=sa.text("submitted_at IS NULL"),
    )
    _comment(STEP, before=STEP_BEFORE)


def downgrade() -> None:
    _comment(STEP_BEFORE, before=STEP)
    op.drop_index("ix_draft_updated_at_open", table_name="draft", schema="portal")
    op.drop_index("ix_fee_order_open", table_name="fee_order", schema="animal_control")
    for column in ("certificate_due_on", "ordinance_until"):
        op.drop_index(f"ix_vaccination_{column}", table_name="vaccination", schema="animal_control")


def _comment(comment: str, *, before: str) -> None:
    op.alter_column(
        "reminder",
        "step_days",
        existing_type=sa.INTEGER(),
        existing_nullable=False,
        comment=comment,
        existing_comment=before,
        schema="portal",
    )
