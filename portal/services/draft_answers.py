"""What a person has answered so far while registering dogs, as values that survive any pause."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import Any, Self
from uuid import UUID

from portal.ordinance.certificates import Dose, Evidence, VaccineType
from portal.ordinance.kennels import DogKept
from portal.ordinance.licensing import AgeEstimate, Answers, MovedFrom, Situation
from portal.schema.animals import Sex
from portal.schema.licenses import Delivery
from portal.schema.people import PersonKind, PremisesKind
from portal.services.plain_values import plain_values


@dataclass(frozen=True, kw_only=True)
class OwnerAnswers:
    """Who the owner is (90.04(B)(2)); a keeper under 18 names a parent or guardian (90.04(A))."""

    kind: PersonKind
    name: str
    phone: str | None = None
    phone_e164: str | None = None
    phone_extension: str | None = None
    is_minor: bool = False
    guardian_name: str | None = None
    guardian_contact: str | None = None


@dataclass(frozen=True, kw_only=True)
class HomeAnswers:
    """Where the dogs live, as typed; a Safe at Home address is taken without a question (Minn. Stat. 5B.05)."""

    kind: PremisesKind
    line1: str
    unit: str | None
    city: str
    state: str
    postal_code: str
    mailing_address: str | None = None


@dataclass(frozen=True, kw_only=True)
class CertificateAnswers:
    """The certificate of one animal: a file and what it says, or a promise to bring it later.

    Later, a clinic may have filed it already, or may be asked for it when the registration is sent. What was given
    before somebody chose "later" stays in the draft, where they may come back to it, and is not sent.
    """

    is_later: bool = False
    is_from_clinic: bool = False
    ask_clinic_id: UUID | None = None
    ask_clinic_name: str | None = None
    ask_clinic_email: str | None = None
    upload_id: UUID | None = None
    is_read: bool = False
    evidence: Evidence = Evidence.CERTIFICATE
    given_on: date | None = None
    due_on: date | None = None
    dose: Dose = Dose.UNKNOWN
    duration_years: int | None = None
    vaccine_type: VaccineType = VaccineType.UNKNOWN
    vaccine_expires_on: date | None = None
    product: str | None = None
    manufacturer: str | None = None
    lot: str | None = None
    rabies_tag: str | None = None
    veterinarian: str | None = None
    clinic_name: str | None = None
    weight: str | None = None
    microchip: str | None = None

    def put_off(self, **how: Any) -> Self:
        """To come later, in the way that `how` says; what was given stays."""
        return replace(self, **{**NO_OTHER_WAY, **how}, is_later=True)

    def with_file(self, upload_id: UUID) -> Self:
        """With this file, which is to be read; what was typed stays."""
        return replace(self, **NO_OTHER_WAY, is_later=False, upload_id=upload_id, is_read=False)

    @property
    def as_sent(self) -> Self:
        """What of it is sent: of one that comes later only how it comes."""
        if not self.is_later:
            return self
        return type(self)().put_off(**{name: getattr(self, name) for name in NO_OTHER_WAY})


NO_OTHER_WAY: Mapping[str, Any] = MappingProxyType(
    {"is_from_clinic": False, "ask_clinic_id": None, "ask_clinic_name": None, "ask_clinic_email": None}
)


@dataclass(frozen=True, kw_only=True)
class AnimalAnswers:
    """One animal: its situation and age first, then what it is like, then its certificate."""

    id: UUID
    situation: Situation
    born_on: date | None = None
    age_months: int | None = None
    age_estimated_on: date | None = None
    moved_from: MovedFrom | None = None
    name: str | None = None
    breed: str = ""
    color: str = ""
    sex: Sex | None = None
    is_altered: bool | None = None
    microchip: str | None = None
    is_declared_dangerous_elsewhere: bool = False
    wants_license: bool = True
    license_year: int | None = None
    delivery: Delivery = Delivery.MAIL
    photo_upload_id: UUID | None = None
    photo_is_asked: bool = False
    certificate: CertificateAnswers = CertificateAnswers()

    @property
    def is_cat(self) -> bool:
        return self.situation is Situation.CAT

    @property
    def applies(self) -> bool:
        """Whether a license is asked for; cats have none (90.04(B)(1))."""
        return self.wants_license and not self.is_cat

    @property
    def as_sent(self) -> Self:
        """The answers without what was given of a certificate that is to come later."""
        return replace(self, certificate=self.certificate.as_sent)

    def law_answers(self) -> Answers:
        """The same answers as the ordinance asks for them."""
        age = None
        if self.age_months is not None and self.age_estimated_on is not None:
            age = AgeEstimate(self.age_months, self.age_estimated_on)
        return Answers(
            situation=self.situation,
            born_on=self.born_on,
            age=age,
            moved_from=self.moved_from,
            is_declared_dangerous_elsewhere=self.is_declared_dangerous_elsewhere,
        )


@dataclass(frozen=True, kw_only=True)
class OtherDogsAnswers:
    """Every other dog kept at the address, whoever owns it (90.04(B)(2), 90.09)."""

    count: int
    description: str | None = None
    litter_born_on: date | None = None


@dataclass(frozen=True, kw_only=True)
class Registration:
    """Everything answered so far. Nothing in it is final until it is sent."""

    owner: OwnerAnswers | None = None
    home: HomeAnswers | None = None
    animals: tuple[AnimalAnswers, ...] = ()
    is_animal_list_whole: bool = False
    others: OtherDogsAnswers | None = None
    is_suspicious: bool = False

    def animal(self, animal_id: UUID) -> AnimalAnswers | None:
        return next((animal for animal in self.animals if animal.id == animal_id), None)

    def with_animal(self, changed: AnimalAnswers) -> "Registration":
        """With one animal changed, or added at the end."""
        if self.animal(changed.id) is None:
            return replace(self, animals=(*self.animals, changed), is_animal_list_whole=False)
        return replace(self, animals=tuple(changed if animal.id == changed.id else animal for animal in self.animals))

    def without_animal(self, animal_id: UUID) -> "Registration":
        return replace(self, animals=tuple(animal for animal in self.animals if animal.id != animal_id))

    def dogs_stated(self, *, earlier: Sequence[DogKept] = ()) -> list[DogKept]:
        """90.09: every dog the person told us of: those of this registration, the others there, and a fresh litter.

        `earlier` are those they registered there before: the others they count now are these first of all.
        """
        own = [DogKept(animal.born_on) for animal in self.animals if not animal.is_cat]
        if self.others is None:
            return [*own, *earlier]
        pups = [DogKept(self.others.litter_born_on, is_litter_pup=True)] if self.others.litter_born_on else []
        more = (DogKept() for _ in range(self.others.count - len(earlier)))
        return [*own, *earlier, *more, *pups]

    def upload_ids(self) -> Iterator[UUID]:
        """The files this registration holds on to."""
        for animal in self.animals:
            for upload_id in (animal.photo_upload_id, animal.certificate.upload_id):
                if upload_id:
                    yield upload_id


_converter = plain_values()


def to_json(registration: Registration) -> dict[str, Any]:
    """The answers as plain JSON values."""
    answers: dict[str, Any] = _converter.unstructure(registration, Registration)
    return answers


def from_json(answers: dict[str, Any]) -> Registration:
    """The answers read back; what an older release wrote and we no longer know is passed over."""
    return _converter.structure(answers, Registration)
