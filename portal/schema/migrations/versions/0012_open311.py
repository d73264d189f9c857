"""Keys of software that sends reports, and how one report of a public list is read (Open311)"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

# A public list looks at no row of a complaint, so that not even its time tells how many there are.
BY_INDEX = "SET enable_seqscan = off"
LIST = "confidential.reports_accusing_nobody(timestamptz, timestamptz)"
AS_OWNER = "SECURITY DEFINER SET search_path = pg_catalog, pg_temp"
# A reference of any other kind answers as one that does not exist: it was never in a list.
FUNCTION = "confidential.status_accusing_nobody(text)"
STATUS_ACCUSING_NOBODY = f"""
CREATE FUNCTION confidential.status_accusing_nobody(listed text)
RETURNS TABLE (
    reference text, kind text, state text, closed_reason text, changed_at timestamptz, created_at timestamptz
) LANGUAGE sql STABLE {AS_OWNER} {BY_INDEX} AS $$
    SELECT r.reference, r.kind, r.state, r.closed_reason, r.changed_at, r.created_at FROM animal_control.report AS r
    WHERE r.reference = listed AND r.kind IN ('dead_animal', 'stray') AND NOT r.is_suspicious
$$
"""  # noqa: S608 - ours


def upgrade() -> None:
    op.create_table(
        "open311_key",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("name", sa.Text(), nullable=False, comment="Whose software it is, as the city calls it."),
        sa.Column("key_hash", sa.Text(), nullable=False, comment="Hash of the key; it is shown once."),
        sa.Column("created_by", sa.Text(), nullable=False, comment="Who gave it."),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True, comment="Last use, to the hour."),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True, comment="When it was taken back."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_open311_key")),
        sa.UniqueConstraint("key_hash", name=op.f("uq_open311_key_key_hash")),
        schema="portal",
        comment="Keys with which other software sends reports (Open311).",
    )
    op.create_index(
        "uq_open311_key_current",
        "open311_key",
        ["name"],
        unique=True,
        schema="portal",
        postgresql_where=sa.text("revoked_at IS NULL"),
    )
    op.create_index(
        "ix_report_accusing_nobody",
        "report",
        ["created_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("kind IN ('dead_animal', 'stray') AND NOT is_suspicious"),
    )
    op.execute(f"ALTER FUNCTION {LIST} {BY_INDEX}")
    op.execute(STATUS_ACCUSING_NOBODY)
    op.execute(f"COMMENT ON FUNCTION {FUNCTION} IS 'One report of those that a public list may hold.'")
    op.execute(f"REVOKE ALL ON FUNCTION {FUNCTION} FROM PUBLIC")


def downgrade() -> None:
    op.execute(f"DROP FUNCTION {FUNCTION}")
    op.execute(f"ALTER FUNCTION {LIST} RESET enable_seqscan")
    op.drop_index("ix_report_accusing_nobody", table_name="report", schema="animal_control")
    op.drop_table("open311_key", schema="portal")
