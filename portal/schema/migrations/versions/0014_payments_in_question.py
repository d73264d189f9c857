"""Payments whose amount did not agree are found without looking at the others"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_payment_in_question",
        "payment",
        ["order_id"],
        schema="animal_control",
        postgresql_where=sa.text("state = 'mismatch'"),
    )


def downgrade() -> None:
    op.drop_index("ix_payment_in_question", table_name="payment", schema="animal_control")
