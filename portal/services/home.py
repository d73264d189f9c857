"""The place where animals are kept: one row for one dwelling unit, found again however it was typed."""

import re
import unicodedata

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.schema.people import Premises, PremisesKind
from portal.services.draft_answers import HomeAnswers

NOT_LETTERS_OR_DIGITS = re.compile(r"[^\w½¼¾]+")
SAME_WORD = {
    "avenue": "ave",
    "street": "st",
    "road": "rd",
    "drive": "dr",
    "lane": "ln",
    "court": "ct",
    "boulevard": "blvd",
    "highway": "hwy",
    "county": "co",
    "north": "n",
    "south": "s",
    "east": "e",
    "west": "w",
    "apartment": "apt",
    "lot": "lot",
    "unit": "apt",
}


def match_key(home: HomeAnswers) -> str | None:
    """Address and unit folded for comparing (90.09 "same premises"); None for Safe at Home, which is never matched."""
    if home.kind is PremisesKind.SAFE_AT_HOME:
        return None
    return " ".join(_words(part) for part in (home.line1, home.unit or "", home.city, home.postal_code[:5]) if part)


def _words(typed: str) -> str:
    folded = unicodedata.normalize("NFKC", typed).casefold()
    words = NOT_LETTERS_OR_DIGITS.sub(" ", folded).split()
    return " ".join(SAME_WORD.get(word, word) for word in words)


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
