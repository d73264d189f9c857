"""The rows of a notice from its answers, and what makes somebody of the city look at it first."""

import hashlib
import re
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from portal.ordinance.found_animals import report_by
from portal.schema.notices import NoticeKind, PetNotice, Sighting
from portal.services.notices.draft import Draft
from portal.services.secrets import SPOKEN

REFERENCE_LENGTH = 10
A_LINK = re.compile(r"https?:|www\.|\.(?:com|net|org|info|ru|xyz)\b", re.IGNORECASE)
A_NUMBER = re.compile(r"(?<!\d)\+?1?[ .(-]*\d{3}[ .)-]*\d{3}[ .-]*\d{4}(?!\d)|[^\s@]+@[^\s@]+\.\w+")
FILLED_BY_MACHINE, HAS_A_LINK = "a box that nobody sees was filled in", "there is an address of a web page in it"


def notice_key(key: UUID) -> UUID:
    """The notice's key from the key of the form: the same form makes one notice."""
    return UUID(bytes=_digest(key, "notice")[:16], version=4)


def notice_reference(key: UUID) -> str:
    """Ten letters and digits, like 4K7PQ-XRM2T, from the key of the form."""
    number = int.from_bytes(_digest(key, "reference")[:8], "big")
    characters = "".join(SPOKEN[number >> 5 * place & 31] for place in range(REFERENCE_LENGTH))
    return f"{characters[:5]}-{characters[5:]}"


def passed_on_key(notice_id: UUID) -> UUID:
    """The key of the talk with the people of the registered animal that a found one wears the number of."""
    return UUID(bytes=_digest(notice_id, "passed on")[:16], version=4)


def public_values(draft: Draft, *, zone: ZoneInfo) -> dict[str, Any]:
    """The columns that everybody may read."""
    begun, pet, where, more, photo = draft.begun, draft.begun.pet, draft.begun.where, draft.begun.more, draft.photo
    if where is None:
        raise LookupError("A notice without a place is not sent")
    is_found = begun.kind is NoticeKind.FOUND
    return {
        "species": pet.species,
        "species_text": pet.species_text,
        "name": "" if is_found else pet.name,
        "breed": pet.breed,
        "color": pet.color,
        "sex": pet.sex,
        "size": pet.size,
        "marks": pet.marks,
        "wears": pet.wears,
        "temperament": more.temperament,
        "what_to_do": more.what_to_do,
        "place_text": where.place,
        "latitude": where.latitude,
        "longitude": where.longitude,
        "happened_on": where.on,
        "happened_at": where.at(zone),
        "photo_key": photo.key if photo else None,
        "thumbnail_key": photo.thumbnail_key if photo else None,
        "photo_width": photo.width if photo else None,
        "photo_height": photo.height if photo else None,
        "holding": where.holding if is_found else None,
        "confined_at": where.confined_at if is_found else None,
        "shown_phone": None if is_found else more.shown_phone or None,
    }


def private_values(draft: Draft, *, has_account: bool) -> dict[str, Any]:
    """What is kept apart. Somebody with a sign-in is written to there, and nowhere else."""
    more = draft.begun.more
    return {
        "email": None if has_account else more.email or None,
        "phone": more.phone or None,
        "withheld_mark": more.withheld_mark,
        "chip": "".join(character for character in more.chip if character.isalnum()).upper(),
        "tag": more.tag,
    }


def held_detail(found: PetNotice | Sighting) -> dict[str, Any]:
    """For an event: how it is held, since when, and by when the police are told (90.11(B))."""
    if found.holding is None:
        return {}
    if found.confined_at is None:
        return {"holding": found.holding.value}
    return {
        "holding": found.holding.value,
        "confined_at": found.confined_at.isoformat(),
        "report_by": report_by(found.confined_at).due_at.isoformat(),
    }


def flagged_for(draft: Draft) -> str | None:
    """Why somebody looks before it is shown; None for nearly all."""
    if draft.begun.is_suspicious:
        return FILLED_BY_MACHINE
    return HAS_A_LINK if A_LINK.search(_typed(draft)) else None


def tells_a_number(draft: Draft) -> bool:
    """Whether a phone number or an e-mail address stands in what everybody will read."""
    return A_NUMBER.search(_typed(draft)) is not None


def _typed(draft: Draft) -> str:
    pet, where, more = draft.begun.pet, draft.begun.where, draft.begun.more
    told = (pet.name, pet.species_text, pet.breed, pet.color, pet.marks, pet.wears, more.what_to_do)
    return "\n".join((*told, where.place if where else ""))


def _digest(key: UUID, what: str) -> bytes:
    return hashlib.sha256(f"notice {what} ".encode() + key.bytes).digest()
