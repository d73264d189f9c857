"""Notice that an animal just registered may be one that somebody else keeps: for an officer, and nobody else.

By microchip, by rabies tag and name, or by address and name. Whoever registers is told the same whether or not anything
was found, and the process that notes it has no right to read it again: a stranger can't find out who keeps a dog.
"""

from collections.abc import Iterator
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, func, literal, select, union_all
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.schema.animals import Animal, AnimalState, Keeper
from portal.schema.lookalikes import Lookalike
from portal.schema.people import Premises
from portal.schema.vaccinations import Vaccination
from portal.services.folding import chip, folded
from portal.services.record_event import SYSTEM, record_event

BY_CHIP = "microchip"
BY_TAG = "rabies tag and name"
BY_HOME = "address and name"
MOST = 20

_fold = func.animal_control


def note_lookalikes(session: Session, animal: Animal, *, person_id: UUID, rabies_tag: str | None) -> None:
    """Keep for an officer which animals of other people this one may be, each with what agrees; the strongest sign."""
    found: dict[UUID, str] = {}
    for other_id, sign in session.execute(union_all(*_signs(animal, person_id, chip(rabies_tag)))):
        found.setdefault(other_id, sign)
    if not found:
        return
    pairs = [{"animal_id": animal.id, "other_animal_id": other, "agrees": sign} for other, sign in found.items()]
    session.execute(insert(Lookalike).on_conflict_do_nothing().inline(), pairs)
    record_event(session, "animal.may_be_known", animal, actor=SYSTEM, agrees=sorted(set(found.values())))


def _signs(animal: Animal, person_id: UUID, tag: str | None) -> Iterator[Select[UUID, str]]:
    """One look-up over an index each, the strongest first; asked even where there is nothing to compare."""
    is_named = _fold.folded(Animal.name) == folded(animal.name)
    tagged = select(Vaccination.animal_id).where(_fold.mark(Vaccination.rabies_tag) == (tag or ""))
    # A Safe at Home address has no key and is never compared.
    same_home = select(Premises.id).where(Premises.id == animal.premises_id, Premises.match_key.is_not(None))
    signs = {
        BY_CHIP: _fold.mark(Animal.microchip) == (chip(animal.microchip) or ""),
        BY_TAG: and_(Animal.id.in_(tagged), is_named),
        BY_HOME: and_(Animal.premises_id.in_(same_home), is_named),
    }
    for sign, agrees in signs.items():
        yield select(Animal.id, literal(sign)).where(agrees, *_of_others(animal, person_id)).limit(MOST)


def _of_others(animal: Animal, person_id: UUID) -> tuple[ColumnElement[bool], ...]:
    mine = select(Keeper.animal_id).where(Keeper.person_id == person_id, Keeper.until.is_(None))
    return (
        Animal.id != animal.id,
        Animal.species == animal.species,
        Animal.state != AnimalState.DIED,
        Animal.id.not_in(mine),
    )
