"""One certificate as a clinic types it, in the order of the paper and of the keyboard (90.04(D)(2))."""

from datetime import date
from typing import Any

from portal.forms.base import PortalForm, SubmittedOnce
from portal.forms.fields import CivilDateField, DropdownField, Needed, TextField, choice
from portal.forms.told_once import ToldOnce
from portal.forms.vaccines import TYPE_CHOICES, VACCINE_TYPES, YEARS_CHOICES, YEARS_LASTING
from portal.ordinance.certificates import Dose, VaccineType
from portal.ordinance.conflicts import PRODUCT_YEARS
from portal.ordinance.days import add_years
from portal.ordinance.rabies import science_due
from portal.schema.animals import Sex, Species
from portal.services.clinics.file_for_clinic import ORDINANCE_FIELDS
from portal.services.clinics.filing_answers import FilingAnswers
from portal.services.clinics.filings_of_clinic import Remembered

# The bands of the common national form.
SIZES = ("under 20 lb", "20 to 50 lb", "over 50 lb")
# What is the same for one animal after another, and the due date that follows from it.
SAME_ALL_DAY = (
    "duration_years",
    "due_on",
    "product",
    "manufacturer",
    "lot",
    "vaccine_type",
    "vaccine_expires_on",
    "veterinarian",
    "veterinarian_license",
)


def _needed(name: str) -> list[Needed]:
    return [Needed(ORDINANCE_FIELDS[name])]


def _text(label: str, name: str = "", *, longest: int = 200, offers: str = "", **more: Any) -> TextField:
    attributes = {"list": f"{offers}-known"} if offers else {}
    needed = _needed(name) if name in ORDINANCE_FIELDS else []
    return TextField(label, needed, max_length=longest, autocomplete="off", render_kw=attributes, **more)


class FilingForm(PortalForm, SubmittedOnce, ToldOnce):
    """The nine ordinance fields are needed, the state's others asked. Names are no words a browser fills in."""

    owner_name = _text("Owner’s name", "owner_name")
    owner_address = _text("Owner’s address", "owner_address", longest=400, width="wide")
    owner_phone = _text("Owner’s phone", longest=60, inputmode="tel")
    animal_name = _text("Animal’s name", "animal_name")
    species = DropdownField(
        "Species",
        [Needed("Choose dog or cat")],
        choices=[choice("dog", "Dog"), choice("cat", "Cat")],
        default="dog",
    )
    sex = DropdownField(
        "Sex", _needed("sex"), choices=[choice("", "Choose"), choice("female", "Female"), choice("male", "Male")]
    )
    description = _text("Breed, color and marks", "description", longest=400, width="wide")
    weight = _text("Weight or size", "weight", longest=60, offers="size")
    age = _text("Age", longest=60)
    microchip = _text("Microchip", longest=60, spellcheck="false")
    rabies_tag = _text("Rabies tag", longest=60, spellcheck="false")
    given_on = CivilDateField("Date given", _needed("given_on"))
    due_on = CivilDateField("Next due by", hint="Left empty, it is counted from the date given and the years.")
    dose = DropdownField(
        "First rabies shot ever?",
        choices=[choice(Dose.BOOSTER, "No"), choice(Dose.FIRST, "Yes"), choice(Dose.UNKNOWN, "Not known")],
        default=Dose.UNKNOWN.value,
    )
    duration_years = DropdownField(
        "Vaccine lasts",
        choices=YEARS_CHOICES,
    )
    vaccine_type = DropdownField(
        "Type of vaccine",
        _needed("vaccine_type"),
        choices=TYPE_CHOICES,
        default=VaccineType.INACTIVATED.value,
    )
    product = _text("Product", offers="product")
    manufacturer = _text("Maker", offers="manufacturer")
    lot = _text("Serial or lot number", longest=100, offers="lot", spellcheck="false")
    vaccine_expires_on = CivilDateField("Date on the vial")
    veterinarian = _text("Veterinarian", offers="veterinarian")
    veterinarian_license = _text("License number", longest=60, spellcheck="false")
    attested_name = _text(
        "Signature: type the veterinarian’s name", "attested_name", offers="veterinarian", width="wide"
    )

    def answers(self) -> FilingAnswers:
        """The answers; a due date that was left empty is counted."""
        dose, years = Dose(self.dose.data), int(self.duration_years.data) if self.duration_years.data else None
        return FilingAnswers(
            owner_name=self.owner_name.data,
            owner_address=self.owner_address.data,
            owner_phone=self.owner_phone.data or None,
            animal_name=self.animal_name.data,
            species=Species(self.species.data),
            sex=Sex(self.sex.data) if self.sex.data else None,
            description=self.description.data,
            weight=self.weight.data or None,
            age=self.age.data or None,
            microchip=self.microchip.data or None,
            rabies_tag=self.rabies_tag.data or None,
            given_on=self.given_on.data,
            due_on=self.due_on.data or counted_due(self.given_on.data, dose=dose, years=years),
            dose=dose,
            vaccine_type=VaccineType(self.vaccine_type.data),
            product=self.product.data or None,
            manufacturer=self.manufacturer.data or None,
            lot=self.lot.data or None,
            vaccine_expires_on=self.vaccine_expires_on.data,
            duration_years=years,
            veterinarian=self.veterinarian.data,
            veterinarian_license=self.veterinarian_license.data or None,
            attested_name=self.attested_name.data,
        )

    def begin_at_first(self) -> None:
        """The keyboard starts in the first box, unless something is to be corrected."""
        if not self.problems:
            self.owner_name.render_kw |= {"autofocus": True}

    @property
    def is_same_as_before(self) -> bool:
        """Nothing of the vaccine or the veterinarian is to be corrected, and the due date is left to be counted."""
        return self.due_on.is_blank and not any(self[name].errors for name in SAME_ALL_DAY)

    @property
    def same_in_words(self) -> str:
        """The vaccine and the veterinarian in a line, for where their boxes are folded away."""
        years = YEARS_LASTING.get(self.duration_years.data or "")
        words = (
            self.product.data,
            self.manufacturer.data,
            self.lot.data and f"lot {self.lot.data}",
            VACCINE_TYPES.get(self.vaccine_type.data, "").lower(),
            years and f"good for {years}",
            self.veterinarian.data,
        )
        return ", ".join(word for word in words if word)


