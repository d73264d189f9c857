"""From the arguments of a sending to a report; all that is wrong with them is said at once."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from werkzeug.datastructures import MultiDict

from portal.city import City
from portal.forms.emails import UnreadableEmail, check_email
from portal.forms.text import many_lines, one_line
from portal.open311.questions import USUAL, Unreadable, questions, read_answer
from portal.ordinance.nuisances import Nuisance
from portal.services.reports.answers import DETAILS, LONGEST_LINE, LONGEST_TEXT, Identity, ReportAnswers
from portal.services.reports.place import may_be_outside

ATTRIBUTE = re.compile(r"attribute\[([^\[\]]+)\](?:\[\d*\])?")
LONGEST_NAME = 200
LONGEST_EMAIL = 254
NO_PLACE = "Send address_string, or lat and long, or address_id."
HALF_A_POSITION = "Send lat and long together."
WRONG_POSITION = "lat is a number from -90 to 90 and long one from -180 to 180."
NO_POSITION = "lat and long of 0 are no place here. Send address_string."
NO_SUCH_ATTRIBUTE = "An attribute is not in the definition of this service."
TWICE = "{code}: Send one value."
NO_NAME = "Send first_name or last_name with phone, or leave both out."
WRONG_MEDIA = "media_url is an address that begins with https:// or http://, of 500 characters or fewer."
MEDIA = "\n\nPicture or film, as the sending software gave it: {url}"


class Wrong(ValueError):
    """Arguments that can't be read."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__(*sentences)
        self.sentences = sentences


@dataclass(frozen=True)
class SentReport:
    """What was sent, and by whom as far as they say."""

    answers: ReportAnswers
    identity: Identity | None
    mailbox: str | None


@dataclass
class _Sending:
    """The arguments, and what was found wrong with them so far."""

    form: MultiDict[str, str]
    wrong: list[str] = field(default_factory=list)

    def line(self, name: str, most: int = LONGEST_LINE) -> str:
        """One line; an empty one is as none."""
        return self._within(name, one_line(self.form.get(name, "")), most)

    def text(self, name: str, most: int = LONGEST_TEXT) -> str:
        """Several lines."""
        return self._within(name, many_lines(self.form.get(name, "")), most)

    def _within(self, name: str, written: str, most: int) -> str:
        if len(written) <= most:
            return written
        self.wrong.append(f"{name}: Use {most:,} characters or fewer.")
        return ""


def read_sending(kind: Nuisance, form: MultiDict[str, str], *, city: City, now: datetime) -> SentReport:
    """The report; raises Wrong."""
    sending = _Sending(form)
    position = _position(sending)
    place = _place(sending, position)
    answered = _answered(sending, kind, zone=city.time_zone, now=now)
    narrative = sending.text("description") + _media(sending)
    mailbox = _mailbox(sending)
    identity = _identity(sending, mailbox)
    if sending.wrong:
        raise Wrong(sending.wrong)
    of_kind = {one.name for one in fields(DETAILS[kind])}
    latitude, longitude = position or (None, None)
    answers = ReportAnswers(
        kind=kind,
        place=place,
        narrative=narrative,
        latitude=latitude,
        longitude=longitude,
        is_outside_city=may_be_outside(place, latitude=latitude, longitude=longitude, city=city),
        details=DETAILS[kind](**{code: value for code, value in answered.items() if code in of_kind}),
        **{code: value for code, value in answered.items() if code in USUAL},
    )
    return SentReport(answers, identity, mailbox)


def _position(sending: _Sending) -> tuple[float, float] | None:
    typed = [sending.form.get(name, "").strip() for name in ("lat", "long")]
    if not any(typed):
        return None
    if not all(typed):
        sending.wrong.append(HALF_A_POSITION)
        return None
    try:
        latitude, longitude = (float(one) for one in typed)
    except ValueError:
        latitude = longitude = math.nan
    if not (abs(latitude) <= 90 and abs(longitude) <= 180):
        sending.wrong.append(WRONG_POSITION)
        return None
    return latitude, longitude


def _place(sending: _Sending, position: tuple[float, float] | None) -> str:
    """As typed; a position or a number of the city's own register stands for it where nothing was typed."""
    if typed := sending.line("address_string"):
        return typed
    if number := sending.line("address_id"):
        return f"Address number {number}"
    if position and any(position):
        return f"{position[0]:.6f}, {position[1]:.6f}"
    if not sending.wrong:
        sending.wrong.append(NO_POSITION if position else NO_PLACE)
    return ""


def _answered(sending: _Sending, kind: Nuisance, *, zone: ZoneInfo, now: datetime) -> Mapping[str, Any]:
    asked, found = questions(kind), {}
    for name, typed in sending.form.items(multi=True):
        attribute = ATTRIBUTE.fullmatch(name)
        if attribute is None or not typed.strip():
            continue
        code = attribute[1]
        if code not in asked:
            sending.wrong.append(NO_SUCH_ATTRIBUTE)
            return {}
        if code in found:
            sending.wrong.append(TWICE.format(code=code))
            return {}
        try:
            found[code] = read_answer(asked[code], typed.strip(), zone=zone, now=now)
        except Unreadable as unreadable:
            sending.wrong.append(f"{code}: {unreadable}")
    return found


def _media(sending: _Sending) -> str:
    """An address is kept as text for the officer; the portal never asks for it."""
    url = sending.form.get("media_url", "").strip()
    if not url:
        return ""
    if len(url) > LONGEST_LINE or not re.fullmatch(r"https?://[^\s<>\"]+", url, re.IGNORECASE):
        sending.wrong.append(WRONG_MEDIA)
        return ""
    return MEDIA.format(url=one_line(url))


def _mailbox(sending: _Sending) -> str | None:
    email = sending.line("email", LONGEST_EMAIL)
    if not email:
        return None
    try:
        check_email(email)
    except UnreadableEmail as unreadable:
        sending.wrong.append(f"email: {unreadable}.")
        return None
    return email


def _identity(sending: _Sending, mailbox: str | None) -> Identity | None:
    names = [sending.line(name, LONGEST_NAME) for name in ("first_name", "last_name")]
    name, phone = " ".join(filter(None, names)), sending.line("phone", LONGEST_NAME)
    if phone and not name:
        sending.wrong.append(NO_NAME)
    return Identity(name=name, email=mailbox, phone=phone or None) if name else None
