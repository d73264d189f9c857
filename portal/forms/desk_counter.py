"""Somebody at the counter without an account: the questions of the portal's own pages, on one page for staff."""

from collections.abc import Iterator
from datetime import date
from typing import Any
from uuid import uuid4

from wtforms import HiddenField
from wtforms.validators import ValidationError

from portal.forms.base import SubmittedOnce
from portal.forms.fields import (
    ChoiceField,
    CivilDateField,
    ConfirmField,
    Needed,
    NotInFuture,
    PhotoField,
    SaysWhen,
    TextField,
    YesNoField,
    choice,
)
from portal.forms.register import AgeForm, AnimalForm, HomeForm, LicenseForm, OtherDogsForm, OwnerForm, SituationForm
from portal.forms.slips import NoticingForm, Slip, due_before_given
from portal.ordinance.licensing import Situation
from portal.schema.animals import Sex
from portal.schema.licenses import Delivery
from portal.services.draft_answers import AnimalAnswers, CertificateAnswers

ALTERED = {"yes": True, "no": False, "unknown": None}


AT_COUNTER = (
    choice(Situation.RESIDENT_DOG, "A dog"),
    choice(Situation.CAT, "A cat"),
    choice(Situation.ASSISTANCE_DOG, "An assistance dog"),
    choice(Situation.OTHER_SERVICE_DOG, "Another kind of service dog"),
    choice(Situation.POLICE_DOG, "A police dog"),
)


class _ShownForm(SubmittedOnce):
    given_on = CivilDateField("Date given", [SaysWhen(), NotInFuture()])
    due_on = CivilDateField("Next due by")
    veterinarian = TextField("Veterinarian", max_length=200)
    rabies_tag = TextField("Rabies tag number", max_length=60, width="medium", spellcheck="false")
    file = PhotoField("A scan of the certificate")
    kept_scan = HiddenField()

    scan_name: str = ""
    """What the sender calls the scan that came before, if one did."""

    def certificate(self, *, is_shown: bool) -> CertificateAnswers:
        """What the paper says, if it was shown."""
        return CertificateAnswers(
            is_later=not is_shown,
            is_read=is_shown,
            given_on=self.given_on.data,
            due_on=self.due_on.data,
            veterinarian=self.veterinarian.data or None,
            rabies_tag=self.rabies_tag.data or None,
        )


class CertificateAtCounterForm(NoticingForm, _ShownForm):
    """A certificate that is shown for an animal the city knows."""

    is_shown = ConfirmField(
        "The rabies certificate was shown, and I have looked at it",
        [Needed("Look at the certificate first")],
        hint="It is accepted as soon as you send this.",
    )

    def validate_given_on(self, field: CivilDateField) -> None:
        """A certificate that counts has its day."""
        if field.is_blank:
            raise ValidationError("Enter the date the shot was given")

    def slips(self) -> Iterator[Slip]:
        """Dates the wrong way round."""
        yield from super().slips()
        yield from due_before_given(self.given_on, self.due_on)


class AnimalAtCounterForm(_ShownForm, OtherDogsForm, LicenseForm, AnimalForm, AgeForm, SituationForm):
    """An animal of somebody who is known."""

    wants_license = YesNoField(
        "Do they want a license for it?", [Needed("Choose whether they want a license")], default=True
    )
    is_shown = ConfirmField(
        "The rabies certificate was shown, and I have looked at it",
        hint="It counts from now on. Leave it open if they bring it later.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A visitor is sent home without a form, so staff are not asked.
        self.situation.choices = list(AT_COUNTER)

    def validate_given_on(self, field: CivilDateField) -> None:
        """A certificate that counts has its day."""
        if self.is_shown.data and field.is_blank:
            raise ValidationError("Enter the date the shot was given")

    def validate_license_year(self, field: ChoiceField) -> None:
        """Cats have none."""
        if self.applies and field.is_blank:
            raise ValidationError("Choose a license year")

    def slips(self) -> Iterator[Slip]:
        """Dates the wrong way round."""
        yield from super().slips()
        yield from due_before_given(self.given_on, self.due_on)

    @property
    def applies(self) -> bool:
        return bool(self.wants_license.data) and self.situation.data != Situation.CAT

    def animal(self, today: date) -> AnimalAnswers:
        """The answers about it; the certificate's are among them when it was shown."""
        return AnimalAnswers(
            id=uuid4(),
            situation=Situation(self.situation.data),
            born_on=self.born_on.data,
            age_months=self.age.data,
            age_estimated_on=today if self.age.data is not None else None,
            moved_from=self.moved,
            name=self.animal_name.data,
            breed=self.breed.data,
            color=self.color.data,
            sex=Sex(self.sex.data),
            is_altered=ALTERED[self.is_altered.data],
            microchip=self.microchip.data.replace(" ", "").replace("-", "") or None,
            is_declared_dangerous_elsewhere=self.is_declared_dangerous_elsewhere.data,
            wants_license=bool(self.wants_license.data),
            license_year=int(self.license_year.data) if self.applies else None,
            delivery=Delivery(self.delivery.data),
            certificate=self.certificate(is_shown=bool(self.is_shown.data)),
        )


class WalkInForm(AnimalAtCounterForm, HomeForm, OwnerForm):
    """The same for somebody the city does not know yet."""
