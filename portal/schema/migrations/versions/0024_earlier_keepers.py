"""Whoever kept an animal before is found as quickly as whoever keeps it now."""

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_keeper_animal_id", "keeper", ["animal_id"], unique=False, schema="animal_control")
    op.create_index("ix_keeper_person_id", "keeper", ["person_id"], unique=False, schema="animal_control")


def downgrade() -> None:
    op.drop_index("ix_keeper_person_id", table_name="keeper", schema="animal_control")
    op.drop_index("ix_keeper_animal_id", table_name="keeper", schema="animal_control")
