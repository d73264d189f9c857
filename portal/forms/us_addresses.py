"""The state and the ZIP code of an address in the United States. What is typed is kept as it is typed."""

import re
from typing import Any

from wtforms.validators import StopValidation

from portal.forms.fields import TextField

# The Postal Service's list: states, the District, territories and freely associated states, and the military's three.
STATES = {
    "AL": "Alabama",
    "AK": "Alaska",
    "AZ": "Arizona",
    "AR": "Arkansas",
    "CA": "California",
    "CO": "Colorado",
    "CT": "Connecticut",
    "DE": "Delaware",
    "DC": "District of Columbia",
    "FL": "Florida",
    "GA": "Georgia",
    "HI": "Hawaii",
    "ID": "Idaho",
    "IL": "Illinois",
    "IN": "Indiana",
    "IA": "Iowa",
    "KS": "Kansas",
    "KY": "Kentucky",
    "LA": "Louisiana",
    "ME": "Maine",
    "MD": "Maryland",
    "MA": "Massachusetts",
    "MI": "Michigan",
    "MN": "Minnesota",
    "MS": "Mississippi",
    "MO": "Missouri",
    "MT": "Montana",
    "NE": "Nebraska",
    "NV": "Nevada",
    "NH": "New Hampshire",
    "NJ": "New Jersey",
    "NM": "New Mexico",
    "NY": "New York",
    "NC": "North Carolina",
    "ND": "North Dakota",
    "OH": "Ohio",
    "OK": "Oklahoma",
    "OR": "Oregon",
    "PA": "Pennsylvania",
    "RI": "Rhode Island",
    "SC": "South Carolina",
    "SD": "South Dakota",
    "TN": "Tennessee",
    "TX": "Texas",
    "UT": "Utah",
    "VT": "Vermont",
    "VA": "Virginia",
    "WA": "Washington",
    "WV": "West Virginia",
    "WI": "Wisconsin",
    "WY": "Wyoming",
    "AS": "American Samoa",
    "GU": "Guam",
    "MP": "Northern Mariana Islands",
    "PR": "Puerto Rico",
    "VI": "U.S. Virgin Islands",
    "FM": "Federated States of Micronesia",
    "MH": "Marshall Islands",
    "PW": "Palau",
    "AA": "Armed Forces Americas",
    "AE": "Armed Forces Europe",
    "AP": "Armed Forces Pacific",
}
# As people also write them.
OTHER_NAMES = ("Minn.", "Virgin Islands", "Micronesia", "Washington DC")
A_STATE = "Enter the state by its name or its two letters, like MN"
A_ZIP_CODE = "Enter the ZIP code with five digits, like 56215, or with nine, like 56215-1234"

_NOT_LETTERS = re.compile(r"[^a-z]")
_ZIP_CODE = re.compile(r"\d{5}(?:[- ]?\d{4})?", re.ASCII)


def _letters(typed: str) -> str:
    return _NOT_LETTERS.sub("", typed.casefold())


_KNOWN = frozenset(map(_letters, (*STATES, *STATES.values(), *OTHER_NAMES)))


class StateField(TextField):
    """`mn`, `M.N.`, `Minnesota`."""

    def pre_validate(self, form: Any) -> None:
        """One of the list; what is kept from before may stay."""
        super().pre_validate(form)
        if self.data not in ("", self.object_data) and _letters(self.data) not in _KNOWN:
            raise StopValidation(A_STATE)


class ZipCodeField(TextField):
    """`56215`, `56215-1234`."""

    def pre_validate(self, form: Any) -> None:
        """Five digits or nine, which place they are is not looked up; what is kept from before may stay."""
        super().pre_validate(form)
        if self.data not in ("", self.object_data) and not _ZIP_CODE.fullmatch(self.data):
            raise StopValidation(A_ZIP_CODE)
