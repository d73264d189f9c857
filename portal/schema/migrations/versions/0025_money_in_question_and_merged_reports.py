"""Money in question is settled at the desk, reports are merged, and what staff typed outlives their sign-in"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

IS_ONLY_ADDED_TO = """
CREATE TRIGGER report_merge_is_only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON animal_control.report_merge
    FOR EACH STATEMENT EXECUTE FUNCTION animal_control.is_only_added_to()
"""
# What was in question before there was a table for it. Of another amount only the note tells how much came.
IN_QUESTION = """
INSERT INTO animal_control.payment_question
    (key, kind, payment_id, order_id, charge_reference, amount_cents, currency, told, created_at)
SELECT asked.kind || ':' || p.id, asked.kind, p.id, p.order_id, p.charge_reference,
    CASE WHEN asked.kind = 'amount_differs' THEN coalesce(substring(p.note FROM '^Paid ([0-9]{1,9}) ')::integer, 0)
         ELSE p.amount_cents - p.refunded_cents END,
    CASE WHEN asked.kind = 'amount_differs' THEN coalesce(substring(p.note FROM '^Paid [0-9]+ ([a-z]{3}),'), 'usd')
         ELSE 'usd' END,
    coalesce(p.note, asked.kind), coalesce(p.paid_at, p.created_at)
FROM animal_control.payment AS p
CROSS JOIN LATERAL (
    SELECT CASE WHEN p.state = 'mismatch' THEN 'amount_differs' WHEN p.state = 'disputed' THEN 'disputed'
                WHEN p.note LIKE 'Refund failed: %' THEN 'refund_failed' END AS kind
) AS asked
WHERE asked.kind IS NOT NULL
"""
WHAT_CAME = """
UPDATE animal_control.payment AS p SET amount_cents = q.amount_cents
FROM animal_control.payment_question AS q
WHERE q.payment_id = p.id AND q.kind = 'amount_differs' AND q.currency = 'usd' AND q.amount_cents >= p.refunded_cents
    AND q.amount_cents > 0
