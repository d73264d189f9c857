"""Check the code on a proof of license: what is on the tag and what the dog looks like, never a person or a place."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.schema.animals import Animal, AnimalState, Sex
from portal.schema.licenses import License, LicenseState
from portal.services.licensing.apply_for_license import PROOF_LENGTH
from portal.services.secrets import whole_spoken_code

SHOWN = (LicenseState.ISSUED, LicenseState.REVOKED)


@dataclass(frozen=True)
class Proof:
    """A license that was issued, as anyone with its code may see it (90.04(B)(5))."""

    year: int
    number: int
    valid_from: date
    valid_until: date
    is_revoked: bool
    is_kept: bool
    name: str
    breed: str
    color: str
    sex: Sex
    is_altered: bool | None

    def is_in_force(self, on: date) -> bool:
        """Issued, on a day of its term, for a dog that is still kept here."""
        return not self.is_revoked and self.is_kept and self.valid_from <= on <= self.valid_until


def read_proof_code(typed: str) -> str | None:
    """The code as it is printed, however it was typed; None when it can't be one."""
    return whole_spoken_code(typed, length=PROOF_LENGTH)


def check_proof(session: Session, *, code: str) -> Proof | None:
    """The license with this code; None when there is none, or when it was never issued."""
    plain = read_proof_code(code)
    if plain is None:
        return None
    wanted = (
        select(
            License.year,
            License.number,
            License.valid_from,
            License.valid_until,
            License.state == LicenseState.REVOKED,
            Animal.state == AnimalState.KEPT,
            Animal.name,
            Animal.breed,
            Animal.color,
            Animal.sex,
            Animal.is_altered,
        )
        .join(Animal, Animal.id == License.animal_id)
        .where(License.proof_code == plain, License.state.in_(SHOWN))
    )
    row = session.execute(wanted).first()
    return Proof(*tuple(row)) if row else None
