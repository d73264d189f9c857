"""New owners of animals, animals that may be one, and whose name a certificate bears"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

# Whoever has kept the animal longest is named on what was filed so far.
NAME_THE_FIRST_KEEPER = """
    UPDATE animal_control.vaccination AS filed SET named_person_id = (
        SELECT keeper.person_id FROM animal_control.keeper
        WHERE keeper.animal_id = filed.animal_id ORDER BY keeper.since, keeper.id LIMIT 1
    )
"""


def upgrade() -> None:
    op.create_table(
        "ownership_claim",
        _key(),
        sa.Column("animal_id", sa.Uuid(), nullable=False, comment="The animal."),
        sa.Column("departure_id", sa.Uuid(), nullable=False, comment="What the keeper before told of it."),
        sa.Column("claimed_by", sa.Uuid(), nullable=False, comment="The new owner."),
        sa.Column(
            "state",
            sa.Enum(
                "waiting",
                "accepted",
                "rejected",
                name="claimstate",
                native_enum=False,
                create_constraint=True,
                length=40,
            ),
            server_default="waiting",
            nullable=False,
            comment="Where it stands.",
        ),
        sa.Column("reason", sa.Text(), nullable=True, comment="Why it was rejected, as told to both."),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True, comment="When it was decided."),
        sa.Column("decided_by", sa.Text(), nullable=True, comment="Who decided."),
        _created_at(),
        sa.CheckConstraint(
            "(state = 'waiting') = (decided_at IS NULL)", name=op.f("ck_ownership_claim_a_decision_has_its_time")
        ),
        sa.CheckConstraint(
            "state <> 'rejected' OR reason IS NOT NULL", name=op.f("ck_ownership_claim_rejected_says_why")
        ),
        sa.ForeignKeyConstraint(["animal_id"], ["animal_control.animal.id"], name=op.f("fk_ownership_claim_animal_id")),
        sa.ForeignKeyConstraint(
            ["departure_id"], ["animal_control.departure.id"], name=op.f("fk_ownership_claim_departure_id")
        ),
        sa.ForeignKeyConstraint(
            ["claimed_by"], ["animal_control.person.id"], name=op.f("fk_ownership_claim_claimed_by")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ownership_claim")),
        schema="animal_control",
        comment="A new owner of an animal that was given away, for the city to accept.",
    )
    for column in ("animal_id", "departure_id", "claimed_by"):
        op.create_index(op.f(f"ix_ownership_claim_{column}"), "ownership_claim", [column], schema="animal_control")
    op.create_index(
        "ix_ownership_claim_waiting",
        "ownership_claim",
        ["created_at"],
        schema="animal_control",
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_index(
        "uq_ownership_claim_departure_id_standing",
        "ownership_claim",
        ["departure_id"],
        unique=True,
        schema="animal_control",
        postgresql_where=sa.text("state <> 'rejected'"),
    )
    op.create_table(
        "lookalike",
        _key(),
        sa.Column("animal_id", sa.Uuid(), nullable=False, comment="The animal just registered."),
        sa.Column("other_animal_id", sa.Uuid(), nullable=False, comment="The animal on record already."),
        sa.Column(
            "agrees",
            sa.Text(),
            nullable=False,
            comment="What agrees: the microchip, the rabies tag, the address and name.",
        ),
        sa.Column("is_same", sa.Boolean(), nullable=True, comment="What the officer found; empty while it waits."),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True, comment="When it was decided."),
        sa.Column("decided_by", sa.Text(), nullable=True, comment="Who decided."),
        _created_at(),
        sa.CheckConstraint(
            "(is_same IS NULL) = (decided_at IS NULL)", name=op.f("ck_lookalike_a_decision_has_its_time")
        ),
        sa.ForeignKeyConstraint(["animal_id"], ["animal_control.animal.id"], name=op.f("fk_lookalike_animal_id")),
        sa.ForeignKeyConstraint(
            ["other_animal_id"], ["animal_control.animal.id"], name=op.f("fk_lookalike_other_animal_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lookalike")),
        sa.UniqueConstraint("animal_id", "other_animal_id", name=op.f("uq_lookalike_animal_id_other_animal_id")),
        schema="animal_control",
        comment="Two animals that may be one; for the officer alone.",
    )
    op.create_index(op.f("ix_lookalike_other_animal_id"), "lookalike", ["other_animal_id"], schema="animal_control")
    op.create_index(
        "ix_lookalike_waiting",
        "lookalike",
        ["created_at"],
        schema="animal_control",
        postgresql_where=sa.text("decided_at IS NULL"),
    )
    op.add_column(
        "vaccination",
        sa.Column(
            "named_person_id",
            sa.Uuid(),
            nullable=True,
            comment="The keeper whose name and address the sheet bears; other keepers do not see the sheet itself.",
        ),
        schema="animal_control",
    )
    op.create_foreign_key(
        op.f("fk_vaccination_named_person_id"),
        "vaccination",
        "person",
        ["named_person_id"],
        ["id"],
        source_schema="animal_control",
        referent_schema="animal_control",
    )
    op.create_index(op.f("ix_vaccination_named_person_id"), "vaccination", ["named_person_id"], schema="animal_control")
    op.execute(NAME_THE_FIRST_KEEPER)
    op.create_index("ix_outgoing_message_recipient", "outgoing_message", ["recipient", "created_at"], schema="portal")
    for table in ("keeper_invitation", "email_change"):
        op.create_index(f"ix_{table}_expires_at", table, ["expires_at"], schema="portal")
    _say_of_undone("When it stopped to count: taken back, or the new owner took over.")


def downgrade() -> None:
    _say_of_undone("When it was taken back.")
    for table in ("keeper_invitation", "email_change"):
        op.drop_index(f"ix_{table}_expires_at", table, schema="portal")
    op.drop_index("ix_outgoing_message_recipient", "outgoing_message", schema="portal")
    op.drop_index(op.f("ix_vaccination_named_person_id"), "vaccination", schema="animal_control")
    op.drop_constraint(
        op.f("fk_vaccination_named_person_id"), "vaccination", schema="animal_control", type_="foreignkey"
    )
    op.drop_column("vaccination", "named_person_id", schema="animal_control")
    op.drop_table("lookalike", schema="animal_control")
    op.drop_table("ownership_claim", schema="animal_control")


def _key() -> sa.Column[object]:
    return sa.Column(
        "id",
        sa.Uuid(),
        server_default=sa.text("gen_random_uuid()"),
        nullable=False,
        comment="Unguessable key; safe to show in an address.",
    )


def _created_at() -> sa.Column[object]:
    return sa.Column(
        "created_at",
        sa.DateTime(timezone=True),
        server_default=sa.text("now()"),
        nullable=False,
        comment="When the row was made.",
    )


def _say_of_undone(comment: str) -> None:
    op.alter_column("departure", "undone_at", comment=comment, schema="animal_control")
