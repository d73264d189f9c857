"""The questions about a pet that is missing, or an animal that was found (90.07, 90.11(B))."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from wtforms.validators import ValidationError

from portal.forms.base import PortalForm, SpamTrapped
from portal.forms.fields import (
    ChoiceField,
    CivilDateField,
    ConfirmField,
    DropdownField,
    EmailField,
    LongTextField,
    Needed,
    NotInFuture,
    PhoneField,
    PhotoField,
    SaysWhen,
    TextField,
    choice,
)
from portal.forms.found import IMAGES
from portal.forms.notice_choices import SEXES, SIZES, TEMPERAMENTS, choices
from portal.forms.positions import Positioned
from portal.forms.sign_in import LONGEST_ADDRESS
from portal.forms.times import STILL_TO_COME, TimeField
from portal.schema.animals import Sex
from portal.schema.notices import Holding, NoticeSpecies, Size, Temperament
from portal.services.notices.in_progress import MoreAnswers, PetAnswers, WhereAnswers

LONGEST_LINE = 300
UNKNOWN = ""
SPECIES = [
    choice(NoticeSpecies.DOG, "Dog"),
    choice(NoticeSpecies.CAT, "Cat"),
    choice(NoticeSpecies.BIRD, "Bird"),
    choice(NoticeSpecies.RABBIT, "Rabbit"),
    choice(NoticeSpecies.FERRET, "Ferret"),
    choice(NoticeSpecies.SMALL_ANIMAL, "Hamster, guinea pig or another small animal"),
    choice(NoticeSpecies.REPTILE, "Snake, turtle or another reptile"),
    choice(NoticeSpecies.FARM_ANIMAL, "Farm animal"),
    choice(NoticeSpecies.OTHER, "Another kind"),
]
HOLDINGS = [
    choice(Holding.SIGHTED, "I saw it, and it went on"),
    choice(Holding.FOLLOWING, "I see it now, and stay near"),
    choice(Holding.HELD, "It is with me, tied up or shut in"),
]
CUTS = [choice(str(share), f"{share} %" if share else "Nothing") for share in range(0, 50, 10)]


class PetQuestions(PortalForm):
    """What it is and what it looks like; a missing one is asked its name too."""

    species = DropdownField("What kind of animal is it?", [Needed("Choose the kind")], choices=SPECIES)
    species_text = TextField("If another kind: which?", [SaysWhen()], max_length=60, width="medium")
    breed = TextField("Breed, or what it looks like", max_length=LONGEST_LINE, autocomplete="off")
    color = TextField("Colors", [Needed("Enter its colors")], max_length=200, autocomplete="off")
    size = DropdownField(
        "Size beside others of its kind",
        choices=[choice(UNKNOWN, "Not sure"), *choices(SIZES)],
    )
    sex = DropdownField(
        "Sex",
        choices=[choice(UNKNOWN, "Not sure"), *choices(SEXES)],
    )
    wears = TextField("What does it wear?", hint="Collar, harness, coat, and their colors.", max_length=LONGEST_LINE)
    marks = TextField(
        "What else can people see?", hint="Like “one white ear” or “limps on the left”.", max_length=LONGEST_LINE
    )

    def validate_species_text(self, field: TextField) -> None:
        """Only of another kind."""
        if self.species.data == NoticeSpecies.OTHER and field.is_blank:
            raise ValidationError("Say which kind of animal it is")

    def answers(self) -> PetAnswers:
        is_other = self.species.data == NoticeSpecies.OTHER
        return PetAnswers(
            species=NoticeSpecies(self.species.data),
            species_text=self.species_text.data if is_other else "",
            name=self.name.data if "name" in self else "",
            breed=self.breed.data,
            color=self.color.data,
            sex=Sex(self.sex.data) if self.sex.data else None,
            size=Size(self.size.data) if self.size.data else None,
            marks=self.marks.data,
            wears=self.wears.data,
        )


class LostPetForm(PetQuestions):
    """A missing one is called something, and that is asked first."""

    name = TextField("What is it called?", [Needed("Enter its name")], max_length=100, autocomplete="off")
    asked_first = ("name",)


class FoundPetForm(PetQuestions):
    """Nobody knows what a found one is called."""


class WhichPetForm(PortalForm):
    pet = ChoiceField("Which pet is missing?", [Needed("Choose the pet")], choices=[])


class NoticePhotoForm(PortalForm):
    photo = PhotoField("A photo", hint="We take out where and when it was taken before anyone sees it.", accept=IMAGES)


class CutForm(PortalForm):
    """How much to cut off each side; `turn` is the button that was pressed."""

    left = DropdownField("Cut from the left", choices=CUTS, default="0", width="short")
    top = DropdownField("Cut from the top", choices=CUTS, default="0", width="short")
    right = DropdownField("Cut from the right", choices=CUTS, default="0", width="short")
    bottom = DropdownField("Cut from the bottom", choices=CUTS, default="0", width="short")

    def cut(self) -> tuple[int, int, int, int]:
        return int(self.left.data), int(self.top.data), int(self.right.data), int(self.bottom.data)


class WhereQuestions(Positioned):
    """Where it was, and when; of a found one also how it is held."""

    def answers(self, *, now: datetime, zone: ZoneInfo, before: WhereAnswers | None) -> WhereAnswers | None:
        """What was said; None with a sentence where it can't be. `before` is what was said the last time."""
        if self.on.data is None:
            raise LookupError("The form was not validated")
        latitude, longitude = self.known_position()
        found = WhereAnswers(
            place=self.place.data,
            latitude=latitude,
            longitude=longitude,
            on=self.on.data,
            clock=f"{self.clock.time:%H:%M}" if self.clock.time is not None else "",
            **self.held(now=now, zone=zone, before=before),
        )
        at = self.clock.instant(found.on, zone)
        if at and at > now:
            self.refuse("clock", STILL_TO_COME)
        return None if self.problems else found

    def held(self, *, now: datetime, zone: ZoneInfo, before: WhereAnswers | None) -> dict[str, Any]:
        """Nobody holds a missing one."""
        return {}


