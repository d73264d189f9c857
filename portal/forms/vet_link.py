"""The questions around a keeper's request to a clinic: whom to ask, and what the clinic answers (90.04(D)(2))."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from wtforms.validators import ValidationError

from portal.forms.base import PortalForm
from portal.forms.fields import (
    ChoiceField,
    CivilDateField,
    DropdownField,
    EmailField,
    Needed,
    PhotoField,
    TextField,
    choice,
)
from portal.forms.slips import NoticingForm, Slip, due_before_given
from portal.forms.vaccines import TYPE_CHOICES, dose_question, years_question
from portal.ordinance.certificates import Dose, VaccineType
from portal.schema.clinics import Clinic
from portal.services.certificates.answer_vet_request import VetAnswers
from portal.services.certificates.ask_vet import Addressee
from portal.services.draft_answers import CertificateAnswers

ANOTHER = "another"


class AskVetForm(PortalForm):
    """A clinic from the list, or the name and mailbox of another."""

    clinic = ChoiceField("Which clinic gave the shot?", [Needed("Choose a clinic, or “Another clinic”")])
    clinic_name = TextField("The other clinic’s name", max_length=200)
    clinic_email = EmailField("The other clinic’s e‑mail address", autocomplete="off", max_length=254)

    def __init__(self, *args: Any, clinics: Iterable[Clinic], **kwargs: Any) -> None:
        """`clinics` are those the city approved; their names are all that is shown of them."""
        super().__init__(*args, **kwargs)
        listed = [choice(str(clinic.id), clinic.name) for clinic in clinics]
        self.clinic.choices = [*listed, choice(ANOTHER, "Another clinic", "An officer looks at what it sends.")]
        if not listed and not self.is_submitted():
            self.clinic.data = ANOTHER

    def validate_clinic_name(self, field: TextField) -> None:
        """Only for a clinic that is not on the list."""
        if self.clinic.data == ANOTHER and field.is_blank:
            raise ValidationError("Enter the clinic’s name")

    def validate_clinic_email(self, field: EmailField) -> None:
        """Only for a clinic that is not on the list."""
        if self.clinic.data == ANOTHER and field.is_blank:
            raise ValidationError("Enter the clinic’s e-mail address")

    @property
    def addressee(self) -> Addressee:
        """Whom to ask."""
        if self.clinic.data == ANOTHER:
            return Addressee(name=self.clinic_name.data, email=self.clinic_email.data)
        return Addressee(clinic_id=UUID(self.clinic.data))


class VetAnswerForm(NoticingForm):
    """The certificate of one animal as the clinic states it; owner and animal are known."""

    given_on = CivilDateField("Date given", [Needed("Enter the date the shot was given")])
    due_on = CivilDateField("Next due by", [Needed("Enter the date the next shot is due")])
    dose = dose_question(unknown="Not known")
    duration_years = years_question()
    vaccine_type = DropdownField(
        "Type of vaccine",
        [Needed("Choose the type of vaccine")],
        choices=TYPE_CHOICES,
        default=VaccineType.INACTIVATED.value,
    )
    weight = TextField(
        "Weight or size",
        [Needed("Enter the weight, or a size like 20–50 lb")],
        hint="A band like 20–50 lb is fine.",
        max_length=60,
        width="medium",
    )
    product = TextField("Vaccine", max_length=200)
    manufacturer = TextField("Maker", max_length=200)
    lot = TextField("Serial or lot number", max_length=100, width="medium", spellcheck="false")
    vaccine_expires_on = CivilDateField("Date on the vial")
    rabies_tag = TextField("Rabies tag number", max_length=60, width="medium", spellcheck="false")
    file = PhotoField("A photo or PDF of the certificate", hint="Not needed when you fill in the boxes.")
    veterinarian_license = TextField("Veterinarian’s license number", max_length=60, width="medium")
    attested_name = TextField(
        "Signature: type the veterinarian’s name",
        [Needed("Type the veterinarian’s name as signature")],
        hint="It stands for the signature on the certificate.",
        max_length=200,
        autocomplete="off",
    )

    def slips(self) -> Iterator[Slip]:
        """Dates the wrong way round."""
        yield from super().slips()
        yield from due_before_given(self.given_on, self.due_on)

    def answers(self) -> VetAnswers:
        """What the clinic states."""
        certificate = CertificateAnswers(
            is_read=True,
            given_on=self.given_on.data,
            due_on=self.due_on.data,
            dose=Dose(self.dose.data),
            duration_years=int(self.duration_years.data) if self.duration_years.data else None,
            vaccine_type=VaccineType(self.vaccine_type.data),
            vaccine_expires_on=self.vaccine_expires_on.data,
            product=self.product.data or None,
            manufacturer=self.manufacturer.data or None,
            lot=self.lot.data or None,
            rabies_tag=self.rabies_tag.data or None,
            veterinarian=self.attested_name.data,
            weight=self.weight.data or None,
        )
        return VetAnswers(
            certificate=certificate,
            veterinarian_license=self.veterinarian_license.data or None,
            attested_name=self.attested_name.data,
        )
