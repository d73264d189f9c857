"""When each job was last done, what was found not to agree, and counts of what waits: for the people who run it"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

AS_OWNER = "SECURITY DEFINER SET search_path = pg_catalog, pg_temp"
# Counts alone, of tables that the caller may not read whole. Every part of it goes by an index of what is open.
MEASURED = f"""
CREATE FUNCTION portal.measured(moment timestamptz)
RETURNS TABLE (measure text, label text, value double precision)
LANGUAGE sql STABLE {AS_OWNER} ROWS 50 AS $$
    SELECT 'messages_waiting', m.channel::text, count(*)::double precision
    FROM portal.outgoing_message AS m WHERE m.sent_at IS NULL AND m.failed_at IS NULL GROUP BY m.channel
    UNION ALL
    SELECT 'messages_retrying', m.channel::text, count(*)
    FROM portal.outgoing_message AS m WHERE m.sent_at IS NULL AND m.failed_at IS NULL AND m.attempts > 0
    GROUP BY m.channel
    UNION ALL
    SELECT 'messages_due_seconds', m.channel::text, extract(epoch FROM moment - min(m.not_before))
    FROM portal.outgoing_message AS m WHERE m.sent_at IS NULL AND m.failed_at IS NULL AND m.not_before <= moment
    GROUP BY m.channel
    UNION ALL
    SELECT 'messages_failed', m.channel::text, count(*)
    FROM portal.outgoing_message AS m WHERE m.failed_at IS NOT NULL AND m.handled_at IS NULL GROUP BY m.channel
    UNION ALL
    SELECT 'payments_unsettled', p.state::text, count(*)
    FROM animal_control.payment AS p WHERE p.state IN ('pending', 'processing', 'duplicate') GROUP BY p.state
    UNION ALL
    SELECT 'payments_unsettled_seconds', p.state::text, extract(epoch FROM moment - min(p.created_at))
    FROM animal_control.payment AS p WHERE p.state IN ('pending', 'processing', 'duplicate') GROUP BY p.state
    UNION ALL
    SELECT 'payments_in_question', '', count(*) FROM animal_control.payment AS p WHERE p.state = 'mismatch'
    UNION ALL
    SELECT 'processor_events_waiting', '', count(*) FROM portal.processor_event AS e WHERE e.handled_at IS NULL
    UNION ALL
    SELECT 'readings_waiting', '', count(*) FROM portal.reading AS r WHERE r.state = 'waiting'
    UNION ALL
    SELECT 'readings_waiting_seconds', '', extract(epoch FROM moment - min(r.created_at))
    FROM portal.reading AS r WHERE r.state = 'waiting' HAVING count(*) > 0
    UNION ALL
    SELECT 'findings', f.kind::text, count(*)
    FROM portal.finding AS f WHERE f.mended_at IS NULL AND f.resolved_at IS NULL GROUP BY f.kind
    UNION ALL
    SELECT 'job_last_success', j.name, extract(epoch FROM j.succeeded_at)
    FROM portal.worker_job AS j WHERE j.succeeded_at IS NOT NULL
    UNION ALL
    SELECT 'job_failures', j.name, j.failures FROM portal.worker_job AS j
    UNION ALL
    SELECT 'job_interval', j.name, j.every_seconds FROM portal.worker_job AS j
