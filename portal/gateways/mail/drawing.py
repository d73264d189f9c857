"""Letters drawn from templates/messages, a text and an HTML part that say the same; texts from templates/texts.

Whatever was typed by a person is inert in both (a mail program makes no link, no heading and no header of it), and it
is so by default: every value a template prints is made inert, unless this module made it or the city's file gave it.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context, select_autoescape
from jinja2.runtime import Context
from markupsafe import Markup

from portal.city.city import City
from portal.gateways.mail.letter import Letter, one_line

TEMPLATES = Path(__file__).parents[2] / "templates"
SUBJECT = "Subject: "
OUR_PATH = re.compile(r"[\w/.~?=&%+-]+", re.ASCII)
# Mail programs make a link of what looks like one. A zero-width blank after each sign that a link is told by keeps the
# text as it was typed and breaks the link; the other scripts' full stops are taken for dots by some of them.
TELLS_A_LINK = re.compile(r"(?<=[.:@/\]。．｡：＠])(?=\S)")
ZERO_WIDTH_BLANK = "\u200b"
# What stays whole, since no program takes it for a link: a number, an amount, a time of day.
WORD = re.compile(r"\S+")
NO_LINK = re.compile(
    r"\(?(?:[-+]?\$?\d{1,3}(?:,?\d{3})*(?:\.\d{1,5})?%?|\d{1,2}:\d{2}(?::\d{2})?|[ap]\.m\.)[,;:.!?)]{0,2}",
    re.ASCII | re.IGNORECASE,
)


class Ours(str):
    """Text that nobody typed: an address of the portal's, a date, an amount."""

    __slots__ = ()


def render_letter(
    template: str, context: Mapping[str, Any], *, to: str, city: City, base_url: str, message_id: str
) -> Letter:
    """The letter `template` with what it has to tell; the first line of the text part is its subject."""
    values = {**context, "city": city, "base_url": base_url}
    subject, _, text = _environment().get_template(f"messages/{template}.txt").render(values).partition("\n")
    if not subject.startswith(SUBJECT):
        raise ValueError(f"messages/{template}.txt does not begin with its subject")
    return Letter(
        to=to,
        subject=one_line(subject.removeprefix(SUBJECT)),
        text=f"{text.strip()}\n",
        html=_environment().get_template(f"messages/{template}.html").render(values),
        message_id=message_id,
        reply_to=city.police.email,
        unsubscribe_url=f"{base_url}{context['stop_path']}/one-click" if "stop_path" in context else None,
    )


def render_text(template: str, *, path: str, city: City, base_url: str) -> str:
    """The words of a text. It is told where to go on and nothing else: whoever holds the phone learns no affair."""
    words = _environment().get_template(f"texts/{template}.txt").render(path=path, city=city, base_url=base_url)
    return one_line(words)


def inert(typed: str) -> str:
    """What a person typed, as it reads, on one line, and with nothing that a mail program would act on."""
    return WORD.sub(_broken, one_line(typed))


def _broken(word: re.Match[str]) -> str:
    return word[0] if NO_LINK.fullmatch(word[0]) else TELLS_A_LINK.sub(ZERO_WIDTH_BLANK, word[0])


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        finalize=_inert_unless_ours,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(day=_day, money=_money, listed=_listed, link=_link, ours=Ours)
    return environment


def _inert_unless_ours(value: Any) -> Any:
    return inert(value) if isinstance(value, str) and not isinstance(value, Ours | Markup) else value


@pass_context
def _link(context: Context, address: str) -> Ours:
    """The whole address of a page of the portal, given its path or itself; no other address gets through."""
    base_url = context["base_url"]
    path = address.removeprefix(base_url)
    if not path.startswith("/") or path.startswith("//") or not OUR_PATH.fullmatch(path):
        raise ValueError("A letter links to pages of the portal alone")
    return Ours(f"{base_url}{path}")


def _day(written: str) -> Ours:
    """December 4, 2026, from 2026-12-04"""
    day = date.fromisoformat(written)
    return Ours(f"{day:%B} {day.day}, {day.year}")


def _money(cents: int) -> Ours:
    """$10.00"""
    return Ours(f"${cents // 100:,}.{cents % 100:02d}")


def _listed(names: Iterable[str]) -> str:
    """Pepper, Rex and Max"""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