def counted_due(given_on: date | None, *, dose: Dose, years: int | None) -> date | None:
    """The due date the product's label gives, or a year after a first dose; None when neither is stated."""
    if given_on is None:
        return None
    if dose is Dose.UNKNOWN and years in PRODUCT_YEARS:
        return add_years(given_on, years)
    return science_due(given_on, dose, years)


def answers_data(answers: FilingAnswers) -> dict[str, Any]:
    """Stored answers as the form shows them."""
    return {
        "owner_name": answers.owner_name,
        "owner_address": answers.owner_address,
        "owner_phone": answers.owner_phone,
        "animal_name": answers.animal_name,
        "species": answers.species.value,
        "sex": answers.sex.value if answers.sex else "",
        "description": answers.description,
        "weight": answers.weight,
        "age": answers.age,
        "microchip": answers.microchip,
        "rabies_tag": answers.rabies_tag,
        "given_on": answers.given_on,
        "due_on": answers.due_on,
        "dose": answers.dose.value,
        "vaccine_type": _stated(answers.vaccine_type),
        "duration_years": str(answers.duration_years or ""),
        "product": answers.product,
        "manufacturer": answers.manufacturer,
        "lot": answers.lot,
        "vaccine_expires_on": answers.vaccine_expires_on,
        "veterinarian": answers.veterinarian,
        "veterinarian_license": answers.veterinarian_license,
    }


def fresh_data(known: Remembered, *, today: date) -> dict[str, Any]:
    """An empty form: given today, with the vaccine and the veterinarian of the clinic's last filing."""
    last = known.last
    if last is None:
        return {"given_on": today}
    return {
        "given_on": today,
        "vaccine_type": _stated(last.vaccine_type),
        "duration_years": str(last.duration_years or ""),
        "product": last.product,
        "manufacturer": last.manufacturer,
        "lot": last.lot,
        "vaccine_expires_on": last.vaccine_expires_on,
        "veterinarian": last.veterinarian,
        "veterinarian_license": last.veterinarian_license,
    }


def _stated(kind: VaccineType) -> str:
    return (VaccineType.INACTIVATED if kind is VaccineType.UNKNOWN else kind).value
