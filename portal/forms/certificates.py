"""The questions about a rabies certificate: the file first, then what it says (90.04(D)(2))."""

from collections.abc import Iterator, Mapping
from typing import Any

from wtforms.validators import ValidationError

from portal.forms.base import PortalForm
from portal.forms.fields import (
    ChoiceField,
    CivilDateField,
    Needed,
    SaysWhen,
    TextField,
    choice,
)
from portal.forms.pages_field import PagesField
from portal.forms.slips import NO_CHIPS, NoticingForm, Slip, due_before_given, number_of_another
from portal.forms.vaccines import dose_question, years_question
from portal.ordinance.certificates import Dose, Evidence, VaccineType
from portal.services.draft_answers import CertificateAnswers


class CertificateFileForm(PortalForm):
    """Photos or a PDF; the button "later" sends none."""

    file = PagesField(
        "A photo or PDF of the certificate",
        [Needed("Choose a photo or PDF of the certificate, or press “I’ll add it later”")],
        hint="Lay it flat in good light, and get the whole page in. For several pages choose all of them together.",
    )


class CertificateDetailsForm(NoticingForm):
    """What the paper says, read by the person who holds it."""

    evidence = ChoiceField(
        "What kind of paper is it?",
        [Needed("Choose what kind of paper it is")],
        choices=[
            choice(Evidence.CERTIFICATE, "A rabies certificate from a vet"),
            choice(
                Evidence.OWNER_GIVEN, "Someone else gave the shot", "A receipt for a vaccine you bought, for example."
            ),
            choice(Evidence.MEDICAL_LETTER, "A vet’s letter that the animal can’t be vaccinated"),
        ],
        default=Evidence.CERTIFICATE.value,
    )
    given_on = CivilDateField(
        "Date given", [SaysWhen()], hint="When the shot was given, not when the page was printed."
    )
    due_on = CivilDateField("Next due by", hint="The due date printed on the certificate.")
    dose = dose_question(unknown="I’m not sure")
    duration_years = years_question()
    product = TextField("Vaccine", hint="The product’s name, like Imrab 3.", max_length=200)
    manufacturer = TextField("Maker", max_length=200)
    lot = TextField("Serial or lot number", max_length=100, width="medium", spellcheck="false")
    vaccine_expires_on = CivilDateField(
        "Date on the vial", hint="Many certificates print it. It does not count as the due date."
    )
    rabies_tag = TextField("Rabies tag number", max_length=60, width="medium", spellcheck="false")
    microchip = TextField("Microchip number", max_length=60, width="medium", spellcheck="false")
    veterinarian = TextField("Veterinarian", max_length=200)
    clinic_name = TextField("Clinic", max_length=200)
    weight = TextField(
        "Weight or size", hint="As printed; a band like 20–50 lb is fine.", max_length=60, width="medium"
    )

    def validate_given_on(self, field: CivilDateField) -> None:
        """A certificate has a date; other papers need not."""
        if self.evidence.data == Evidence.CERTIFICATE and field.is_blank:
            raise ValidationError("Enter the date the shot was given")

    def __init__(self, *args: Any, other_chips: Mapping[str, str] = NO_CHIPS, **kwargs: Any) -> None:
        """`other_chips`: the microchips of their other animals, folded, each with the name of its animal."""
        self.other_chips = other_chips
        super().__init__(*args, **kwargs)

    def slips(self) -> Iterator[Slip]:
        """Dates the wrong way round, and one number in two of their animals."""
        yield from super().slips()
        yield from due_before_given(self.given_on, self.due_on)
        yield from number_of_another(self.microchip, self.other_chips)

    def certificate(self, kept: CertificateAnswers) -> CertificateAnswers:
        """The answers, for the file that was sent before."""
        return CertificateAnswers(
            upload_id=kept.upload_id,
            is_read=True,
            evidence=Evidence(self.evidence.data),
            given_on=self.given_on.data,
            due_on=self.due_on.data,
            dose=Dose(self.dose.data),
            duration_years=int(self.duration_years.data) if self.duration_years.data else None,
            vaccine_type=VaccineType.UNKNOWN,
            vaccine_expires_on=self.vaccine_expires_on.data,
            product=self.product.data or None,
            manufacturer=self.manufacturer.data or None,
            lot=self.lot.data or None,
            rabies_tag=self.rabies_tag.data or None,
            veterinarian=self.veterinarian.data or None,
            clinic_name=self.clinic_name.data or None,
            weight=self.weight.data or None,
            microchip=self.microchip.data or None,
        )


def details_data(answers: CertificateAnswers) -> dict[str, Any]:
    """Stored answers as the form shows them; an untouched paper starts as a vet's certificate."""
    return {
        "evidence": answers.evidence.value,
        "given_on": answers.given_on,
        "due_on": answers.due_on,
        "dose": answers.dose.value if answers.is_read or answers.dose is not Dose.UNKNOWN else None,
        "duration_years": str(answers.duration_years or ""),
        "product": answers.product,
        "manufacturer": answers.manufacturer,
        "lot": answers.lot,
        "vaccine_expires_on": answers.vaccine_expires_on,
        "rabies_tag": answers.rabies_tag,
        "veterinarian": answers.veterinarian,
        "clinic_name": answers.clinic_name,
        "weight": answers.weight,
        "microchip": answers.microchip,
    }
