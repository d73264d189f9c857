"""Money handed back over the counter, letters sent again, new mailboxes asked for at the desk, records joined"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

AS_OWNER = "SECURITY DEFINER SET search_path = pg_catalog, pg_temp"
# Refunds that were given before this table was there stand in the feed, with who gave them and when.
GIVEN_BEFORE = """
INSERT INTO animal_control.counter_refund (payment_id, amount_cents, ledger_code, given_by, why, given_at)
SELECT payment.id, (event.detail ->> 'amount_cents')::integer,
    (SELECT line.ledger_code FROM animal_control.fee_order_line AS line
     WHERE line.order_id = payment.order_id ORDER BY line.amount_cents DESC, line.id LIMIT 1),
    substr(event.actor, length('officer:') + 1), coalesce(payment.note, ''), event.happened_at
FROM animal_control.event JOIN animal_control.payment ON payment.id = event.subject_id
WHERE event.kind = 'payment.given_back' AND payment.method = 'counter'
"""
# How many wait, of those that the desk may know of.
FAILED_COUNT = f"""
CREATE FUNCTION portal.failed_letters_count() RETURNS bigint LANGUAGE sql STABLE {AS_OWNER} AS $$
    SELECT count(*) FROM portal.outgoing_message AS m
    WHERE m.failed_at IS NOT NULL AND m.handled_at IS NULL AND NOT m.is_confidential AND NOT m.is_secret
        AND m.channel = 'email'
$$
"""  # noqa: S608
# Who signs in with a mailbox, or did before they proved another, and which one they are asked about now.
MAILBOX_OWNERS = f"""
CREATE FUNCTION portal.mailbox_owners(mailbox text, moment timestamptz)
RETURNS TABLE (account_id uuid, person_id uuid, email text, is_theirs_now boolean, asked_email text)
LANGUAGE sql STABLE {AS_OWNER} ROWS 2 AS $$
    SELECT a.id, a.person_id, a.email, a.email_key = lower(btrim(mailbox)), asked.new_email
    FROM portal.account AS a
    LEFT JOIN portal.email_change AS asked
        ON asked.account_id = a.id AND asked.ended_at IS NULL AND asked.expires_at > moment
    WHERE a.closed_at IS NULL AND a.id IN (
        SELECT account.id FROM portal.account WHERE account.email_key = lower(btrim(mailbox))
        UNION SELECT c.account_id FROM portal.email_change AS c WHERE c.old_email = mailbox
    )
$$
"""  # noqa: S608
# The same letter goes to the mailbox it was for, or to the one that its owner has proved since: to no other.
SEND_AGAIN = f"""
CREATE FUNCTION portal.send_letter_again(wanted uuid, mailbox text, staff text, moment timestamptz)
RETURNS boolean LANGUAGE plpgsql VOLATILE {AS_OWNER} AS $$
DECLARE
    letter portal.outgoing_message;
BEGIN
    SELECT * INTO letter FROM portal.outgoing_message AS m
    WHERE m.id = wanted AND m.failed_at IS NOT NULL AND m.handled_at IS NULL
        AND NOT m.is_confidential AND NOT m.is_secret AND m.channel = 'email'
    FOR UPDATE;
    IF NOT FOUND OR mailbox <> letter.recipient AND NOT EXISTS (
        SELECT FROM portal.account JOIN portal.email_change ON email_change.account_id = account.id
        WHERE account.email = mailbox AND account.closed_at IS NULL AND email_change.old_email = letter.recipient
    ) THEN
        RETURN false;
    END IF;
    INSERT INTO portal.outgoing_message (channel, recipient, template, context, not_before)
    VALUES (letter.channel, mailbox, letter.template, letter.context, moment);
    UPDATE portal.outgoing_message AS m SET handled_by = staff, handled_at = moment WHERE m.id = wanted;
    PERFORM pg_notify('portal_outbox', '');
    RETURN true;
END
$$
"""  # noqa: S608
# The old mailbox says yes by the city's word, since nothing arrives there. The new one has to say yes itself.
ASK_MAILBOX = f"""
CREATE FUNCTION portal.ask_new_mailbox(
    wanted uuid, mailbox text, old_hash text, new_hash text, until timestamptz, moment timestamptz
) RETURNS boolean LANGUAGE plpgsql VOLATILE {AS_OWNER} AS $$
BEGIN
    PERFORM FROM portal.account WHERE account.id = wanted AND account.closed_at IS NULL FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE portal.email_change AS c SET ended_at = moment WHERE c.account_id = wanted AND c.ended_at IS NULL;
    INSERT INTO portal.email_change
        (account_id, new_email, old_token_hash, new_token_hash, old_confirmed_at, expires_at)
    VALUES (wanted, mailbox, old_hash, new_hash, moment, until);
    RETURN true;
