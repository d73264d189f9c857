"""Where a designated dog stands: the list, what the notice says, every date, and the dates for one's calendar."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from urllib.parse import urlsplit
from uuid import UUID

from flask import current_app, make_response, url_for
from flask.typing import ResponseReturnValue

from portal.forms.sign_in import ButtonForm
from portal.gateways.calendar_file import Entry, calendar_file
from portal.ordinance import periods
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import GROUNDS_TOLD, Ground
from portal.ordinance.fees import HEARING_CAP_CENTS
from portal.schema.animals import Animal
from portal.schema.dangerous import DangerousRegistration, RegistrationState
from portal.services.animals.past_animals import past_animal_of
from portal.services.dangerous.days_to_know import DayToKnow, days_to_know, review_day
from portal.services.dangerous.dog import DangerousDog
from portal.services.dangerous.handed_over import handed_over
from portal.services.refusal import NotTheirs
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dangerous.blueprint import blueprint, designated
from portal.views.dangerous.lines import lines_of
from portal.views.dogs.blueprint import looking, mine
from portal.views.identity import resident
from portal.views.work import gateways, reading


@blueprint.get("/dogs/<uuid:animal_id>/dangerous")
@open_to(Access.RESIDENT)
def show(animal_id: UUID) -> ResponseReturnValue:
    """The requirements as a list, the dates, and what else can be done. Without a designation: how to add one.

    Of a dog that is gone, or that they gave away, what was told in writing is left: links and letters lead there.
    """
    try:
        animal, look = mine(animal_id), looking()
    except NotTheirs:
        return see_other(url_for("dangerous.tell", animal_id=_gone(animal_id).id))
    try:
        dog = designated(animal_id)
    except NotTheirs:
        return page("dangerous/none.html", animal=animal)
    lines = lines_of(dog)
    return page(
        "dangerous/show.html",
        form=ButtonForm(formdata=None),
        animal=animal,
        dog=dog,
        certified=certified_of(dog),
        lines=lines,
        waiting=Counter(line.waits_for.value for line in lines),
        may_send=dog.is_standing and dog.year is not None and dog.year.sent_at is None,
        days=days_to_know(dog, city=look.city, on=look.on),
        choices=list(_choices(dog, look.on)),
        look=look,
        Rule=Rule,
    )


@blueprint.get("/dogs/<uuid:animal_id>/dangerous/notice")
@open_to(Access.RESIDENT)
def notice(animal_id: UUID) -> ResponseReturnValue:
    """The whole notice in plain words: what was found, each right, each deadline (90.13(E)(3)(a))."""
    animal, dog, look = mine(animal_id), designated(animal_id), looking()
    return page(
        "dangerous/notice.html",
        animal=animal,
        dog=dog,
        grounds=[GROUNDS_TOLD[Ground(ground)] for ground in dog.designation.grounds],
        days={known.what.value: known for known in days_to_know(dog, city=look.city, on=look.on)},
        review=review_day(dog),
        periods=periods,
        hearing_cap_cents=HEARING_CAP_CENTS,
        Rule=Rule,
    )


@blueprint.get("/dogs/<uuid:animal_id>/dangerous/dates.ics")
@open_to(Access.RESIDENT)
def dates(animal_id: UUID) -> ResponseReturnValue:
    """Every date that is still to come, for a phone's calendar."""
    animal, dog, parts = mine(animal_id), designated(animal_id), gateways()
    coming = [known for known in days_to_know(dog, city=parts.city, on=parts.clock.today()) if known.is_theirs]
    content = calendar_file(
        [_entry(known, animal.name, dog) for known in coming],
        name=f"{animal.name}: {parts.city.name}",
        made_at=parts.clock.now(),
    )
    response = make_response(content)
    response.mimetype = "text/calendar"
    response.headers["Content-Disposition"] = 'attachment; filename="dates.ics"'
    response.headers["Cache-Control"] = "no-store"
    return response


def _gone(animal_id: UUID) -> Animal:
    person_id = resident().person_id
    try:
        gone, _ = past_animal_of(reading(), person_id=person_id, animal_id=animal_id)
    except NotTheirs:
        return handed_over(reading(), person_id=person_id, animal_id=animal_id).animal
    return gone


def _choices(dog: DangerousDog, on: date) -> Iterator[dict[str, str]]:
    """What else there is to read or to do."""
    animal_id = dog.animal.id
    if dog.is_standing and dog.renews_from and dog.renews_from <= on:
        yield {"label": "Renew the registration", "href": url_for("dangerous.renew", animal_id=animal_id)}
    yield {"label": "What the notice means", "href": url_for("dangerous.notice", animal_id=animal_id)}
    if not dog.is_standing:
        return
    if dog.hearing is None:
        yield {"label": "Ask for a hearing", "href": url_for("dangerous.hearing_of", animal_id=animal_id)}
    label, href = "A move, a new owner, a death", url_for("dangerous.tell", animal_id=animal_id)
    yield {"label": label, "href": href, "detail": "Also before it happens."}
    label, href = "Ask for a review", url_for("dangerous.review", animal_id=animal_id)
    yield {"label": label, "href": href, "detail": "If its behavior has changed."}


def certified_of(dog: DangerousDog) -> DangerousRegistration | None:
    """The newest year with a certificate that counts."""
    years = (dog.year, dog.year_before)
    return next((year for year in years if year and year.state is RegistrationState.CERTIFIED), None)


def _entry(known: DayToKnow, name: str, dog: DangerousDog) -> Entry:
    base_url = current_app.config["BASE_URL"]
    citation = gateways().city.citation(known.rule).label
    return Entry(
        key=f"{known.what.value}-{dog.designation.id}@{urlsplit(base_url).hostname}",
        on=known.on,
        title=f"{name}: {known.title}",
        words=f"{known.counted}. {citation}",
        address=f"{base_url}{url_for('dangerous.show', animal_id=dog.animal.id)}",
    )
