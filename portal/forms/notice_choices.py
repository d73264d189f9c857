"""What a notice says in a choice of words: the questions offer them, and the pages say them again."""

from collections.abc import Mapping
from typing import Any

from wtforms import SelectChoice

from portal.forms.choices import choice
from portal.schema.animals import Sex
from portal.schema.notices import Size, Temperament

SEXES = {Sex.FEMALE: "Female", Sex.MALE: "Male"}
SIZES = {Size.SMALL: "Small", Size.MEDIUM: "Medium", Size.LARGE: "Large"}
TEMPERAMENTS = {
    Temperament.FRIENDLY: "Friendly, comes to people",
    Temperament.SHY: "Shy, runs from people",
    Temperament.MAY_BITE: "May bite when afraid",
}


def choices(words: Mapping[Any, str]) -> list[SelectChoice]:
    """All of them, as the answers to a question."""
    return [choice(value, label) for value, label in words.items()]
