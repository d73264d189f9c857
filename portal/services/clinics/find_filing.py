"""Has a clinic sent this animal's certificate already? Asked while it is being registered (90.04(B)(3)).

The person learns of it only where the microchip, or surname, address and animal's name together, are those on the
filing and nothing contradicts: the same that would file it for the animal once it is registered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.schema.animals import Species
from portal.schema.clinics import Clinic, ClinicFiling, ClinicState
from portal.services.animals.find_animals import address_keys
from portal.services.draft_answers import AnimalAnswers, Registration
from portal.services.folding import chip, folded, surname
from portal.services.owners.filings_waiting import IS_OPEN
from portal.services.owners.home import match_key


@dataclass(frozen=True)
class AlreadySent:
    """A certificate that waits for the animal being registered."""

    clinic_name: str
    given_on: date


def already_sent(
    session: Session, registration: Registration, animal: AnimalAnswers, *, city: City
) -> AlreadySent | None:
    """The newest certificate a clinic filed that is surely about this animal."""
    owner, number = registration.owner, chip(animal.microchip)
    if owner is None or registration.home is None or not animal.name:
        return None
    if len([one for one in registration.animals if one.name and folded(one.name) == folded(animal.name)]) > 1:
        return None
    theirs = ClinicFiling.owner_key == surname(owner.name)
    if number:
        theirs = or_(theirs, ClinicFiling.microchip == number)
    wanted = (
        select(ClinicFiling, Clinic.name)
        .join(Clinic, Clinic.id == ClinicFiling.clinic_id)
        .where(IS_OPEN, Clinic.state == ClinicState.APPROVED, theirs)
        .order_by(ClinicFiling.given_on.desc())
        .limit(50)
    )
    for filing, clinic_name in session.execute(wanted):
        signs = (folded(filing.animal_name) == folded(animal.name), filing.owner_key == surname(owner.name))
        is_same = _same_chip(filing, number, signs) or _same_home(filing, registration, signs, city)
        if is_same and filing.given_on and not _contradicts(filing, animal, number):
            return AlreadySent(clinic_name, filing.given_on)
    return None


def _same_chip(filing: ClinicFiling, number: str | None, signs: Sequence[bool]) -> bool:
    return number is not None and chip(filing.microchip) == number and any(signs)


def _same_home(filing: ClinicFiling, registration: Registration, signs: Sequence[bool], city: City) -> bool:
    key = match_key(registration.home) if registration.home else None
    return key is not None and all(signs) and key in address_keys(filing.address_key, city)


def _contradicts(filing: ClinicFiling, animal: AnimalAnswers, number: str | None) -> bool:
    species = Species.CAT if animal.is_cat else Species.DOG
    return (
        filing.species is not species
        or (filing.sex is not None and animal.sex is not None and filing.sex is not animal.sex)
        or bool(filing.given_on and animal.born_on and filing.given_on < animal.born_on)
        or bool(filing.microchip and number and chip(filing.microchip) != number)
    )
