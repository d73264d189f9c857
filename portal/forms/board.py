"""What somebody looks for on the board. It travels in the address, so that a list can be kept and shared."""

from datetime import date, timedelta
from typing import Any

from portal.forms.asking import Needed
from portal.forms.base import PortalForm
from portal.forms.choices import ONE_OF_THESE, DropdownField, choice
from portal.forms.notice_choices import SIZES, choices
from portal.schema.notices import NoticeSpecies, Size

ANY = "any"
WITHIN_DAYS = (2, 7, 30)


class BoardForm(PortalForm):
    """Every question has "any" as its answer."""

    class Meta(PortalForm.Meta):
        csrf = False

    species = DropdownField(
        "Animal",
        [Needed(ONE_OF_THESE)],
        default=ANY,
        choices=[
            choice(ANY, "Any animal"),
            choice(NoticeSpecies.DOG, "Dogs"),
            choice(NoticeSpecies.CAT, "Cats"),
            choice(NoticeSpecies.BIRD, "Birds"),
            choice(NoticeSpecies.RABBIT, "Rabbits"),
            choice(NoticeSpecies.FERRET, "Ferrets"),
            choice(NoticeSpecies.SMALL_ANIMAL, "Small animals"),
            choice(NoticeSpecies.REPTILE, "Reptiles"),
            choice(NoticeSpecies.FARM_ANIMAL, "Farm animals"),
            choice(NoticeSpecies.OTHER, "Others"),
        ],
    )
    size = DropdownField(
        "Size",
        [Needed(ONE_OF_THESE)],
        default=ANY,
        choices=[choice(ANY, "Any size"), *choices(SIZES)],
    )
    within = DropdownField(
        "When",
        [Needed(ONE_OF_THESE)],
        default=ANY,
        choices=[choice(ANY, "Any time"), *(choice(str(days), f"The last {days} days") for days in WITHIN_DAYS)],
    )

    @property
    def wanted_species(self) -> NoticeSpecies | None:
        """None is any."""
        return None if self.species.data == ANY else NoticeSpecies(self.species.data)

    @property
    def wanted_size(self) -> Size | None:
        """None is any."""
        return None if self.size.data == ANY else Size(self.size.data)

    def since(self, today: date) -> date | None:
        """The first day that is wanted; None is any."""
        return None if self.within.data == ANY else today - timedelta(days=int(self.within.data))

    @property
    def chosen(self) -> dict[str, Any]:
        """What an address needs to ask for the same again."""
        return {field.name: field.data for field in (self.species, self.size, self.within) if field.data != ANY}
