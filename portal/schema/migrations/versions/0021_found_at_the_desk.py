"""Names, addresses, microchips and phones in any form are found at the desk by indexes; what it reads is logged.

No extension is needed: words stand in GIN indexes over functions, so rows that other software writes are found too.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

# COST: these are looked up in their index and never computed row by row, whatever the planner hopes of the first rows.
# A word is cut, since a text search takes none of 2 kB; more of a name than that is no name.
WORDS = """
CREATE FUNCTION animal_control.words(typed text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
AS $$
SELECT array_to_tsvector(array_remove(string_to_array(left(animal_control.folded(typed), 500), ' '), ''))
$$
"""
PARTS = """
CREATE FUNCTION animal_control.parts(typed text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
AS $$
SELECT ARRAY(
    SELECT DISTINCT substr(marked, place, 4)
    FROM (SELECT animal_control.mark(typed) AS marked) AS one, generate_series(1, length(marked) - 3) AS place)
$$
"""
PHONE_END = """
CREATE FUNCTION animal_control.phone_end(typed text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
AS $$ SELECT reverse(regexp_replace(typed, '[^0-9]', '', 'g')) $$
"""
SAID = {
    "words(text)": "The words of a name or an address as they are searched: folded, each once.",
    "parts(text)": "Every four neighbors of a number, letters and digits alone: what any part of it is found by.",
    "phone_end(text)": "The digits of a phone number from its end, so that the last ones find it.",
}
INDEXES = {
    "ix_animal_words": "animal USING gin (animal_control.words(name)) WITH (fastupdate = off)",
    "ix_animal_microchip_parts": "animal USING gin (animal_control.parts(microchip)) WITH (fastupdate = off)",
    "ix_person_words": "person USING gin (animal_control.words(name)) WITH (fastupdate = off)",
    "ix_person_phone_end": "person (animal_control.phone_end(coalesce(phone_e164, phone)) text_pattern_ops)",
    "ix_person_email_lower": "person (lower(email) text_pattern_ops)",
    "ix_payment_paid_at": "payment (paid_at) WHERE paid_at IS NOT NULL",
    "ix_premises_words": "premises USING gin (animal_control.words(match_key)) WITH (fastupdate = off)",
}


def upgrade() -> None:
    for function in (WORDS, PARTS, PHONE_END):
        op.execute(function)
    for signature, sentence in SAID.items():
        op.execute(f"COMMENT ON FUNCTION animal_control.{signature} IS '{sentence}'")
    for name, over in INDEXES.items():
        op.execute(f"CREATE INDEX {name} ON animal_control.{over}")
    op.create_table(
        "desk_reading",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("staff_id", sa.Uuid(), nullable=False, comment="Who read it."),
        sa.Column("what", sa.Text(), nullable=False, comment="What was read, in a word of the desk: reports, parties."),
        sa.Column("subject_table", sa.Text(), nullable=False, comment="Table of the row it is about."),
        sa.Column("subject_id", sa.Uuid(), nullable=False, comment="Key of that row."),
        sa.Column("why", sa.Text(), nullable=False, comment="Why, as they said."),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=False, comment="When."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["staff_id"], ["portal.staff.id"], name=op.f("fk_desk_reading_staff_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_desk_reading")),
        schema="portal",
        comment="Who read confidential data at the desk, of what, when and why (13.055).",
    )
    op.create_index(
        "ix_desk_reading_subject", "desk_reading", ["subject_id", "what", "staff_id", "read_at"], schema="portal"
    )
    op.create_index(op.f("ix_desk_reading_staff_id"), "desk_reading", ["staff_id"], schema="portal")


def downgrade() -> None:
    op.drop_table("desk_reading", schema="portal")
    for name in reversed(INDEXES):
        op.execute(f"DROP INDEX animal_control.{name}")
    for signature in reversed(SAID):
        op.execute(f"DROP FUNCTION animal_control.{signature}")
