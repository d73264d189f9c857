"""The board as an Atom feed (RFC 4287)."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from xml.etree.ElementTree import Element, SubElement, register_namespace, tostring

from flask import url_for

from portal.schema.notices import NoticeKind
from portal.services.notices.shown import ShownNotice
from portal.views.notices.words import title_of
from portal.views.words import day

NAMESPACE = "http://www.w3.org/2005/Atom"
# What XML 1.0 cannot hold, however it is escaped.
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NOTHING_YET = datetime(2026, 1, 1, tzinfo=UTC)

register_namespace("", NAMESPACE)


def atom_feed(notices: Sequence[ShownNotice], *, kind: NoticeKind, heading: str, base_url: str) -> bytes:
    """The feed; each notice is known by its address, whatever changes in it."""
    address = f"{base_url}{url_for('.board', kind=kind)}"
    feed = Element(f"{{{NAMESPACE}}}feed", {"xml:lang": "en"})
    _add(feed, "id", address)
    _add(feed, "title", heading)
    _add(feed, "updated", max((one.changed_at for one in notices), default=NOTHING_YET).isoformat())
    _add(_add(feed, "author"), "name", heading)
    _add(feed, "link", href=address)
    _add(feed, "link", rel="self", type="application/atom+xml", href=f"{base_url}{url_for('.feed', kind=kind)}")
    for one in notices:
        _entry(feed, one, base_url)
    return bytes(tostring(feed, encoding="utf-8", xml_declaration=True))


def _entry(feed: Element, notice: ShownNotice, base_url: str) -> None:
    address = f"{base_url}{url_for('.show', kind=notice.kind, reference=notice.reference)}"
    entry = _add(feed, "entry")
    _add(entry, "id", address)
    _add(entry, "title", title_of(notice))
    _add(entry, "link", href=address)
    _add(entry, "published", notice.created_at.isoformat())
    _add(entry, "updated", notice.changed_at.isoformat())
    told = (notice.breed, notice.color, notice.marks, notice.wears, f"{notice.place}, {day(notice.happened_on)}")
    _add(entry, "summary", ". ".join(part for part in told if part))


def _add(parent: Element, name: str, text: str = "", **attributes: str) -> Element:
    added = SubElement(parent, f"{{{NAMESPACE}}}{name}", attributes)
    added.text = NOT_XML.sub("", text) or None
    return added
