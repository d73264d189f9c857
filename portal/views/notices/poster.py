"""The poster of a missing pet, for whoever wants to print it."""

from flask import Response, current_app, g, request, url_for
from flask.typing import ResponseReturnValue

from portal.gateways.paper.posters import Poster, poster_pdf
from portal.gateways.rate_limits import POSTERS
from portal.gateways.storage.store import FileMissing
from portal.schema.notices import NoticeKind
from portal.services.notices.shown import ShownNotice
from portal.views.access import Access, open_to
from portal.views.answers import see_other
from portal.views.notices.blueprint import blueprint
from portal.views.notices.shown import shown
from portal.views.work import gateways, let_go_of_reading


@blueprint.get("/lost/<reference>/poster.pdf")
@open_to(Access.ANYONE)
def poster(reference: str) -> ResponseReturnValue:
    """The poster as it is now. One that is home has none: its page says so."""
    g.is_private = False
    found = shown(NoticeKind.LOST, reference)
    if found.is_home:
        return see_other(url_for(".show", kind=found.kind, reference=reference))
    let_go_of_reading()
    gateways().limits.take(POSTERS, request.remote_addr or "")
    response = Response(poster_pdf(_poster(found)), mimetype="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="lost-{found.reference}.pdf"'
    response.add_etag()
    return response.make_conditional(request)


def _poster(notice: ShownNotice) -> Poster:
    address = url_for(".show", kind=notice.kind, reference=notice.reference)
    told = (notice.species_text, notice.breed, notice.color, notice.marks)
    zone = gateways().city.time_zone
    return Poster(
        species=notice.species,
        name=notice.name,
        looks=", ".join(part for part in told if part),
        sex=notice.sex or "",
        size=notice.size or "",
        last_seen_place=notice.place,
        last_seen_on=notice.happened_on,
        last_seen_at=notice.happened_at.astimezone(zone).time() if notice.happened_at else None,
        wears=notice.wears,
        temperament=notice.temperament or "",
        when_seen=notice.what_to_do,
        link=f"{current_app.config['BASE_URL']}{address}",
        phone=notice.shown_phone,
        photo=_photo(notice.photo_key),
    )


def _photo(key: str | None) -> bytes | None:
    """A picture that is gone meanwhile is no reason to have no poster."""
    if key is None:
        return None
    try:
        with gateways().storage.open(key) as content:
            return content.read()
    except FileMissing:
        return None
