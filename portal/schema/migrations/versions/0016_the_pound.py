"""Animals at the pound, and apart from them whom they came from and went to"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "impoundment",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column(
            "basis",
            sa.Enum(
                "at_large",
                "no_tag",
                "quarantine",
                "seized",
                name="impoundbasis",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="Why: at_large or no_tag (90.07(A)) are shown to everyone, the others to nobody.",
        ),
        sa.Column(
            "species", sa.Text(), nullable=False, comment="Species in one plain word: dog, cat, rabbit (90.07(E)(1))."
        ),
        sa.Column(
            "breed",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="Breed as it looks; never used for risk or fees.",
        ),
        sa.Column("color", sa.Text(), server_default="", nullable=False, comment="Colors as they look."),
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
            comment="Size beside others of its species.",
        ),
        sa.Column("age_text", sa.Text(), server_default="", nullable=False, comment="Approximate age in words."),
        sa.Column(
            "marks", sa.Text(), server_default="", nullable=False, comment="Other distinguishing traits: marks, collar."
        ),
        sa.Column(
            "area",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="Where it was seized, as everyone reads it: a block.",
        ),
        sa.Column(
            "place", sa.Text(), nullable=False, comment="Where it was seized, exactly (90.07(E)(2)); for the city."
        ),
        sa.Column("latitude", sa.Double(), nullable=True, comment="Where, if known; for finding its owner's notice."),
        sa.Column("longitude", sa.Double(), nullable=True, comment="Where, if known; for finding its owner's notice."),
        sa.Column("seized_on", sa.Date(), nullable=False, comment="The day it was seized and impounded (90.07(E)(3))."),
        sa.Column("microchip", sa.Text(), nullable=True, comment="Microchip number as read; for the city."),
        sa.Column("tag_text", sa.Text(), nullable=True, comment="Number of a license tag it wears; for the city."),
        sa.Column("photo_id", sa.Uuid(), nullable=True, comment="Its picture."),
        sa.Column("animal_id", sa.Uuid(), nullable=True, comment="The registered animal it is, once somebody knows."),
        sa.Column(
            "keepers_written_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When the portal wrote to its keepers; a courtesy beside the notice of 90.07(B).",
        ),
        sa.Column(
            "compared_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="When it was compared with notices of missing pets.",
        ),
        sa.Column("owner_told_on", sa.Date(), nullable=True, comment="When its owner was told (90.07(B))."),
        sa.Column(
            "owner_told_how",
            sa.Enum("personally", "mail", name="ownertold", native_enum=False, create_constraint=True, length=40),
            nullable=True,
            comment="How: personally, or through United States mail (90.07(B)).",
        ),
        sa.Column("left_on", sa.Date(), nullable=True, comment="The day it left the pound; empty while it is there."),
        sa.Column(
            "outcome",
            sa.Enum(
                "reclaimed",
                "transferred",
                "died",
                "destroyed",
                name="impoundoutcome",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=True,
            comment="How it left; for the city.",
        ),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.CheckConstraint("species <> ''", name=op.f("ck_impoundment_is_of_a_species")),
        sa.CheckConstraint("(latitude IS NULL) = (longitude IS NULL)", name=op.f("ck_impoundment_a_position_is_whole")),
        sa.CheckConstraint(
            "(left_on IS NULL) = (outcome IS NULL)", name=op.f("ck_impoundment_who_left_has_an_outcome")
        ),
        sa.CheckConstraint(
            "(owner_told_on IS NULL) = (owner_told_how IS NULL)", name=op.f("ck_impoundment_the_telling_is_whole")
        ),
        sa.CheckConstraint("left_on >= seized_on", name=op.f("ck_impoundment_leaves_after_it_came")),
        sa.ForeignKeyConstraint(["animal_id"], ["animal_control.animal.id"], name=op.f("fk_impoundment_animal_id")),
        sa.ForeignKeyConstraint(["photo_id"], ["animal_control.document.id"], name=op.f("fk_impoundment_photo_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_impoundment")),
        schema="animal_control",
        comment="An animal's stay at the pound (90.07(E), Minn. Stat. 346.47).",
    )
    op.create_index(
        "ix_impoundment_animal_id",
        "impoundment",
        ["animal_id"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("animal_id IS NOT NULL"),
    )
    op.create_index(
        "ix_impoundment_held",
        "impoundment",
        ["seized_on"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("left_on IS NULL"),
    )
    op.create_index(
        "ix_impoundment_keepers_to_write_to",
        "impoundment",
        ["seized_on", "id"],
        unique=False,
        schema="animal_control",
        postgresql_where=sa.text("left_on IS NULL AND keepers_written_at IS NULL"),
    )
    op.create_index(op.f("ix_impoundment_photo_id"), "impoundment", ["photo_id"], unique=False, schema="animal_control")
    op.create_index("ix_impoundment_seized_on", "impoundment", ["seized_on"], unique=False, schema="animal_control")
    op.create_index(
        "uq_impoundment_held_animal_id",
        "impoundment",
        ["animal_id"],
        unique=True,
        schema="animal_control",
        postgresql_where=sa.text("left_on IS NULL AND animal_id IS NOT NULL"),
    )
    op.create_table(
        "impoundment_party",
        sa.Column(
            "id",
            sa.Uuid(),
            server_default=sa.text("gen_random_uuid()"),
            nullable=False,
            comment="Unguessable key; safe to show in an address.",
        ),
        sa.Column("impoundment_id", sa.Uuid(), nullable=False, comment="The stay."),
        sa.Column(
            "side",
            sa.Enum(
                "received_from",
                "transferred_to",
                name="partyside",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            nullable=False,
            comment="Whether it came from them or went to them.",
        ),
        sa.Column("name", sa.Text(), nullable=False, comment="Their name, as given."),
        sa.Column("address", sa.Text(), nullable=False, comment="Their address, as given."),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="When the row was made.",
        ),
        sa.ForeignKeyConstraint(
            ["impoundment_id"], ["animal_control.impoundment.id"], name=op.f("fk_impoundment_party_impoundment_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_impoundment_party")),
        schema="animal_control",
        comment="From whom an animal came to the pound and to whom it went (Minn. Stat. 346.47); for the desk.",
    )
    op.create_index(
        op.f("ix_impoundment_party_impoundment_id"),
        "impoundment_party",
        ["impoundment_id"],
        unique=False,
        schema="animal_control",
    )
    op.create_index(
        "ix_impoundment_to_compare",
        "impoundment",
        ["created_at", "id"],
        schema="animal_control",
        postgresql_where=sa.text("left_on IS NULL AND compared_at IS NULL"),
    )
    op.add_column(
        "pet_notice",
        sa.Column(
            "compared_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="Its last change that was compared with other notices.",
        ),
        schema="animal_control",
    )
    op.create_index(
        "ix_pet_notice_to_compare",
        "pet_notice",
        ["changed_at", "id"],
        schema="animal_control",
        postgresql_where=sa.text("state = 'shown' AND (compared_at IS NULL OR compared_at < changed_at)"),
    )
    op.create_foreign_key(
        op.f("fk_notice_match_impoundment_id"),
        "notice_match",
        "impoundment",
        ["impoundment_id"],
        ["id"],
        source_schema="animal_control",
        referent_schema="animal_control",
    )


def downgrade() -> None:
    op.drop_index("ix_pet_notice_to_compare", table_name="pet_notice", schema="animal_control")
    op.drop_column("pet_notice", "compared_at", schema="animal_control")
    op.drop_constraint(op.f("fk_notice_match_impoundment_id"), "notice_match", schema="animal_control")
    op.drop_table("impoundment_party", schema="animal_control")
    op.drop_table("impoundment", schema="animal_control")
