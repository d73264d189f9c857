"""Names and numbers folded for comparing, so that every look-up of a filing's animal is indexed.

The database folds them itself, in indexes over functions: rows that other software writes are found too.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# The same steps as portal/services/folding.py; a test holds the two together.
FOLDED = r"""
CREATE FUNCTION animal_control.folded(typed text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
SELECT btrim(regexp_replace(
    replace(replace(translate(lower(
        regexp_replace(normalize(typed, NFD), '[\u0027\u2019\u0300-\u036f]', '', 'g')
    ), 'ĐđØøŁł', 'ddooll'), 'ß', 'ss'), 'æ', 'ae'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bb\u00bf\u00d7\u00f7\u2000-\u206f\u2190-\u2bff\u3000-\u303f'
    '\ufe00-\ufe0f\U0001f000-\U0001faff]+', ' ', 'g'))
$$
"""
SURNAME = r"""
CREATE FUNCTION animal_control.surname(name text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
SELECT regexp_replace(regexp_replace(
    animal_control.folded(CASE
        WHEN position(',' IN name) > 0 AND animal_control.folded(split_part(name, ',', 1)) <> ''
        THEN split_part(name, ',', 1) ELSE name END),
    '( (jr|sr|ii|iii|iv|md|dvm))+$', ''), '^.* ', '')
$$
"""
MARK = """
CREATE FUNCTION animal_control.mark(typed text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT nullif(upper(regexp_replace(typed, '[^0-9A-Za-z]', '', 'g')), '') $$
"""
SAID = {
    "folded(text)": "A name as it is compared: lower case, without accents, signs and double blanks.",
    "surname(text)": "The folded family name of a name however it is written.",
    "mark(text)": "A microchip or rabies tag number as it is compared: letters and digits, capitals.",
}
WAITING = "state IN ('waiting', 'unsure')"


def upgrade() -> None:
    for function in (FOLDED, SURNAME, MARK):
        op.execute(function)
    for signature, sentence in SAID.items():
        op.execute(f"COMMENT ON FUNCTION animal_control.{signature} IS '{sentence}'")
    op.create_index("ix_person_surname", "person", [sa.text("animal_control.surname(name)")], schema="animal_control")
    op.create_index(
        "ix_animal_microchip_mark", "animal", [sa.text("animal_control.mark(microchip)")], schema="animal_control"
    )
    op.create_index(
        "ix_vaccination_rabies_tag_mark",
        "vaccination",
        [sa.text("animal_control.mark(rabies_tag)")],
        schema="animal_control",
    )
    op.add_column(
        "clinic_filing",
        sa.Column(
            "looked_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When it was last compared with the animals we know; empty until the worker has.",
        ),
        schema="animal_control",
    )
    op.create_index(
        "ix_clinic_filing_looked_at",
        "clinic_filing",
        [sa.text("looked_at NULLS FIRST")],
        schema="animal_control",
        postgresql_where=sa.text(WAITING),
    )


def downgrade() -> None:
    op.drop_index("ix_clinic_filing_looked_at", table_name="clinic_filing", schema="animal_control")
    op.drop_column("clinic_filing", "looked_at", schema="animal_control")
    op.drop_index("ix_vaccination_rabies_tag_mark", table_name="vaccination", schema="animal_control")
    op.drop_index("ix_animal_microchip_mark", table_name="animal", schema="animal_control")
    op.drop_index("ix_person_surname", table_name="person", schema="animal_control")
    for signature in reversed(SAID):
        op.execute(f"DROP FUNCTION animal_control.{signature}")
