"""Lost and found notices, sightings, likely matches; talks that begin with a notice"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "notice_draft",
        sa.Column("token_hash", sa.Text(), nullable=False, comment="Hash of the browser's secret."),
        sa.Column(
            "answers",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default="{}",
            nullable=False,
            comment="Answers so far.",
        ),
        sa.Column(
            "photo",
            postgresql.JSONB(none_as_null=True, astext_type=sa.Text()),
            nullable=True,
            comment="The picture so far: its keys in the file store, width, height.",
        ),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="Last saved.",
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False, comment="Removed after."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_notice_draft")),
        schema="portal",
        comment="Notices not sent yet, by the secret of the browser.",
    )
    op.create_index("ix_notice_draft_expires_at", "notice_draft", ["expires_at"], unique=False, schema="portal")
    op.create_table(
        "pet_notice",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column(
            "reference", sa.Text(), nullable=False, comment="Its place in an address, like 4K7PQ-XRM2T; no right."
        ),
        sa.Column(
            "kind",
            sa.Enum("lost", "found", name="noticekind", native_enum=False, create_constraint=True, length=40),
            nullable=False,
            comment="Missing, or found.",
        ),
        sa.Column(
            "state",
            sa.Enum(
                "checking",
                "shown",
                "home",
                "withdrawn",
                "expired",
                "taken_down",
                name="noticestate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="Only `shown` is on the board.",
        ),
        sa.Column(
            "animal_id",
            sa.Uuid(),
            nullable=True,
            comment="The registered animal that is missing, if it is one. Never public.",
        ),
        sa.Column(
            "species",
            sa.Enum(
                "dog",
                "cat",
                "bird",
                "rabbit",
                "ferret",
                "small_animal",
                "reptile",
                "farm_animal",
                "other",
                name="noticespecies",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="Any species.",
        ),
        sa.Column(
            "species_text", sa.Text(), server_default="", nullable=False, comment="Which, as typed, of another kind."
        ),
        sa.Column(
            "name",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="What it is called; empty for one that was found.",
        ),
        sa.Column(
            "breed", sa.Text(), server_default="", nullable=False, comment="Breed as typed, or what it looks like."
        ),
        sa.Column("color", sa.Text(), server_default="", nullable=False, comment="Colors as typed."),
        sa.Column(
            "sex",
            sa.Enum("female", "male", name="sex", native_enum=False, create_constraint=True, length=40),
            nullable=True,
            comment="Sex; empty when not known.",
        ),
        sa.Column(
            "size",
            sa.Enum("small", "medium", "large", name="size", native_enum=False, create_constraint=True, length=40),
            nullable=True,
            comment="Size; empty when not said.",
        ),
        sa.Column("marks", sa.Text(), server_default="", nullable=False, comment="What else one can see of it."),
        sa.Column("wears", sa.Text(), server_default="", nullable=False, comment="Collar, harness, coat, as typed."),
        sa.Column(
            "temperament",
            sa.Enum(
                "friendly", "shy", "may_bite", name="temperament", native_enum=False, create_constraint=True, length=40
            ),
            nullable=True,
            comment="Friendly, shy, may bite.",
        ),
        sa.Column("what_to_do", sa.Text(), server_default="", nullable=False, comment="What to do when it is seen."),
        sa.Column("place_text", sa.Text(), nullable=False, comment="Where it was last seen, or found, as typed."),
        sa.Column("latitude", sa.Double(), nullable=True, comment="There, if the phone was asked."),
        sa.Column("longitude", sa.Double(), nullable=True, comment="There, if the phone was asked."),
        sa.Column("happened_on", sa.Date(), nullable=False, comment="The day it was last seen, or found."),
        sa.Column(
            "happened_at", sa.DateTime(timezone=True), nullable=True, comment="The instant, where the time is known."
        ),
        sa.Column(
            "photo_key", sa.Text(), nullable=True, comment="A clean JPEG in the file store; emptied when it is over."
        ),
        sa.Column("thumbnail_key", sa.Text(), nullable=True, comment="The same picture, small."),
        sa.Column("photo_width", sa.Integer(), nullable=True, comment="Width of the picture in pixels."),
        sa.Column("photo_height", sa.Integer(), nullable=True, comment="Height of the picture in pixels."),
        sa.Column(
            "holding",
            sa.Enum(
                "sighted", "following", "held", name="holding", native_enum=False, create_constraint=True, length=40
            ),
            nullable=True,
            comment="Of one that was found: only seen, followed, or taken in.",
        ),
        sa.Column(
            "confined_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When it was taken in: the police are told within two hours (90.11(B)).",
        ),
        sa.Column("shown_phone", sa.Text(), nullable=True, comment="A phone as typed that its owner wants shown."),
        sa.Column("flagged_for", sa.Text(), nullable=True, comment="Why somebody looks at it. Never public."),
        sa.Column(
            "looked_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When somebody of the city looked. Never public.",
        ),
        sa.Column(
            "renewed_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it was last said that it still holds.",
        ),
        sa.Column(
            "asked_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When it was asked, since then, whether it does.",
        ),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True, comment="When it was over."),
        sa.Column(
            "changed_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When it last changed.",
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "(kind = 'found') = (holding IS NOT NULL)", name=op.f("ck_pet_notice_a_found_one_says_how_it_is_held")
        ),
        sa.CheckConstraint(
            "(state IN ('checking', 'shown')) = (closed_at IS NULL)",
            name=op.f("ck_pet_notice_whatever_is_over_says_since_when"),
        ),
        sa.CheckConstraint(
            "confined_at IS NULL OR holding = 'held'", name=op.f("ck_pet_notice_only_a_held_one_was_taken_in")
        ),
        sa.CheckConstraint(
            "shown_phone IS NULL OR kind = 'lost'", name=op.f("ck_pet_notice_only_an_owner_shows_a_phone")
        ),
        sa.CheckConstraint(
            "state NOT IN ('home', 'withdrawn') OR (photo_key IS NULL AND shown_phone IS NULL)",
            name=op.f("ck_pet_notice_picture_and_phone_go_with_the_notice"),
        ),
        sa.CheckConstraint("(latitude IS NULL) = (longitude IS NULL)", name=op.f("ck_pet_notice_a_position_is_whole")),
        sa.CheckConstraint(
            "(photo_key IS NULL) = (thumbnail_key IS NULL)", name=op.f("ck_pet_notice_a_picture_has_its_small_one")
        ),
        sa.ForeignKeyConstraint(["animal_id"], ["animal_control.animal.id"], name=op.f("fk_pet_notice_animal_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pet_notice")),
        sa.UniqueConstraint("reference", name=op.f("uq_pet_notice_reference")),
        schema="animal_control",
        comment="A pet that is missing, or one that was found (90.07, 90.11(B)).",
    )
    op.create_index(
        "ix_pet_notice_animal_id",
        "pet_notice",
        ["animal_id"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("animal_id IS NOT NULL"),
    )
    op.create_index(
        "ix_pet_notice_board",
        "pet_notice",
        ["kind", sa.literal_column("created_at DESC"), sa.literal_column("id DESC")],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state = 'shown'"),
    )
    op.create_index(
        "ix_pet_notice_board_species",
        "pet_notice",
        ["kind", "species", sa.literal_column("created_at DESC"), sa.literal_column("id DESC")],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state = 'shown'"),
    )
    op.create_index(
        "ix_pet_notice_checking",
        "pet_notice",
        ["created_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state = 'checking'"),
    )
    op.create_index(
        "ix_pet_notice_match",
        "pet_notice",
        ["kind", "species", "happened_on"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state = 'shown'"),
    )
    op.create_index(
        "ix_pet_notice_photo_key",
        "pet_notice",
        ["photo_key"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("photo_key IS NOT NULL"),
    )
    op.create_index(
        "ix_pet_notice_renewed_at",
        "pet_notice",
        ["renewed_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("state = 'shown'"),
    )
    op.create_table(
        "notice_abuse",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("notice_id", sa.Uuid(), nullable=False, comment="The notice."),
        sa.Column(
            "kind",
            sa.Enum(
                "not_theirs",
                "scam",
                "offensive",
                "other",
                name="abusekind",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="What is wrong with it.",
        ),
        sa.Column("text", sa.Text(), server_default="", nullable=False, comment="More, as typed."),
        sa.Column("looked_at", sa.DateTime(timezone=True), nullable=True, comment="When somebody of the city looked."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(
            ["notice_id"], ["animal_control.pet_notice.id"], name=op.f("fk_notice_abuse_notice_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice_abuse")),
        schema="animal_control",
        comment="Complaints about notices. Never public.",
    )
    op.create_index("ix_notice_abuse_notice_id", "notice_abuse", ["notice_id"], unique=False, schema="animal_control")
    op.create_index(
        "ix_notice_abuse_waiting",
        "notice_abuse",
        ["created_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("looked_at IS NULL"),
    )
    op.create_table(
        "notice_match",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("lost_notice_id", sa.Uuid(), nullable=True, comment="The notice of the missing one."),
        sa.Column("animal_id", sa.Uuid(), nullable=True, comment="A registered animal that nobody gave notice of."),
        sa.Column("found_notice_id", sa.Uuid(), nullable=True, comment="The notice of the found one."),
        sa.Column("impoundment_id", sa.Uuid(), nullable=True, comment="The animal at the pound."),
        sa.Column("score", sa.Integer(), nullable=False, comment="How likely, of a hundred."),
        sa.Column(
            "reasons",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default="[]",
            nullable=False,
            comment="Why, in words for people.",
        ),
        sa.Column(
            "told_at", sa.DateTime(timezone=True), nullable=True, comment="When the owner was told; they are told once."
        ),
        sa.Column(
            "dismissed_at", sa.DateTime(timezone=True), nullable=True, comment="When the owner said that it is another."
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "num_nonnulls(found_notice_id, impoundment_id) = 1", name=op.f("ck_notice_match_one_that_was_found")
        ),
        sa.CheckConstraint(
            "num_nonnulls(lost_notice_id, animal_id) = 1", name=op.f("ck_notice_match_one_that_is_missing")
        ),
        sa.CheckConstraint("score BETWEEN 0 AND 100", name=op.f("ck_notice_match_score_of_a_hundred")),
        sa.ForeignKeyConstraint(["animal_id"], ["animal_control.animal.id"], name=op.f("fk_notice_match_animal_id")),
        sa.ForeignKeyConstraint(
            ["found_notice_id"], ["animal_control.pet_notice.id"], name=op.f("fk_notice_match_found_notice_id")
        ),
        sa.ForeignKeyConstraint(
            ["lost_notice_id"], ["animal_control.pet_notice.id"], name=op.f("fk_notice_match_lost_notice_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice_match")),
        schema="animal_control",
        comment="Two that may be the same animal, each pair once. Never public.",
    )
    op.create_index(
        "ix_notice_match_animal_id",
        "notice_match",
        ["animal_id"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("animal_id IS NOT NULL"),
    )
    op.create_index(
        "ix_notice_match_found_notice_id",
        "notice_match",
        ["found_notice_id"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("found_notice_id IS NOT NULL"),
    )
    op.create_index(
        "ix_notice_match_impoundment_id",
        "notice_match",
        ["impoundment_id"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("impoundment_id IS NOT NULL"),
    )
    op.create_index(
        "ix_notice_match_untold",
        "notice_match",
        ["created_at"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("told_at IS NULL"),
    )
    op.create_index(
        "uq_notice_match_pair",
        "notice_match",
        ["lost_notice_id", "animal_id", "found_notice_id", "impoundment_id"],
        unique=True,
        schema="animal_control",
        postgresql_nulls_not_distinct=True,
    )
    op.create_table(
        "sighting",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("notice_id", sa.Uuid(), nullable=False, comment="The notice."),
        sa.Column(
            "holding",
            sa.Enum(
                "sighted", "following", "held", name="holding", native_enum=False, create_constraint=True, length=40
            ),
            nullable=False,
            comment="Only seen, followed, or taken in.",
        ),
        sa.Column("confined_at", sa.DateTime(timezone=True), nullable=True, comment="When it was taken in (90.11(B))."),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False, comment="When it was seen."),
        sa.Column("place_text", sa.Text(), nullable=False, comment="Where, as typed."),
        sa.Column("latitude", sa.Double(), nullable=True, comment="There, if the phone was asked."),
        sa.Column("longitude", sa.Double(), nullable=True, comment="There, if the phone was asked."),
        sa.Column(
            "is_suspicious", sa.Boolean(), server_default="false", nullable=False, comment="A spam trap was filled in."
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint(
            "confined_at IS NULL OR holding = 'held'", name=op.f("ck_sighting_only_a_held_one_was_taken_in")
        ),
        sa.CheckConstraint("(latitude IS NULL) = (longitude IS NULL)", name=op.f("ck_sighting_a_position_is_whole")),
        sa.ForeignKeyConstraint(["notice_id"], ["animal_control.pet_notice.id"], name=op.f("fk_sighting_notice_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sighting")),
        schema="animal_control",
        comment="Somebody saw a missing pet, or has it. Its key is that of the talk.",
    )
    op.create_index(
        "ix_sighting_notice_id_created_at",
        "sighting",
        ["notice_id", "created_at"],
        unique=False,
        schema="animal_control",
    )
    op.create_table(
        "notice_link",
        sa.Column("token_hash", sa.Text(), nullable=False, comment="Hash of the link's token."),
        sa.Column("notice_id", sa.Uuid(), nullable=False, comment="The notice it opens."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["notice_id"], ["animal_control.pet_notice.id"], name=op.f("fk_notice_link_notice_id")),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_notice_link")),
        schema="portal",
        comment="Private links of finders to their notices, hashed.",
    )
    op.create_index("ix_notice_link_notice_id", "notice_link", ["notice_id"], unique=False, schema="portal")
    op.create_table(
        "notice_private",
        sa.Column("notice_id", sa.Uuid(), nullable=False, comment="The notice."),
        sa.Column(
            "account_id",
            sa.Uuid(),
            nullable=True,
            comment="Whose it is; empty for a finder without a sign-in, who has a link.",
        ),
        sa.Column(
            "email",
            sa.Text(),
            nullable=True,
            comment="Where a finder without a sign-in wants to be written to, as typed.",
        ),
        sa.Column("phone", sa.Text(), nullable=True, comment="A finder's phone as typed, for animal control alone."),
        sa.Column(
            "withheld_mark", sa.Text(), server_default="", nullable=False, comment="A mark that a true finder can name."
        ),
        sa.Column(
            "chip", sa.Text(), server_default="", nullable=False, comment="Microchip number, blanks and dashes removed."
        ),
        sa.Column(
            "tag",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="Number on the tag that a found one wears, as typed.",
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(["account_id"], ["portal.account.id"], name=op.f("fk_notice_private_account_id")),
        sa.ForeignKeyConstraint(
            ["notice_id"], ["animal_control.pet_notice.id"], name=op.f("fk_notice_private_notice_id")
        ),
        sa.PrimaryKeyConstraint("notice_id", name=op.f("pk_notice_private")),
        schema="portal",
        comment="Who filed a notice, and what is withheld of it. Never public.",
    )
    op.create_index(
        "ix_notice_private_account_id",
        "notice_private",
        ["account_id"],
        unique=False,
        schema="portal",
        postgresql_where=sa.text("account_id IS NOT NULL"),
    )
    op.create_index(
        "ix_notice_private_chip_mark",
        "notice_private",
        [sa.literal_column("animal_control.mark(chip)")],
        unique=False,
        schema="portal",
        postgresql_where=sa.text("chip <> ''"),
    )
    op.add_column(
        "relay", sa.Column("notice_id", sa.Uuid(), nullable=True, comment="The notice it begins with."), schema="portal"
    )
    op.alter_column(
        "relay",
        "animal_id",
        existing_type=sa.UUID(),
        nullable=True,
        comment="The animal whose tag was read.",
        existing_comment="The animal.",
        schema="portal",
    )
    op.create_index(
        "ix_relay_notice_id_created_at",
        "relay",
        ["notice_id", "created_at"],
        unique=False,
        schema="portal",
        postgresql_where=sa.text("notice_id IS NOT NULL"),
    )
    op.create_foreign_key(
        op.f("fk_relay_notice_id"),
        "relay",
        "pet_notice",
        ["notice_id"],
        ["id"],
        source_schema="portal",
        referent_schema="animal_control",
    )
    op.create_check_constraint(
        op.f("ck_relay_begins_with_a_tag_or_a_notice"),
        "relay",
        "num_nonnulls(animal_id, notice_id) = 1",
        schema="portal",
    )


def downgrade() -> None:
    # A talk that began with a notice has no animal, and nobody could open it.
    op.execute(
        "DELETE FROM portal.relay_message m USING portal.relay r WHERE r.id = m.relay_id AND r.animal_id IS NULL"
    )
    op.execute("DELETE FROM portal.relay_link l USING portal.relay r WHERE r.id = l.relay_id AND r.animal_id IS NULL")
    op.execute("DELETE FROM portal.relay WHERE animal_id IS NULL")
    op.drop_constraint(op.f("ck_relay_begins_with_a_tag_or_a_notice"), "relay", schema="portal", type_="check")
    op.drop_constraint(op.f("fk_relay_notice_id"), "relay", schema="portal", type_="foreignkey")
    op.drop_index(
        "ix_relay_notice_id_created_at",
        table_name="relay",
        schema="portal",
        postgresql_where=sa.text("notice_id IS NOT NULL"),
    )
    op.alter_column(
        "relay",
        "animal_id",
        existing_type=sa.UUID(),
        nullable=False,
        comment="The animal.",
        existing_comment="The animal whose tag was read.",
        schema="portal",
    )
    op.drop_column("relay", "notice_id", schema="portal")
    op.drop_table("notice_private", schema="portal")
    op.drop_table("notice_link", schema="portal")
    op.drop_table("notice_draft", schema="portal")
    op.drop_table("sighting", schema="animal_control")
    op.drop_table("notice_match", schema="animal_control")
    op.drop_table("notice_abuse", schema="animal_control")
    op.drop_table("pet_notice", schema="animal_control")
