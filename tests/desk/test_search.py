"""What staff find with one box: names without their accents, parts of numbers, phones in any form."""

from dataclasses import replace

import pytest
from sqlalchemy import text

from portal.services.folding import folded
from tests.support.registrations import CERTIFICATE, HOME, OWNER

NEW = "/desk/people/new"


@pytest.fixture
def echo(registrations):
    """Écho of Zoë Nguyễn on Atlantic Avenue, licensed, with a chip."""
    owner = replace(OWNER, name="Zoë Nguyễn", phone="320.555.0177", phone_e164="+13205550177")
    home = replace(HOME, line1="1200 Atlantic Avenue", unit="Apt 4")
    certificate = replace(CERTIFICATE, rabies_tag="B-0042")
    return registrations.licensed(
        "Écho", email="zoe@example.com", owner=owner, home=home, microchip="985112001234567", certificate=certificate
    )


@pytest.fixture
def pepper(registrations):
    """Pepper of Pat O’Brien, who is somebody else."""
    return registrations.dog()


@pytest.fixture
def finds(clerk, echo, pepper):
    """What the clerk finds: the links of the results."""

    def finds(typed):
        clerk.visit("/desk/search").submit(q=typed)
        assert clerk.path.startswith("/desk/search?q=")
        places = {"/desk/people/", "/desk/dogs/", "/desk/places/"}
        return {
            said for said, where in clerk.links.items() if any(where.startswith(one) and where != NEW for one in places)
        }

    return finds


@pytest.mark.parametrize("typed", ["Écho", "echo", "ECHO", "ech"])
def test_a_dog_is_found_by_its_name_however_it_is_written(finds, typed):
    assert finds(typed) == {"Écho"}


@pytest.mark.parametrize("typed", ["985112001234567", "4567", "985112", "1200123", "985 112 001 234 567", "34-567"])
def test_part_of_a_microchip_is_enough(finds, typed):
    assert "Écho" in finds(typed)
    assert "Pepper" not in finds(typed)


@pytest.mark.parametrize(
    "typed", ["(320) 555-0177", "320.555.0177", "+1 320 555 0177", "3205550177", "555-0177", "0177"]
)
def test_a_phone_is_found_in_any_form(finds, typed):
    assert finds(typed) == {"Zoë Nguyễn"}


@pytest.mark.parametrize("typed", ["nguyen", "Nguyễn, Zoë", "zoe ngu", "zoe@example.com", "ZOE@exam"])
def test_a_person_is_found_by_name_and_e_mail(finds, typed):
    assert finds(typed) == {"Zoë Nguyễn"}


@pytest.mark.parametrize("typed", ["1200 Atlantic Avenue", "1200 atlantic ave benson 56215", "1200 atl", "atlantic #4"])
def test_an_address_is_found_however_it_is_written(finds, typed):
    assert finds(typed) == {"1200 Atlantic Avenue, Apt 4, Benson"}


def test_tag_rabies_tag_order_and_name_with_keeper_lead_there_too(finds, database):
    number = database.value("SELECT year || '-' || number FROM animal_control.tag")
    assert finds(number) == {"Écho"}
    assert "Écho" in finds("#1")
    assert finds("b 0042") == {"Écho"}
    assert finds("echo nguyen") == {"Écho"}
    assert finds("pepper nguyen") == set()
    order = "SELECT reference FROM animal_control.fee_order ORDER BY created_at LIMIT 1"
    assert finds(database.value(order).lower().replace("-", " ")) == {"Zoë Nguyễn"}


def test_what_nobody_can_mean_finds_nothing_and_breaks_nothing(finds, clerk):
    for typed in ("'", "' | 'a", "%", "_", "\\", "🐶", "a" * 199, ":*", "00000000000000000000"):
        assert finds(typed) == set()
    clerk.visit("/desk/search").submit(q="x" * 201, status=422)
    assert clerk.errors


def test_a_safe_at_home_address_is_not_found(finds, database):
    database.run("UPDATE animal_control.premises SET match_key = NULL, kind = 'safe_at_home'")
    assert finds("1200 Atlantic") == set()


def test_every_look_up_is_over_an_index(database, echo):
    """Whatever other software writes is folded by the database itself, in the index."""
    words = {
        "ix_animal_words": "SELECT 1 FROM animal_control.animal WHERE animal_control.words(name) @@ '''echo'':*'",
        "ix_person_words": "SELECT 1 FROM animal_control.person WHERE animal_control.words(name) @@ '''zoe'':*'",
        "ix_premises_words": (
            "SELECT 1 FROM animal_control.premises WHERE animal_control.words(match_key) @@ '''atlantic'':*'"
        ),
        "ix_animal_microchip_parts": (
            "SELECT 1 FROM animal_control.animal WHERE animal_control.parts(microchip) @> '{4567}'"
        ),
        "ix_person_phone_end": (
            "SELECT 1 FROM animal_control.person "
            "WHERE animal_control.phone_end(coalesce(phone_e164, phone)) LIKE '7710%'"
        ),
        "ix_person_email_lower": "SELECT 1 FROM animal_control.person WHERE lower(email) LIKE 'zoe%'",
    }
    for index, statement in words.items():
        assert database.value(statement) == 1
        with database.engine.connect() as connection:
            # By a condition of its own, that is: among so few rows it would else read the whole of some other index.
            connection.execute(text("SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off"))
            connection.execute(text("SET LOCAL enable_indexonlyscan = off"))
            # For this look alone: read whole, the index of whole numbers can seem as cheap.
            connection.execute(text("DROP INDEX animal_control.ix_animal_microchip"))
            plan = "\n".join(connection.scalars(text(f"EXPLAIN {statement}")))
        assert index in plan
    assert database.value("SELECT animal_control.words('Écho  du Lac')::text") == "'du' 'echo' 'lac'"
    assert folded("Écho  du Lac") == "echo du lac"
