"""The questions of a report that every kind is asked, a page each (90.10, 90.11(A))."""

from datetime import datetime
from zoneinfo import ZoneInfo

from wtforms.validators import ValidationError

from portal.forms.base import PortalForm, SpamTrapped, SubmittedOnce
from portal.forms.fields import (
    ChoiceField,
    CivilDateField,
    ConfirmField,
    EmailField,
    LongTextField,
    Needed,
    NotInFuture,
    PhoneField,
    SaysWhen,
    TextField,
    YesNoField,
    choice,
)
from portal.forms.many_files import ManyFilesField
from portal.forms.positions import Positioned
from portal.forms.sign_in import LONGEST_ADDRESS
from portal.forms.times import STILL_TO_COME, TimeField
from portal.ordinance.wall_clock import SKIPPED, stretch
from portal.services.reports.answers import LONGEST_LINE, EpisodeAnswers
from portal.services.reports.in_progress import (
    AnimalAnswers,
    ContactAnswers,
    When,
    WhenAnswers,
)

FILES_TAKEN = "image/*,.heic,.heif,application/pdf,audio/*,video/*"


class WhereForm(Positioned):
    """A place as typed is enough. Where the phone is may come with it, if its owner pressed the button."""

    place = TextField(
        "Where is it, or where did it happen?",
        [Needed("Type where it is: an address, a corner or a landmark")],
        hint="An address is best. A corner or a landmark is enough.",
        max_length=LONGEST_LINE,
        autocomplete="off",
    )


class WhenForm(PortalForm):
    is_when = ChoiceField(
        "When did it happen?",
        [Needed("Choose now, on a day, or over some time")],
        choices=[
            choice(When.NOW, "It is going on now"),
            choice(When.ON_A_DAY, "On a day I can name"),
            choice(When.UNSURE, "Over some time, or I’m not sure"),
        ],
    )
    day = CivilDateField("If on a day: which day?", [SaysWhen(), NotInFuture()])
    clock = TimeField("About what time?", hint="Like 9:30 p.m. Leave it out if you don’t know.", autocomplete="off")
    words = TextField(
        "Anything else about when", hint="Like “most nights since Thanksgiving”.", max_length=LONGEST_LINE
    )

    def validate_day(self, field: CivilDateField) -> None:
        """Only where they can name it."""
        if self.is_when.data == When.ON_A_DAY and field.is_blank:
            raise ValidationError("Enter the day, like November 28, 2026. If you aren’t sure, choose “over some time”")

    def answers(self, *, now: datetime, zone: ZoneInfo) -> WhenAnswers | None:
        """What was said; None with a sentence where it can't be."""
        is_dated = self.is_when.data == When.ON_A_DAY
        found = WhenAnswers(
            is_when=When(self.is_when.data),
            said_at=now,
            day=self.day.data if is_dated else None,
            clock=f"{self.clock.time:%H:%M}" if is_dated and self.clock.time is not None else "",
            words=self.words.data,
        )
        at = self.clock.instant(found.on, zone) if found.on else None
        if at and at > now:
            self.refuse("clock", STILL_TO_COME)
        return None if self.clock.errors else found


class HeardForm(PortalForm, SubmittedOnce):
    """One time it barked. All of it is empty when there is no more to add."""

    day = CivilDateField("Day", [SaysWhen(), NotInFuture()])
    began = TimeField("Barking began", [SaysWhen()], hint="Like 11:30 p.m.", autocomplete="off")
    ended = TimeField("You last heard it", [SaysWhen()], autocomplete="off")

    @property
    def is_empty(self) -> bool:
        """Whether no time was typed; the day may have been filled in by the page."""
        return self.began.is_blank and self.ended.is_blank

    def validate_began(self, field: TimeField) -> None:
        """An episode is whole or not there."""
        if field.is_blank and not self.ended.is_blank:
            raise ValidationError("Enter when the barking began, like 11:30 p.m.")

    def validate_ended(self, field: TimeField) -> None:
        """The same."""
        if field.is_blank and not self.began.is_blank:
            raise ValidationError("Enter when you last heard it, like 11:40 p.m.")

    def validate_day(self, field: CivilDateField) -> None:
        """The same."""
        if field.is_blank and not self.is_empty:
            raise ValidationError("Enter the day on which it began")

    def episode(self, *, now: datetime, zone: ZoneInfo) -> EpisodeAnswers | None:
        """What was heard; an end before the beginning is after midnight. None with a sentence where it can't be."""
        if self.day.data is None or self.began.time is None or self.ended.time is None:
            raise LookupError("The form was not validated")
        began, ended = stretch(self.day.data, self.began.time, self.ended.time, zone)
        for name, at in (("began", began), ("ended", ended)):
            if at is None:
                self.refuse(name, SKIPPED)
        if began is None or ended is None:
            return None
        if ended > now:
            self.refuse("ended", STILL_TO_COME)
            return None
        return EpisodeAnswers(id=self.key, started_at=began, ended_at=ended)


