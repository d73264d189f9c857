"""A letter with a link that came to nothing is shown to the desk, with who asked for it: they can be told"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

AS_OWNER = "SECURITY DEFINER SET search_path = pg_catalog, pg_temp"
SHOWN = {
    True: "NOT m.is_confidential AND (NOT m.is_secret OR m.asked_by IS NOT NULL)",
    False: "NOT m.is_confidential AND NOT m.is_secret",
}
"""With links or without. Codes to sign in, and links for whoever found an animal, name nobody who asked for them."""

FAILED_LETTERS = f"""
CREATE OR REPLACE FUNCTION portal.failed_letters(wanted uuid, most integer)
RETURNS TABLE (
    id uuid, recipient text, template text, failed_at timestamptz, last_error text, handled_by text,
    handled_at timestamptz
) LANGUAGE sql STABLE {AS_OWNER} ROWS 50 AS $$
    SELECT m.id, m.recipient, m.template, m.failed_at, m.last_error, m.handled_by, m.handled_at
    FROM portal.outgoing_message AS m
    WHERE m.failed_at IS NOT NULL AND %s AND m.channel = 'email'
        AND (m.id = wanted OR (wanted IS NULL AND m.handled_at IS NULL))
    ORDER BY m.failed_at, m.id LIMIT most
$$
"""  # noqa: S608
FAILED_LETTERS_COUNT = f"""
CREATE OR REPLACE FUNCTION portal.failed_letters_count()
RETURNS bigint LANGUAGE sql STABLE {AS_OWNER} AS $$
    SELECT count(*) FROM portal.outgoing_message AS m
    WHERE m.failed_at IS NOT NULL AND m.handled_at IS NULL AND %s
        AND m.channel = 'email'
$$
"""  # noqa: S608
HANDLE_LETTER = f"""
CREATE OR REPLACE FUNCTION portal.handle_letter(wanted uuid, staff text, moment timestamptz)
RETURNS boolean LANGUAGE plpgsql VOLATILE {AS_OWNER} AS $$
BEGIN
    UPDATE portal.outgoing_message AS m SET handled_by = staff, handled_at = moment
    WHERE m.id = wanted AND m.failed_at IS NOT NULL AND m.handled_at IS NULL
        AND %s;
    RETURN FOUND;
END
$$
"""  # noqa: S608
WHO_ASKED = f"""
CREATE FUNCTION portal.who_asked_for_letter(wanted uuid)
RETURNS uuid LANGUAGE sql STABLE {AS_OWNER} AS $$
    SELECT m.asked_by FROM portal.outgoing_message AS m
    WHERE m.id = wanted AND m.failed_at IS NOT NULL AND NOT m.is_confidential AND m.is_secret
$$
"""  # noqa: S608


def upgrade() -> None:
    comment = "Who asked for a letter that carries a link to somebody else; empty for every other."
    op.add_column("outgoing_message", sa.Column("asked_by", sa.Uuid(), nullable=True, comment=comment), schema="portal")
    _show(with_links=True)
    op.execute(WHO_ASKED)


def downgrade() -> None:
    op.execute("DROP FUNCTION portal.who_asked_for_letter(uuid)")
    _show(with_links=False)
    op.drop_column("outgoing_message", "asked_by", schema="portal")


def _show(*, with_links: bool) -> None:
    for statement in (FAILED_LETTERS, FAILED_LETTERS_COUNT, HANDLE_LETTER):
        op.execute(statement % SHOWN[with_links])