END
$$
"""  # noqa: S608
# A mailbox that acts for nobody yet acts for somebody from the counter, whom no mailbox acts for.
GIVE_RECORD = f"""
CREATE FUNCTION portal.give_record(mailbox_key text, person uuid)
RETURNS boolean LANGUAGE plpgsql VOLATILE {AS_OWNER} AS $$
BEGIN
    UPDATE portal.account AS a SET person_id = person
    WHERE a.email_key = mailbox_key AND a.person_id IS NULL AND a.closed_at IS NULL
        AND NOT EXISTS (SELECT FROM portal.account AS other WHERE other.person_id = person);
    RETURN FOUND;
END
$$
"""  # noqa: S608
FUNCTIONS = {
    "portal.failed_letters_count()": FAILED_COUNT,
    "portal.mailbox_owners(text, timestamptz)": MAILBOX_OWNERS,
    "portal.send_letter_again(uuid, text, text, timestamptz)": SEND_AGAIN,
    "portal.ask_new_mailbox(uuid, text, text, text, timestamptz, timestamptz)": ASK_MAILBOX,
    "portal.give_record(text, uuid)": GIVE_RECORD,
}


def upgrade() -> None:
    op.create_table(
        "counter_refund",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("payment_id", sa.Uuid(), nullable=False, comment="The payment it was part of."),
        sa.Column("amount_cents", sa.Integer(), nullable=False, comment="Given back, in cents."),
        sa.Column("ledger_code", sa.Text(), nullable=False, comment="Account it is taken from (90.04(B)(7))."),
        sa.Column("given_by", sa.Text(), nullable=False, comment="Staff who handed it over."),
        sa.Column("why", sa.Text(), nullable=False, comment="Why, in their words."),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False, comment="When it was handed over."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint("amount_cents > 0", name=op.f("ck_counter_refund_amount_positive")),
        sa.ForeignKeyConstraint(
            ["payment_id"], ["animal_control.payment.id"], name=op.f("fk_counter_refund_payment_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_counter_refund")),
        schema="animal_control",
        comment="Money handed back over the counter, in the till of the day it was given (90.18).",
    )
    op.create_index("ix_counter_refund_given_at", "counter_refund", ["given_at"], schema="animal_control")
    op.create_index("ix_counter_refund_payment_id", "counter_refund", ["payment_id"], schema="animal_control")
    op.execute(GIVEN_BEFORE)
    joined = "The record of the same person that this one was joined to, with all it had; empty otherwise."
    op.add_column(
        "person", sa.Column("joined_to_id", sa.Uuid(), nullable=True, comment=joined), schema="animal_control"
    )
    op.create_foreign_key(
        op.f("fk_person_joined_to_id"),
        "person",
        "person",
        ["joined_to_id"],
        ["id"],
        source_schema="animal_control",
        referent_schema="animal_control",
    )
    op.create_index(
        "ix_person_joined_to_id",
        "person",
        ["joined_to_id"],
        schema="animal_control",
        postgresql_where=sa.text("joined_to_id IS NOT NULL"),
    )
    op.create_index(
        "ix_hearing_request_to_be_received",
        "hearing_request",
        ["decided_on"],
        schema="animal_control",
        postgresql_where=sa.text("outcome = 'upheld' AND decision_received_on IS NULL"),
    )
    op.create_index(
        "ix_clinic_filing_open",
        "clinic_filing",
        ["created_at"],
        schema="animal_control",
        postgresql_where=sa.text("state IN ('waiting', 'unsure')"),
    )
    op.create_index("ix_license_animal_id", "license", ["animal_id"], schema="animal_control")
    op.create_index("ix_tag_license_id", "tag", ["license_id"], schema="animal_control")
    op.create_index(
        "ix_dangerous_designation_noticed_on", "dangerous_designation", ["noticed_on"], schema="animal_control"
    )
    for statement in FUNCTIONS.values():
        op.execute(statement)


def downgrade() -> None:
    for function in reversed(FUNCTIONS):
        op.execute(f"DROP FUNCTION {function}")
    op.drop_index("ix_clinic_filing_open", table_name="clinic_filing", schema="animal_control")
    op.drop_index("ix_tag_license_id", table_name="tag", schema="animal_control")
    op.drop_index("ix_license_animal_id", table_name="license", schema="animal_control")
    op.drop_index("ix_dangerous_designation_noticed_on", table_name="dangerous_designation", schema="animal_control")
    op.drop_index("ix_hearing_request_to_be_received", table_name="hearing_request", schema="animal_control")
    op.drop_index("ix_person_joined_to_id", table_name="person", schema="animal_control")
    op.drop_constraint(op.f("fk_person_joined_to_id"), "person", schema="animal_control")
    op.drop_column("person", "joined_to_id", schema="animal_control")
    op.drop_table("counter_refund", schema="animal_control")
