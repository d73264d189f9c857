"""The place where animals are kept: one row for one dwelling unit, found again however it was typed."""

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.schema.people import Person, Premises, PremisesKind
from portal.services.draft_answers import HomeAnswers
from portal.services.folding import folded_address

ADDRESS = ("line1", "unit", "city", "state", "postal_code")


def match_key(home: HomeAnswers) -> str | None:
    """Address and unit folded for comparing (90.09 "same premises"); None for Safe at Home, which is never matched."""
    if home.kind is PremisesKind.SAFE_AT_HOME:
        return None
    return folded_address(home.line1, home.unit, home.city, home.postal_code[:5])


def lives_there(session: Session, person: Person, home: HomeAnswers) -> bool:
    """Whether this is the person's home already, however it was typed.

    A Safe at Home address is never folded for comparing: it is the same when it is written the same.
    """
    known = session.get(Premises, person.home_premises_id) if person.home_premises_id else None
    if known is None:
        return False
    if key := match_key(home):
        return known.match_key == key
    return known.kind is home.kind and all(getattr(known, name) == getattr(home, name) for name in ADDRESS)


def known_premises(session: Session, home: HomeAnswers, *, person: Person | None) -> Premises | None:
    """The premises of this address as this person finds them: their own home, or the one of whoever came before."""
    if person and lives_there(session, person, home):
        return session.get(Premises, person.home_premises_id)
    key = match_key(home)
    return session.scalar(select(Premises).where(Premises.match_key == key)) if key else None


def premises_for(session: Session, home: HomeAnswers, *, person: Person | None) -> Premises:
    """The person's own home if that is what they wrote, so that a Safe at Home address is one home; else the place."""
    if person and lives_there(session, person, home):
        return session.get_one(Premises, person.home_premises_id)
    return premises_at(session, home)


def premises_at(session: Session, home: HomeAnswers) -> Premises:
    """The premises of this address, made when nobody registered there before. Two at once make one."""
    key = match_key(home)
    values = {
        "kind": home.kind,
        "line1": home.line1,
        "unit": home.unit,
        "city": home.city,
        "state": home.state,
        "postal_code": home.postal_code,
    }
    if key is None:
        own = Premises(**values)
        session.add(own)
        session.flush()
        return own
    session.execute(
        insert(Premises).values(match_key=key, **values).on_conflict_do_nothing(index_elements=[Premises.match_key])
    )
    return session.scalars(select(Premises).where(Premises.match_key == key)).one()
