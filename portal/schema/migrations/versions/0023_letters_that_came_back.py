"""Letters that came to nothing are shown to the desk, but for what is secret; the counter is found without a search"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

AS_OWNER = "SECURITY DEFINER SET search_path = pg_catalog, pg_temp"
# Of a letter the desk learns to whom it was and of what kind, never what it says: and of none that tells of a report.
FAILED_LETTERS = f"""
CREATE FUNCTION portal.failed_letters(wanted uuid, most integer)
RETURNS TABLE (
    id uuid, recipient text, template text, failed_at timestamptz, last_error text, handled_by text,
    handled_at timestamptz
) LANGUAGE sql STABLE {AS_OWNER} ROWS 50 AS $$
    SELECT m.id, m.recipient, m.template, m.failed_at, m.last_error, m.handled_by, m.handled_at
    FROM portal.outgoing_message AS m
    WHERE m.failed_at IS NOT NULL AND NOT m.is_confidential AND NOT m.is_secret AND m.channel = 'email'
        AND (m.id = wanted OR (wanted IS NULL AND m.handled_at IS NULL))
    ORDER BY m.failed_at, m.id LIMIT most
$$
"""  # noqa: S608
HANDLE_LETTER = f"""
CREATE FUNCTION portal.handle_letter(wanted uuid, staff text, moment timestamptz)
RETURNS boolean LANGUAGE plpgsql VOLATILE {AS_OWNER} AS $$
BEGIN
    UPDATE portal.outgoing_message AS m SET handled_by = staff, handled_at = moment
    WHERE m.id = wanted AND m.failed_at IS NOT NULL AND m.handled_at IS NULL
        AND NOT m.is_confidential AND NOT m.is_secret;
    RETURN FOUND;
END
$$
"""  # noqa: S608


def upgrade() -> None:
    handled_by = "Who at the desk dealt with its failure; empty till then."
    for column in (
        sa.Column("handled_by", sa.Text(), nullable=True, comment=handled_by),
        sa.Column("handled_at", sa.DateTime(timezone=True), nullable=True, comment="When they did."),
    ):
        op.add_column("outgoing_message", column, schema="portal")
    op.create_index(
        "ix_outgoing_message_failed",
        "outgoing_message",
        ["failed_at"],
        schema="portal",
        postgresql_where=sa.text("failed_at IS NOT NULL AND handled_at IS NULL"),
    )
    op.create_index(
        "ix_fee_order_counter",
        "fee_order",
        ["counter_chosen_at"],
        schema="animal_control",
        postgresql_where=sa.text("state = 'open' AND counter_chosen_at IS NOT NULL"),
    )
    op.execute(FAILED_LETTERS)
    op.execute(HANDLE_LETTER)


def downgrade() -> None:
    op.execute("DROP FUNCTION portal.handle_letter(uuid, text, timestamptz)")
    op.execute("DROP FUNCTION portal.failed_letters(uuid, integer)")
    op.drop_index("ix_fee_order_counter", table_name="fee_order", schema="animal_control")
    op.drop_index("ix_outgoing_message_failed", table_name="outgoing_message", schema="portal")
    op.drop_column("outgoing_message", "handled_at", schema="portal")
    op.drop_column("outgoing_message", "handled_by", schema="portal")