"""
BEFORE = "Amount asked, in cents."
AFTER = "Amount asked, in cents; of another amount that came, what came."


def upgrade() -> None:
    op.create_table(
        "report_merge",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("report_id", sa.Uuid(), nullable=False, comment="The report that was merged into another."),
        sa.Column("into_report_id", sa.Uuid(), nullable=False, comment="The one that the officer goes on with."),
        sa.Column(
            "deed",
            sa.Enum("merged", "unmerged", name="mergedeed", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="Merged, or taken apart again.",
        ),
        sa.Column("why", sa.Text(), nullable=False, comment="Why, as the officer said."),
        sa.Column("done_by", sa.Text(), nullable=False, comment="The officer."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint("report_id <> into_report_id", name=op.f("ck_report_merge_of_two_reports")),
        sa.ForeignKeyConstraint(
            ["into_report_id"], ["animal_control.report.id"], name=op.f("fk_report_merge_into_report_id")
        ),
        sa.ForeignKeyConstraint(["report_id"], ["animal_control.report.id"], name=op.f("fk_report_merge_report_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report_merge")),
        schema="animal_control",
        comment="Reports about the same thing that were merged or taken apart again, append-only.",
    )
    op.create_index(
        "ix_report_merge_into_report_id", "report_merge", ["into_report_id"], unique=False, schema="animal_control"
    )
    op.create_index("ix_report_merge_report_id", "report_merge", ["report_id"], unique=False, schema="animal_control")
    op.create_table(
        "desk_kept_answers",
        sa.Column("token_hash", sa.Text(), nullable=False, comment="Hash of the browser's token."),
        sa.Column("staff_id", sa.Uuid(), nullable=False, comment="Who typed them: nobody else reads them."),
        sa.Column("path", sa.Text(), nullable=False, comment="The page they were typed on."),
        sa.Column(
            "sealed", sa.Text(), nullable=False, comment="What was typed and chosen, sealed under the portal's key."
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False, comment="Removed after."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["staff_id"], ["portal.staff.id"], name=op.f("fk_desk_kept_answers_staff_id")),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_desk_kept_answers")),
        schema="portal",
        comment="Answers at the desk kept through a lost sign-in, sealed, each for one of the staff.",
    )
    op.create_index(
        "ix_desk_kept_answers_expires_at", "desk_kept_answers", ["expires_at"], unique=False, schema="portal"
    )
    op.create_index(
        op.f("ix_desk_kept_answers_staff_id"), "desk_kept_answers", ["staff_id"], unique=False, schema="portal"
    )
    op.create_table(
        "payment_question",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("key", sa.Text(), nullable=False, comment="What is asked once: the kind, and what it is about."),
        sa.Column(
            "kind",
            sa.Enum(
                "amount_differs",
                "paid_twice",
                "refund_failed",
                "refunded_there",
                "disputed",
                "unmatched",
                "missing",
                name="questionkind",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="What is wrong with it.",
        ),
        sa.Column(
            "payment_id", sa.Uuid(), nullable=True, comment="The payment; empty for money that is no payment of ours."
        ),
        sa.Column("order_id", sa.Uuid(), nullable=True, comment="The order it was asked for when the question arose."),
        sa.Column("charge_reference", sa.Text(), nullable=True, comment="The processor's payment, where it has one."),
        sa.Column("amount_cents", sa.Integer(), nullable=False, comment="How much came or is in question, in cents."),
        sa.Column(
            "currency",
            sa.Text(),
            server_default="usd",
            nullable=False,
            comment="In which currency: only usd pays a fee.",
        ),
        sa.Column(
            "told", sa.Text(), nullable=False, comment="What was found, in words for staff; never a person's name."
        ),
        sa.Column(
            "outcome",
            sa.Enum(
                "kept",
                "given_back",
                "set_against",
                "written_off",
                name="questionoutcome",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=True,
            comment="What was decided; empty until then.",
        ),
        sa.Column("reason", sa.Text(), nullable=True, comment="Why, as whoever decided said."),
        sa.Column("against_order_id", sa.Uuid(), nullable=True, comment="The order it pays instead."),
        sa.Column("decided_by", sa.Text(), nullable=True, comment="Who decided: staff, or the processor."),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True, comment="When."),
        sa.Column(
            "settled_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When it was done: of a card refund, when the processor had done it.",
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "outcome <> 'set_against' OR against_order_id IS NOT NULL",
            name=op.f("ck_payment_question_set_against_names_its_order"),
        ),
        sa.CheckConstraint(
            "(outcome IS NULL) = (reason IS NULL) AND (outcome IS NULL) = (decided_by IS NULL)"
            " AND (outcome IS NULL) = (decided_at IS NULL)",
            name=op.f("ck_payment_question_a_decision_is_whole"),
        ),
        sa.CheckConstraint("amount_cents >= 0", name=op.f("ck_payment_question_amount_not_negative")),
        sa.CheckConstraint(
            "payment_id IS NOT NULL OR charge_reference IS NOT NULL",
            name=op.f("ck_payment_question_is_about_something"),
        ),
        sa.CheckConstraint(
            "settled_at IS NULL OR outcome IS NOT NULL", name=op.f("ck_payment_question_settled_has_its_outcome")
        ),
        sa.ForeignKeyConstraint(
            ["against_order_id"], ["animal_control.fee_order.id"], name=op.f("fk_payment_question_against_order_id")
        ),
        sa.ForeignKeyConstraint(
            ["order_id"], ["animal_control.fee_order.id"], name=op.f("fk_payment_question_order_id")
        ),
        sa.ForeignKeyConstraint(
            ["payment_id"], ["animal_control.payment.id"], name=op.f("fk_payment_question_payment_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payment_question")),
        sa.UniqueConstraint("key", name=op.f("uq_payment_question_key")),
        schema="animal_control",
        comment="Money that a person has to settle, and how it was settled (90.18).",
    )
    op.create_index(
        op.f("ix_payment_question_against_order_id"),
        "payment_question",
        ["against_order_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        "ix_payment_question_open",
        "payment_question",
        ["created_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("settled_at IS NULL"),
    )
    op.create_index(
        op.f("ix_payment_question_order_id"), "payment_question", ["order_id"], unique=False, schema="animal_control"
    )
    op.create_index(
        "ix_payment_question_payment_id", "payment_question", ["payment_id"], unique=False, schema="animal_control"
    )
    op.add_column(
        "payment",
        sa.Column(
            "refund_decided_cents",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="How much of it staff decided to give back to the card so far, in cents.",
        ),
        schema="animal_control",
    )
    op.add_column(
        "report",
        sa.Column(
            "merged_into_id",
            sa.Uuid(),
            nullable=True,
            comment="The report an officer goes on with instead of this one, for officers alone.",
        ),
        schema="animal_control",
    )
    op.create_index(
        "ix_report_position",
        "report",
        ["latitude", "longitude"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("latitude IS NOT NULL"),
    )
    op.create_index(
        "ix_report_merged_into_id",
        "report",
        ["merged_into_id"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("merged_into_id IS NOT NULL"),
    )
    op.create_foreign_key(
        op.f("fk_report_merged_into_id"),
        "report",
        "report",
        ["merged_into_id"],
        ["id"],
        source_schema="animal_control",
        referent_schema="animal_control",
    )
    op.create_check_constraint(
        op.f("ck_report_never_merged_with_itself"), "report", "merged_into_id <> id", schema="animal_control"
    )
    op.execute(IS_ONLY_ADDED_TO)
    op.execute(IN_QUESTION)
    op.execute(WHAT_CAME)
    op.alter_column("payment", "amount_cents", comment=AFTER, existing_comment=BEFORE, schema="animal_control")


def downgrade() -> None:
    op.alter_column("payment", "amount_cents", comment=BEFORE, existing_comment=AFTER, schema="animal_control")
    op.drop_constraint(op.f("ck_report_never_merged_with_itself"), "report", schema="animal_control", type_="check")
    op.drop_constraint(op.f("fk_report_merged_into_id"), "report", schema="animal_control", type_="foreignkey")
    op.drop_index(
        "ix_report_merged_into_id",
        table_name="report",
        schema="animal_control",
        postgresql_where=sa.text("merged_into_id IS NOT NULL"),
    )
    op.drop_index("ix_report_position", table_name="report", schema="animal_control")
    op.drop_column("report", "merged_into_id", schema="animal_control")
    op.drop_column("payment", "refund_decided_cents", schema="animal_control")
    op.drop_index("ix_payment_question_payment_id", table_name="payment_question", schema="animal_control")
    op.drop_index(op.f("ix_payment_question_order_id"), table_name="payment_question", schema="animal_control")
    op.drop_index(
        "ix_payment_question_open",
        table_name="payment_question",
        schema="animal_control",
        postgresql_where=sa.text("settled_at IS NULL"),
    )
    op.drop_index(op.f("ix_payment_question_against_order_id"), table_name="payment_question", schema="animal_control")
    op.drop_table("payment_question", schema="animal_control")
    op.drop_index(op.f("ix_desk_kept_answers_staff_id"), table_name="desk_kept_answers", schema="portal")
    op.drop_index("ix_desk_kept_answers_expires_at", table_name="desk_kept_answers", schema="portal")
    op.drop_table("desk_kept_answers", schema="portal")
    op.drop_index("ix_report_merge_report_id", table_name="report_merge", schema="animal_control")
    op.drop_index("ix_report_merge_into_report_id", table_name="report_merge", schema="animal_control")
    op.drop_table("report_merge", schema="animal_control")
