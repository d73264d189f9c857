"""The mailbox an account had before a change, so that the letters sent there stay its own"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    comment = "The mailbox before, once the change took effect."
    op.add_column("email_change", sa.Column("old_email", sa.Text(), nullable=True, comment=comment), schema="portal")
    op.create_index("ix_email_change_account_id", "email_change", ["account_id"], schema="portal")
    op.create_index(
        "ix_email_change_old_email",
        "email_change",
        ["old_email"],
        schema="portal",
        postgresql_where=sa.text("old_email IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_email_change_old_email", table_name="email_change", schema="portal")
    op.drop_index("ix_email_change_account_id", table_name="email_change", schema="portal")
    op.drop_column("email_change", "old_email", schema="portal")
