"""What people write about a notice: that they saw the pet, that a found one is theirs, that it should not be there."""

from datetime import UTC, datetime, time, timedelta
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
    choice,
)
from portal.forms.notices import HOLDINGS, LONGEST_LINE
from portal.forms.positions import Positioned
from portal.forms.sign_in import LONGEST_ADDRESS
from portal.forms.times import STILL_TO_COME, TimeField
from portal.schema.notices import AbuseKind

NOON = time(12)
# A phone's clock that goes a little fast is nobody's mistake.
FAST = timedelta(minutes=10)


class PassesPhoneOn(PortalForm):
    """A phone goes to the other side only with its tick."""

    phone = PhoneField("Your phone number")
    pass_phone_on = ConfirmField(
        "Pass my phone number on to them", [SaysWhen()], hint="If you don’t tick this, we don’t keep it."
    )

    def validate_pass_phone_on(self, field: ConfirmField) -> None:
        """A tick without a number passes nothing on."""
        if field.data and self.phone.is_blank:
            raise ValidationError("Enter the phone number to pass on, or take the tick away")

    @property
    def passed_phone(self) -> str | None:
        return self.phone.data if self.pass_phone_on.data else None


class SeenForm(Positioned, PassesPhoneOn, SubmittedOnce, SpamTrapped):
    asked_first = ("holding", "place", "leaves_out", "on", "clock", "message")
    holding = ChoiceField("What happened?", [Needed("Choose what fits best")], choices=HOLDINGS)
    place = TextField(
        "Where?",
        [Needed("Type where you saw it: a corner or a landmark")],
        hint="A corner or a landmark is enough.",
        max_length=LONGEST_LINE,
        autocomplete="off",
    )
    on = CivilDateField("Which day?", [Needed("Enter the day you saw it"), NotInFuture()])
    clock = TimeField("About what time?", hint="Leave it out if it is just now.", autocomplete="off")
    message = LongTextField(
        "What else should its people know?",
        hint="Which way it went, how it is.",
        max_length=2_000,
        render_kw={"rows": 3},
    )
    email = EmailField(
        "Your e‑mail address, for their answers",
        hint="They never see it. Without it, keep the link that the next page shows.",
        max_length=LONGEST_ADDRESS,
    )

    def seen_at(self, *, now: datetime, zone: ZoneInfo) -> datetime | None:
        """When it was; None with a sentence for a time to come. A day without a time is taken at its noon."""
        day = self.on.data
        if day is None:
            raise LookupError("The form was not validated")
        today = now.astimezone(zone).date()
        if self.clock.time is None:
            return now if day == today else datetime.combine(day, NOON, tzinfo=zone).astimezone(UTC)
        at = self.clock.instant(day, zone)
        if at is None:
            return None
        if at > now + FAST:
            self.refuse("clock", STILL_TO_COME)
            return None
        return min(at, now)


class ClaimForm(PassesPhoneOn, SubmittedOnce, SpamTrapped):
    asked_first = ("message",)
    message = LongTextField(
        "How do you know that it is yours?",
        [Needed("Write a few words to the finder")],
        hint="Name something that the notice does not show: a scar, what is on the collar, what it answers to.",
        max_length=2_000,
        render_kw={"rows": 5},
    )
    email = EmailField(
        "Your e‑mail address, for answers",
        hint="The finder never sees it. Without it, keep the link that the next page shows.",
        max_length=LONGEST_ADDRESS,
    )


class HolderWordsForm(PassesPhoneOn, SubmittedOnce):
    asked_first = ("message",)
    message = LongTextField("Write back", [Needed("Write a few words")], max_length=2_000)


class ComplaintForm(PortalForm, SubmittedOnce, SpamTrapped):
    what = ChoiceField(
        "What is wrong with this notice?",
        [Needed("Choose what is wrong")],
        choices=[
            choice(AbuseKind.NOT_THEIRS, "It is not their pet, or not true"),
            choice(AbuseKind.SCAM, "Somebody asks for money"),
            choice(AbuseKind.OFFENSIVE, "It insults or threatens somebody"),
            choice(AbuseKind.OTHER, "Something else"),
        ],
    )
    text = LongTextField("Tell us more", max_length=2_000, render_kw={"rows": 3})
