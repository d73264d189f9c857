"""Where the PDF lies that a page came from, when several files were joined"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "document_page",
        sa.Column(
            "original_key",
            sa.Text(),
            nullable=True,
            comment="Where the PDF lies that it is a page of, for the desk; empty unless several files were joined.",
        ),
        schema="animal_control",
    )


def downgrade() -> None:
    op.drop_column("document_page", "original_key", schema="animal_control")