$$
"""  # noqa: S608
KINDS = (
    "paid_not_issued",
    "missing_file",
    "unknown_files",
    "messages_stuck",
    "event_waits",
    "events_not_delivered",
)
KEYS = (
    ("document", "original_key"),
    ("document", "thumbnail_key"),
    ("document_page", "key"),
    ("document_page", "original_key"),
)

# By which what has served its time is found, hour by hour, and the rest is left alone.
BY_AGE = (
    ("outgoing_message", "words", "sent_at", "context <> '{}'"),
    ("outgoing_message", "sent_at", "sent_at", "sent_at IS NOT NULL"),
    ("outgoing_message", "handled_at", "handled_at", "handled_at IS NOT NULL"),
    ("processor_event", "handled_at", "handled_at", None),
    ("reminder", "due_on", "due_on", None),
    ("draft", "submitted_at", "submitted_at", "submitted_at IS NOT NULL"),
    ("submission", "created_at", "created_at", None),
)


def upgrade() -> None:
    instant = sa.DateTime(timezone=True)
    op.create_table(
        "worker_job",
        sa.Column("name", sa.Text(), nullable=False, comment="The job."),
        sa.Column("every_seconds", sa.Integer(), nullable=False, comment="How often it is done."),
        sa.Column("succeeded_at", instant, nullable=True, comment="When it was last done; empty if it never was."),
        sa.Column("failed_at", instant, nullable=True, comment="When it last failed; empty if it never did."),
        sa.Column(
            "failures",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="How often it has failed since it was last done.",
        ),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_worker_job")),
        schema="portal",
        comment="When each job of the worker last ended.",
    )
    op.create_table(
        "finding",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column(
            "kind",
            sa.Enum(*KINDS, name="findingkind", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="What does not agree.",
        ),
        sa.Column("subject", sa.Text(), nullable=False, comment="Which one: the key of a row or of a file, or a name."),
        sa.Column(
            "facts",
            JSONB(),
            server_default="{}",
            nullable=False,
            comment="Counts and keys; of no person.",
        ),
        sa.Column("since", instant, nullable=False, comment="Since when it is so, as far as is known."),
        sa.Column("mended_at", instant, nullable=True, comment="When it was found to agree again."),
        sa.Column("resolved_by", sa.Text(), nullable=True, comment="Who at the desk said that it is dealt with."),
        sa.Column("resolved_at", instant, nullable=True, comment="When they did."),
        sa.Column("reason", sa.Text(), nullable=True, comment="Why, in their words."),
        sa.Column(
            "created_at", instant, server_default=sa.text("now()"), nullable=False, comment="When the row was made."
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_finding")),
        sa.UniqueConstraint("kind", "subject", name=op.f("uq_finding_kind_subject")),
        schema="portal",
        comment="What was found not to agree, by its kind.",
    )
    op.create_index(
        "ix_finding_open",
        "finding",
        ["since"],
        schema="portal",
        postgresql_where=sa.text("mended_at IS NULL AND resolved_at IS NULL"),
    )
    fetched = "It did not come by itself: the portal asked for it."
    op.add_column(
        "processor_event",
        sa.Column("was_fetched", sa.Boolean(), server_default="false", nullable=False, comment=fetched),
        schema="portal",
    )
    op.create_index(
        "ix_processor_event_fetched",
        "processor_event",
        ["received_at"],
        schema="portal",
        postgresql_where=sa.text("was_fetched"),
    )
    for table, column in KEYS:
        op.create_index(
            f"ix_{table}_{column}",
            table,
            [column],
            schema="animal_control",
            postgresql_ops={column: "text_pattern_ops"},
        )
    for table, name, column, where in BY_AGE:
        only = sa.text(where) if where else None
        op.create_index(f"ix_{table}_{name}", table, [column], schema="portal", postgresql_where=only)
    op.execute(MEASURED)


def downgrade() -> None:
    op.execute("DROP FUNCTION portal.measured(timestamptz)")
    for table, name, _, _ in reversed(BY_AGE):
        op.drop_index(f"ix_{table}_{name}", table_name=table, schema="portal")
    for table, column in reversed(KEYS):
        op.drop_index(f"ix_{table}_{column}", table_name=table, schema="animal_control")
    op.drop_index("ix_processor_event_fetched", table_name="processor_event", schema="portal")
    op.drop_column("processor_event", "was_fetched", schema="portal")
    op.drop_index("ix_finding_open", table_name="finding", schema="portal")
    op.drop_table("finding", schema="portal")
    op.drop_table("worker_job", schema="portal")
