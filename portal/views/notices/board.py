"""The boards of missing pets and of animals that were found: a list first, then the same places on a map.

The same list is there for feed readers (Atom) and for software (JSON). Opening any of it changes nothing.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from flask import Response, current_app, g, jsonify, render_template, request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.board import BoardForm
from portal.schema.notices import NoticeKind
from portal.services.notices.shown import BoardPage, BoardPlace, ShownNotice, board_page
from portal.views.access import Access, open_to
from portal.views.notices.blueprint import KIND, blueprint
from portal.views.notices.feed import atom_feed
from portal.views.notices.map_drawing import Spot, drawn_map
from portal.views.notices.words import HOLDINGS, species_of, title_of
from portal.views.work import gateways, reading

FEED_LENGTH = 50
ATOM = "application/atom+xml"
HEADINGS = {NoticeKind.LOST: "Missing pets", NoticeKind.FOUND: "Found animals"}


@dataclass(frozen=True)
class Line:
    """A notice on the list; its number stands on the map too, where its place is known."""

    number: int
    notice: ShownNotice
    title: str
    looks: str
    is_on_map: bool


@blueprint.get(KIND)
@open_to(Access.ANYONE)
def board(kind: str) -> ResponseReturnValue:
    """What is missing or found now, the newest first."""
    g.is_private = False
    form, which = BoardForm(formdata=request.args), NoticeKind(kind)
    is_understood = form.validate()
    found = _asked(which, form) if is_understood else BoardPage((), None)
    numbered = list(enumerate(found.notices, start=1))
    spots = [Spot(number, *place) for number, one in numbered if (place := _place(one))]
    drawn = drawn_map(spots, area=gateways().city.area, streets=gateways().city.streets)
    on_map = {spot.number for spot in spots} - set(drawn.beyond) if drawn else set()
    lines = [Line(number, one, title_of(one), _looks(one), is_on_map=number in on_map) for number, one in numbered]
    answer = render_template(
        "notices/board.html",
        form=form,
        kind=which,
        heading=HEADINGS[which],
        lines=lines,
        map=drawn,
        older=url_for(".board", kind=kind, after=_place_text(found.next), **form.chosen) if found.next else None,
        is_first="after" not in request.args,
    )
    return answer, 200 if is_understood else 422


@blueprint.get(f"{KIND}.atom")
@open_to(Access.ANYONE)
def feed(kind: str) -> ResponseReturnValue:
    """The newest for a feed reader, which asks often: it is told when nothing changed."""
    g.is_private = False
    which = NoticeKind(kind)
    notices = board_page(reading(), kind=which, length=FEED_LENGTH).notices
    heading = f"{HEADINGS[which]}, {gateways().city.name}"
    content = atom_feed(notices, kind=which, heading=heading, base_url=current_app.config["BASE_URL"])
    response = Response(content, mimetype=ATOM)
    response.add_etag()
    return response.make_conditional(request)


@blueprint.get(f"{KIND}.json")
@open_to(Access.ANYONE)
def as_json(kind: str) -> ResponseReturnValue:
    """The list for software, with the same filters and pages as the board."""
    g.is_private = False
    form, which = BoardForm(formdata=request.args), NoticeKind(kind)
    if not form.validate():
        return jsonify({"errors": [problem.sentence for problem in form.problems]}), 422
    found = _asked(which, form)
    base_url = current_app.config["BASE_URL"]
    following = url_for(".as_json", kind=kind, after=_place_text(found.next), **form.chosen) if found.next else None
    response = jsonify(
        {
            "notices": [_told(one, base_url) for one in found.notices],
            "next": f"{base_url}{following}" if following else None,
        }
    )
    response.add_etag()
    return response.make_conditional(request)


def _asked(kind: NoticeKind, form: BoardForm) -> BoardPage:
    return board_page(
        reading(),
        kind=kind,
        species=form.wanted_species,
        size=form.wanted_size,
        since=form.since(gateways().clock.today()),
        after=_read_place(request.args.get("after", "")),
    )


def _looks(notice: ShownNotice) -> str:
    """Dog, gray and white, large. The title of a found one says so already: it says where it is."""
    if notice.holding:
        return HOLDINGS[notice.holding]
    told = (species_of(notice), notice.color, notice.size)
    words = ", ".join(part for part in told if part)
    return words[0].upper() + words[1:]


def _place(notice: ShownNotice) -> tuple[float, float] | None:
    """To a block of houses: many an animal was last seen at its own door."""
    if notice.latitude is None or notice.longitude is None:
        return None
    return round(notice.latitude, 3), round(notice.longitude, 3)


def _place_text(place: BoardPlace) -> str:
    return f"{place.created_at.isoformat()}~{place.id}"


def _read_place(text: str) -> BoardPlace | None:
    """Where a page begins; one that nobody wrote here is the first page."""
    when, _, key = text.partition("~")
    try:
        place = BoardPlace(datetime.fromisoformat(when), UUID(key))
    except ValueError:
        return None
    return place if place.created_at.tzinfo else None


def _told(notice: ShownNotice, base_url: str) -> dict[str, object]:
    """What software is told. A phone that an owner shows is for people who look at the notice."""
    address = url_for(".show", kind=notice.kind, reference=notice.reference)
    small = url_for(".picture", kind=notice.kind, reference=notice.reference, size="small")
    latitude, longitude = _place(notice) or (None, None)
    return {
        "reference": notice.reference,
        "url": f"{base_url}{address}",
        "title": title_of(notice),
        "species": notice.species,
        "species_text": notice.species_text,
        "name": notice.name,
        "breed": notice.breed,
        "color": notice.color,
        "sex": notice.sex,
        "size": notice.size,
        "marks": notice.marks,
        "wears": notice.wears,
        "holding": notice.holding,
        "place": notice.place,
        "latitude": latitude,
        "longitude": longitude,
        "happened_on": notice.happened_on.isoformat(),
        "happened_at": notice.happened_at.isoformat() if notice.happened_at else None,
        "picture": f"{base_url}{small}" if notice.thumbnail_key else None,
        "created_at": notice.created_at.isoformat(),
        "changed_at": notice.changed_at.isoformat(),
    }
