"""Written notices about a designated dog: it moves, it gets a new owner, it died (90.13(H)(12), (H)(14), (N))."""

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any
from uuid import UUID

from portal.forms.base import PortalForm, SubmittedOnce
from portal.forms.fields import (
    CivilDateField,
    LongTextField,
    Needed,
    NotInFuture,
    PhoneField,
    SaysWhen,
    TextField,
    YesNoField,
)
from portal.forms.signature import signature
from portal.schema.dangerous_notices import NoticeKind
from portal.services.dangerous.tell_dangerous_notice import NoticeTold

CLOSING = ("owner_name", "owner_address", "told", "signed_name")
ONLY_SOME = ("new_address", "new_owner_name", "new_owner_address", "new_owner_phone")


class NoticeForm(PortalForm, SubmittedOnce):
    """What every notice has. The day may be late or early: it is taken and marked, never refused."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """What has changed comes first; whose it is and the signature close every notice."""
        super().__init__(*args, **kwargs)
        for name in CLOSING:
            self._fields[name] = self._fields.pop(name)

    happens_on = CivilDateField("When?", [Needed("Enter the day")])
    owner_name = TextField("Your name", [Needed("Enter your name")], max_length=200, autocomplete="name")
    owner_address = LongTextField(
        "Your address now", [Needed("Enter your address")], max_length=600, autocomplete="street-address"
    )
    told = LongTextField("Anything else", max_length=2_000)
    signed_name = signature()

    def day(self) -> date:
        """The day that was needed."""
        day: date | None = self.happens_on.data
        if day is None:
            raise LookupError("A notice that is sent has its day")
        return day

    def told_notice(self, kind: NoticeKind, *, confirms_id: UUID | None) -> NoticeTold:
        """What was written. Of the questions that only some notices ask, none is a missing answer."""
        given: dict[str, Any] = {name: self[name].data or None for name in ONLY_SOME if name in self}
        told = {"leaves_city", "new_owner_was_told"} & {field.name for field in self}
        return NoticeTold(
            key=self.key,
            kind=kind,
            happens_on=self.day(),
            owner_name=self.owner_name.data,
            owner_address=self.owner_address.data,
            signed_name=self.signed_name.data,
            told=self.told.data or None,
            confirms_id=confirms_id,
            **given,
            **{name: self[name].data for name in told},
        )


class MoveForm(NoticeForm):
    happens_on = CivilDateField(
        "When does it move?", [Needed("Enter the day of the move")], hint="If it moved already: the day it did."
    )
    new_address = LongTextField("Where will it live?", [Needed("Enter the new address")], max_length=600)
    leaves_city = YesNoField("Is that outside the city?", [Needed("Choose yes or no")])


class TransferForm(NoticeForm):
    happens_on = CivilDateField(
        "When does it go to the new owner?",
        [Needed("Enter the day it goes to the new owner")],
        hint="If it went already: the day it did.",
    )
    new_owner_name = TextField(
        "The new owner’s name", [Needed("Enter the new owner’s name")], max_length=200, autocomplete="off"
    )
    new_owner_address = LongTextField(
        "The new owner’s address",
        [SaysWhen()],
        hint="Animal control asks you for it if you leave it out.",
        max_length=600,
        autocomplete="off",
    )
    new_address = LongTextField("Where will the dog live, if somewhere else?", max_length=600, autocomplete="off")
    new_owner_phone = PhoneField("The new owner’s telephone", [SaysWhen()], autocomplete="off")
    leaves_city = YesNoField("Is that outside the city?", [Needed("Choose yes or no")])
    new_owner_was_told = YesNoField("Does the new owner know what the city has identified the dog as?", [SaysWhen()])


class DeathForm(NoticeForm):
    happens_on = CivilDateField("When did it die?", [Needed("Enter the day it died"), NotInFuture()])


_FORMS: dict[NoticeKind, type[NoticeForm]] = {
    NoticeKind.MOVE: MoveForm,
    NoticeKind.TRANSFER: TransferForm,
    NoticeKind.DEATH: DeathForm,
}
NOTICE_FORMS: Mapping[NoticeKind, type[NoticeForm]] = MappingProxyType(_FORMS)
