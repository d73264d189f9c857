"""The place where animals are kept: one row for one dwelling unit, found again however it was typed."""

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.schema.people import Premises, PremisesKind
from portal.services.draft_answers import HomeAnswers
from portal.services.folding import folded_address


def match_key(home: HomeAnswers) -> str | None:
    """Address and unit folded for comparing (90.09 "same premises"); None for Safe at Home, which is never matched."""
    if home.kind is PremisesKind.SAFE_AT_HOME:
        return None
    return folded_address(home.line1, home.unit, home.city, home.postal_code[:5])


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
