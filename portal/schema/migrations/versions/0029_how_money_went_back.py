"""How money went back: to the card, over the counter or another way; in which refund, and beyond what was paid"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

# Until now what staff gave by hand was settled in the very instant it was decided, and what went to a card later, once
# the processor had said so. Of the first, what was handed over left the till at that moment, for the same reason.
WENT_BACK = """
UPDATE animal_control.payment_question AS q SET refund_method =
    CASE WHEN q.decided_by = 'processor' OR q.kind = 'refunded_there' OR q.settled_at IS NULL
              OR q.settled_at > q.decided_at THEN 'card'
         WHEN EXISTS (
             SELECT FROM animal_control.counter_refund AS c
             WHERE c.payment_id = q.payment_id AND c.given_by = q.decided_by AND c.why = q.reason
                 AND c.given_at BETWEEN q.decided_at AND q.decided_at + interval '10 seconds'
         ) THEN 'counter'
         ELSE 'other' END
WHERE q.outcome = 'given_back'
"""

# More than was paid was a question for each sum that the processor told of, each beyond what was paid.
OVER = """
UPDATE animal_control.payment AS p SET refunded_over_cents = asked.cents
FROM (
    SELECT payment_id, max(amount_cents) AS cents FROM animal_control.payment_question
    WHERE key LIKE 'refunded_there:' || payment_id || ':%' GROUP BY payment_id
) AS asked
WHERE asked.payment_id = p.id AND p.refunded_cents = p.amount_cents
"""


def upgrade() -> None:
    op.add_column(
        "payment",
        sa.Column(
            "refunds_decided",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="How many refunds to the card staff decided so far: the processor does each once.",
        ),
        schema="animal_control",
    )
    op.add_column(
        "payment",
        sa.Column(
            "refunded_over_cents",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="How much more than was paid went back, by card and by hand together, in cents.",
        ),
        schema="animal_control",
    )
    op.add_column(
        "payment_question",
        sa.Column(
            "refund_method",
            sa.Enum(
                "card",
                "counter",
                "other",
                name="refundmethod",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=True,
            comment="How it goes back: to the card, over the counter, or another way; empty where nothing goes back.",
        ),
        schema="animal_control",
    )
    op.execute(WENT_BACK)
    op.execute(OVER)
    op.create_check_constraint(
        op.f("ck_payment_question_refund_method_of_what_went_back"),
        "payment_question",
        "refund_method IS NULL OR outcome = 'given_back'",
        schema="animal_control",
    )


def downgrade() -> None:
    op.drop_column("payment", "refunded_over_cents", schema="animal_control")
    op.drop_column("payment", "refunds_decided", schema="animal_control")
    op.drop_constraint(
        op.f("ck_payment_question_refund_method_of_what_went_back"),
        "payment_question",
        schema="animal_control",
        type_="check",
    )
    op.drop_column("payment_question", "refund_method", schema="animal_control")
