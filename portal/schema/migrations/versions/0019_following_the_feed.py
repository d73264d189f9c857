"""The feed is read in the order of its transactions, and nobody chooses where in it an event stands"""

from alembic import op

revision = "0019"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_event_transaction_id_id", "event", ["transaction_id", "id"], schema="animal_control")


def downgrade() -> None:
    op.drop_index("ix_event_transaction_id_id", table_name="event", schema="animal_control")
