"""The questions to somebody who found a dog with a tag, and to both sides of the talk that follows (90.11(B))."""

from datetime import datetime
from zoneinfo import ZoneInfo

from wtforms.validators import ValidationError

from portal.forms.base import PortalForm, SpamTrapped, SubmittedOnce
from portal.forms.fields import (
    ChoiceField,
    ConfirmField,
    EmailField,
    LongTextField,
    Needed,
    PhoneField,
    PhotoField,
    SaysWhen,
    TextField,
    choice,
)
from portal.forms.sign_in import LONGEST_ADDRESS
from portal.forms.times import TimeField
from portal.services.animals.find_tag import TagNumber, read_tag_number

NO_NUMBER = "Type the number on the tag, like 2026-0042 or 42"
RABIES_TAG = (
    "A license tag has a year and a number, like 2026-0042. If yours has a clinic’s name on it, "
    "it is a rabies tag: call that clinic, or the police"
)
IMAGES = "image/*,.heic,.heif"
NOT_TAKEN_IN, JUST_NOW, EARLIER = "no", "now", "earlier"


class TagField(TextField):
    """The number on a tag; `tag` is what it means."""

    tag: TagNumber | None = None

    def pre_validate(self, form: object) -> None:
        """Read the number, or say what a license tag looks like."""
        super().pre_validate(form)
        self.tag = read_tag_number(self.data)
        if self.data and self.tag is None:
            raise ValidationError(RABIES_TAG)


class TagForm(PortalForm):
    """A number may be typed by anyone, so it travels in the address and the form needs no session."""

    class Meta(PortalForm.Meta):
        csrf = False

    number = TagField(
        "The number on the tag",
        [Needed(NO_NUMBER)],
        hint="Like 2026-0042, or 42 if you can’t read the year.",
        max_length=60,
        width="medium",
        autocomplete="off",
        spellcheck="false",
        enterkeyhint="search",
    )


class FoundForm(PortalForm, SubmittedOnce, SpamTrapped):
    number = TagField(
        "The number on the tag",
        [Needed(NO_NUMBER)],
        max_length=60,
        width="medium",
        autocomplete="off",
        spellcheck="false",
    )
    message = LongTextField(
        "What should the dog’s people know?",
        [Needed("Write a few words to the dog’s people")],
        hint="How it is, and what you will do next. Leave your name out if you like.",
        max_length=2_000,
    )
    place = TextField(
        "Where is the dog, or where did you see it?", hint="A corner or a landmark is enough.", max_length=300
    )
    photo = PhotoField(
        "A photo of the dog", hint="We take out where and when it was taken before anyone sees it.", accept=IMAGES
    )
    taken_in = ChoiceField(
        "Is the dog with you, tied up or shut in?",
        [Needed("Choose no, just now, or earlier")],
        choices=[
            choice(NOT_TAKEN_IN, "No, I only saw it"),
            choice(JUST_NOW, "Yes, since just now"),
            choice(EARLIER, "Yes, since earlier"),
        ],
    )
    since = TimeField("If earlier: since about what time?", [SaysWhen()], hint="Like 9:30 p.m.", autocomplete="off")
    phone = PhoneField("Your phone number")
    pass_phone_on = ConfirmField(
        "Pass my phone number on to the dog’s people", [SaysWhen()], hint="If you don’t tick this, we don’t keep it."
    )
    email = EmailField(
        "Your e‑mail address, for their answers",
        hint="The dog’s people never see it. Without it, keep the link that the next page shows.",
        max_length=LONGEST_ADDRESS,
    )

    def validate_since(self, field: TimeField) -> None:
        """Only where it was taken in earlier."""
        if self.taken_in.data == EARLIER and field.is_blank:
            raise ValidationError("Enter about what time you took the dog in, like 9:30 p.m.")

    def validate_pass_phone_on(self, field: ConfirmField) -> None:
        """A tick without a number passes nothing on."""
        if field.data and self.phone.is_blank:
            raise ValidationError("Enter the phone number to pass on, or take the tick away")

    def confined_at(self, *, now: datetime, zone: ZoneInfo) -> datetime | None:
        """When the dog was taken in, if it was."""
        if self.taken_in.data == JUST_NOW:
            return now
        return self.since.last_instant(now=now, zone=zone) if self.taken_in.data == EARLIER else None


class FinderWordsForm(PortalForm, SubmittedOnce):
    message = LongTextField("Write more", [Needed("Write a few words")], max_length=2_000)
    photo = PhotoField("A photo", accept=IMAGES)


class KeeperWordsForm(PortalForm, SubmittedOnce):
    message = LongTextField("Write to the finder", [Needed("Write a few words to the finder")], max_length=2_000)
    phone = PhoneField("Your phone number")
    pass_phone_on = ConfirmField(
        "Pass my phone number on to the finder", [SaysWhen()], hint="If you don’t tick this, we don’t keep it."
    )

    def validate_pass_phone_on(self, field: ConfirmField) -> None:
        """A tick without a number passes nothing on."""
        if field.data and self.phone.is_blank:
            raise ValidationError("Enter the phone number to pass on, or take the tick away")
