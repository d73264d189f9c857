"""Talks with finders: a link for each letter, a phone passed on with a message, when the animal was taken in"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "relay_link",
        sa.Column("token_hash", sa.Text(), nullable=False, comment="Hash of the link's token."),
        sa.Column("relay_id", sa.Uuid(), nullable=False, comment="The talk it opens."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["relay_id"], ["portal.relay.id"], name=op.f("fk_relay_link_relay_id")),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_relay_link")),
        schema="portal",
        comment="Private links of finders, hashed.",
    )
    op.create_index("ix_relay_link_relay_id", "relay_link", ["relay_id"], schema="portal")
    op.create_index("ix_relay_created_at", "relay", ["created_at"], schema="portal")
    op.drop_constraint(op.f("uq_relay_finder_token_hash"), "relay", schema="portal", type_="unique")
    op.drop_column("relay", "finder_token_hash", schema="portal")
    op.drop_column("relay", "finder_phone", schema="portal")
    op.add_column(
        "relay",
        sa.Column(
            "confined_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When the finder took the animal in, if they did.",
        ),
        schema="portal",
    )
    op.add_column(
        "relay_message",
        sa.Column(
            "phone", sa.Text(), nullable=True, comment="The writer's phone as typed, if they chose to pass it on."
        ),
        schema="portal",
    )


def downgrade() -> None:
    # A talk without its link could be opened by nobody.
    op.execute("DELETE FROM portal.relay_message")
    op.execute("DELETE FROM portal.relay_link")
    op.execute("DELETE FROM portal.relay")
    op.drop_column("relay_message", "phone", schema="portal")
    op.drop_column("relay", "confined_at", schema="portal")
    op.add_column(
        "relay",
        sa.Column(
            "finder_phone", sa.Text(), nullable=True, comment="The finder's phone, if they gave it to be passed on."
        ),
        schema="portal",
    )
    op.add_column(
        "relay",
        sa.Column("finder_token_hash", sa.Text(), nullable=False, comment="Hash of the finder's private link."),
        schema="portal",
    )
    op.create_unique_constraint(op.f("uq_relay_finder_token_hash"), "relay", ["finder_token_hash"], schema="portal")
    op.drop_index("ix_relay_created_at", table_name="relay", schema="portal")
    op.drop_index("ix_relay_link_relay_id", table_name="relay_link", schema="portal")
    op.drop_table("relay_link", schema="portal")