class AnimalForm(PortalForm):
    animal = TextField(
        "What does the animal look like?",
        hint="Kind, size, color, collar or tag. Leave out what you don’t know.",
        max_length=LONGEST_LINE,
    )
    whose = TextField(
        "Whose may it be, and where does it live?",
        hint="Only if you think you know. An officer finds out.",
        max_length=LONGEST_LINE,
        autocomplete="off",
    )
    is_again = YesNoField("Has it happened before?")

    def answers(self) -> AnimalAnswers:
        return AnimalAnswers(animal=self.animal.data, whose=self.whose.data, is_again=self.is_again.data)


class UnownedForm(PortalForm):
    """About an animal that nobody is blamed for."""

    animal = TextField(
        "What does the animal look like?",
        hint="Kind, size, color, collar or tag. Leave out what you don’t know.",
        max_length=LONGEST_LINE,
    )

    def answers(self) -> AnimalAnswers:
        return AnimalAnswers(animal=self.animal.data)


class WordsForm(PortalForm, SpamTrapped):
    narrative = LongTextField(
        "What happened?", hint="In your own words, as much or as little as you like.", render_kw={"rows": 8}
    )


class RecordingsField(ManyFilesField):
    """Photos, sounds and films; `data` is the list of files that were chosen."""

    shape = "file"
    is_multiple = True
    accept = FILES_TAKEN
    max_bytes: int | None = None


class FilesForm(PortalForm):
    file = RecordingsField("Photos, sound, video or a PDF")


class WhoForm(PortalForm):
    is_named = YesNoField(
        "Do you want to give your name?",
        [Needed("Choose with or without your name")],
        yes="With my name. An officer can ask me more",
        no="Without my name",
    )


class NamedForm(PortalForm, SpamTrapped):
    name = TextField("Your name", [Needed("Enter your name, or go back and choose “without my name”")], max_length=200)
    email = EmailField(
        "Your e‑mail address", hint="We write to you when something happens.", max_length=LONGEST_ADDRESS
    )
    phone = PhoneField("Your phone number", hint="So that an officer can call you.")
    address = TextField("Your address", max_length=LONGEST_LINE, autocomplete="address-line1")
    asks_not_public = ConfirmField(
        "I ask the police not to identify me publicly", [SaysWhen()], hint="We write down that you asked, and when."
    )

    def answers(self) -> ContactAnswers:
        return ContactAnswers(
            name=self.name.data,
            email=self.email.data,
            phone=self.phone.data,
            address=self.address.data,
            asks_not_public=self.asks_not_public.data,
        )


class UnnamedForm(PortalForm, SpamTrapped):
    email = EmailField(
        "An e‑mail address for the private link",
        hint="Only if you wish. Without it, the link is shown once you have sent the report.",
        max_length=LONGEST_ADDRESS,
    )

    def answers(self) -> ContactAnswers:
        return ContactAnswers(email=self.email.data)


class SendNamedForm(PortalForm, SpamTrapped):
    signed = TextField(
        "Type your name", [Needed("Type your name under the statement")], max_length=200, autocomplete="off"
    )


class SendUnnamedForm(PortalForm, SpamTrapped):
    signed = ConfirmField("It is true as far as I know", [Needed("Tick the box under the statement")])
