"""Reminders of the days of designated dogs"""

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

KINDS = ("renewal", "certificate", "unpaid_order", "unfinished", "puppy")
NEW_KIND = "dangerous"
BEFORE = "The license, vaccination, order, draft or animal it is about."
AFTER = "The license, vaccination, order, draft, animal or designation it is about."


def upgrade() -> None:
    _offer((*KINDS, NEW_KIND))
    op.alter_column("reminder", "subject_id", comment=AFTER, existing_comment=BEFORE, schema="portal")


def downgrade() -> None:
    op.execute(f"DELETE FROM portal.reminder WHERE kind = '{NEW_KIND}'")  # noqa: S608 - our own word
    _offer(KINDS)
    op.alter_column("reminder", "subject_id", comment=BEFORE, existing_comment=AFTER, schema="portal")


def _offer(words: tuple[str, ...]) -> None:
    """The column takes these words from now on."""
    name = op.f("ck_reminder_reminderkind")
    op.drop_constraint(name, "reminder", schema="portal", type_="check")
    offered = ", ".join(f"'{word}'" for word in words)
    op.create_check_constraint(name, "reminder", f"kind IN ({offered})", schema="portal")
