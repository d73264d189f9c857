"""Which notices and stays at the pound were compared with the others, so that each is compared once"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column(
        "pet_notice",
        sa.Column(
            "compared_at", INSTANT, nullable=True, comment="Its last change that was compared with other notices."
        ),
        schema="animal_control",
    )
    op.create_index(
        "ix_pet_notice_to_compare",
        "pet_notice",
        ["changed_at", "id"],
        schema="animal_control",
        postgresql_where=sa.text("state = 'shown' AND (compared_at IS NULL OR compared_at < changed_at)"),
    )
    op.add_column(
        "impoundment",
        sa.Column("compared_at", INSTANT, nullable=True, comment="When it was compared with notices of missing pets."),
        schema="animal_control",
    )
    op.create_index(
        "ix_impoundment_to_compare",
        "impoundment",
        ["created_at", "id"],
        schema="animal_control",
        postgresql_where=sa.text("left_on IS NULL AND compared_at IS NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_impoundment_to_compare", table_name="impoundment", schema="animal_control")
    op.drop_column("impoundment", "compared_at", schema="animal_control")
    op.drop_index("ix_pet_notice_to_compare", table_name="pet_notice", schema="animal_control")
    op.drop_column("pet_notice", "compared_at", schema="animal_control")