class LostWhereForm(WhereQuestions):
    place = TextField(
        "Where was it last seen?",
        [Needed("Type where it was last seen: a corner or a landmark")],
        hint="Everybody reads this. A corner or a landmark is better than your address.",
        max_length=LONGEST_LINE,
        autocomplete="off",
    )
    on = CivilDateField("Which day?", [Needed("Enter the day it was last seen"), NotInFuture()])
    clock = TimeField("About what time?", hint="Like 9:30 p.m. Leave it out if you don’t know.", autocomplete="off")


class FoundWhereForm(WhereQuestions):
    place = TextField(
        "Where is it, or where did you see it?",
        [Needed("Type where you found it: a corner or a landmark")],
        hint="Everybody reads this. A corner or a landmark is better than your address.",
        max_length=LONGEST_LINE,
        autocomplete="off",
    )
    on = CivilDateField("Which day?", [Needed("Enter the day you found it"), NotInFuture()])
    clock = TimeField("About what time?", hint="Like 9:30 p.m. Leave it out if you don’t know.", autocomplete="off")
    holding = ChoiceField("Where is it now?", [Needed("Choose what fits best")], choices=HOLDINGS)
    since = TimeField(
        "If it is with you: since about what time?",
        [SaysWhen()],
        hint="Today, or last night. Leave it out if it is since just now.",
        autocomplete="off",
    )

    def held(self, *, now: datetime, zone: ZoneInfo, before: WhereAnswers | None) -> dict[str, Any]:
        """How it is held. Who has had it for days keeps the first time."""
        confined_at = self._confined_at(now=now, zone=zone, before=before)
        return {"holding": Holding(self.holding.data), "confined_at": confined_at}

    def _confined_at(self, *, now: datetime, zone: ZoneInfo, before: WhereAnswers | None) -> datetime | None:
        if self.holding.data != Holding.HELD:
            return None
        since = self.since.time
        was = before.confined_at if before else None
        if was and (since is None or was.astimezone(zone).strftime("%H:%M") == since.strftime("%H:%M")):
            return was
        return self.since.last_instant(now=now, zone=zone) if since is not None else now


class LostMoreForm(PortalForm, SpamTrapped):
    temperament = ChoiceField("How is it with people?", choices=choices(TEMPERAMENTS))
    what_to_do = LongTextField(
        "What should people do who see it?",
        hint="Like “Don’t chase her. Sit down, and call Pepper”.",
        max_length=1_000,
        render_kw={"rows": 3},
    )
    withheld_mark = TextField(
        "A mark that only a true finder can name",
        hint="Nobody sees it but you and the city. Ask for it when somebody says they have your pet.",
        max_length=LONGEST_LINE,
        autocomplete="off",
    )
    chip = TextField("Microchip number", hint="Nobody sees it but you and the city.", max_length=60, width="medium")
    shown_phone = PhoneField("Your phone number")
    show_phone = ConfirmField(
        "Show my phone number to everybody",
        [SaysWhen()],
        hint="Not needed: people write to you here. Scammers call numbers they find on such pages.",
    )

    def validate_show_phone(self, field: ConfirmField) -> None:
        """A tick without a number shows nothing."""
        if field.data and self.shown_phone.is_blank:
            raise ValidationError("Enter the phone number to show, or take the tick away")

    def answers(self) -> MoreAnswers:
        return MoreAnswers(
            temperament=Temperament(self.temperament.data) if self.temperament.data else None,
            what_to_do=self.what_to_do.data,
            withheld_mark=self.withheld_mark.data,
            chip=self.chip.data,
            shown_phone=self.shown_phone.data if self.show_phone.data else "",
        )


class FoundMoreForm(PortalForm, SpamTrapped):
    tag = TextField(
        "The number on its tag",
        hint="A license tag has a year and a number, like 2026-42.",
        max_length=60,
        width="medium",
    )
    chip = TextField(
        "Its microchip number", hint="Clinics and the police read it free of charge.", max_length=60, width="medium"
    )
    withheld_mark = TextField(
        "Something you keep to yourself",
        hint="A mark to ask for when somebody says that it is theirs. Nobody sees it but you and the city.",
        max_length=LONGEST_LINE,
        autocomplete="off",
    )
    email = EmailField(
        "Your e‑mail address, for messages about it",
        hint="Nobody sees it. Without it, keep the link that the next page shows.",
        max_length=LONGEST_ADDRESS,
    )
    phone = PhoneField("Your phone number, for animal control alone")

    def answers(self) -> MoreAnswers:
        return MoreAnswers(
            tag=self.tag.data,
            chip=self.chip.data,
            withheld_mark=self.withheld_mark.data,
            email=self.email.data,
            phone=self.phone.data,
        )


class SendNoticeForm(PortalForm, SpamTrapped):
    """A button, and the box that no person sees."""
