"""What a certificate may say of its vaccine, as every page offers it: the value that is kept and its words."""

from portal.forms.fields import ChoiceField, DropdownField, Needed, choice
from portal.ordinance.certificates import Dose, VaccineType

VACCINE_TYPES = {
    VaccineType.INACTIVATED.value: "Inactivated (killed)",
    VaccineType.MODIFIED_LIVE.value: "Modified live",
    VaccineType.OTHER.value: "Other",
}
YEARS_LASTING = {str(years): f"{years} year{'s' if years > 1 else ''}" for years in (1, 2, 3, 4)}
TYPE_CHOICES = [choice(value, words) for value, words in VACCINE_TYPES.items()]
YEARS_CHOICES = [choice("", "Not stated"), *(choice(value, words) for value, words in YEARS_LASTING.items())]


def dose_question(*, unknown: str) -> ChoiceField:
    """`unknown` is how whoever is asked says that they don't know."""
    return ChoiceField(
        "Was this the first rabies shot ever?",
        [Needed("Choose yes, no, or not sure")],
        choices=[
            choice(Dose.FIRST, "Yes, the first"),
            choice(Dose.BOOSTER, "No, it had one before"),
            choice(Dose.UNKNOWN, unknown),
        ],
    )


def years_question() -> DropdownField:
    return DropdownField("How long the vaccine lasts", choices=YEARS_CHOICES, coerce=str)
