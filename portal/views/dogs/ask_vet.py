"""A keeper asks a clinic for an animal's certificate: by e-mail, or with a square code shown at the desk."""

from typing import cast
from uuid import UUID

from flask import current_app, session, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from portal.forms.sign_in import ButtonForm
from portal.forms.vet_link import AskVetForm
from portal.gateways.qr import qr_svg
from portal.services.certificates.add_certificate import kept_animal
from portal.services.certificates.ask_vet import (
    Addressee,
    approved_clinics,
    ask_vet,
    is_open,
    requests_of,
    withdraw_request,
)
from portal.services.certificates.good_to import vaccination_good_to
from portal.services.secrets import token_hash
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.asking import count_ask
from portal.views.dogs.blueprint import blueprint
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.work import gateways, reading, transaction

DESK_CODE = "vet_desk_code"
QR_NAME = "Square code that opens the clinic’s page for this animal"
MOST_CODES = 6
AT_THE_DESK = Addressee(name="")


@blueprint.route("/<uuid:animal_id>/ask", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def ask(animal_id: UUID) -> ResponseReturnValue:
    """Which clinic? And what was asked so far."""
    me, parts = resident(), gateways()
    animal = kept_animal(reading(), person_id=me.person_id, animal_id=animal_id)
    form = form_for(AskVetForm, clinics=approved_clinics(reading()))
    if form.validate_on_submit():
        count_ask(me.account_id, form.addressee.email)
        with form.refusals(), transaction() as db:
            mine = kept_animal(db, person_id=me.person_id, animal_id=animal_id)
            ask_vet(db, animal=mine, person_id=_person(), addressee=form.addressee, clock=parts.clock)
            return see_other(url_for("dogs.ask", animal_id=animal_id))
    asked = requests_of(reading(), animal_id=animal_id)
    return page(
        "dogs/ask_vet.html",
        form=form,
        button=ButtonForm(),
        animal=animal,
        person_id=me.person_id,
        open_requests=[one for one, _ in asked if is_open(one, clock=parts.clock)],
        answered=[(one, brought, vaccination_good_to(brought, parts.city)) for one, brought in asked if brought],
    )


@blueprint.route("/<uuid:animal_id>/ask/<uuid:request_id>/withdraw", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def withdraw_ask(animal_id: UUID, request_id: UUID) -> ResponseReturnValue:
    """Take it back: the link opens nothing any more."""
    me, form = resident(), ButtonForm()
    kept_animal(reading(), person_id=me.person_id, animal_id=animal_id)
    if form.validate_on_submit():
        with transaction() as db:
            withdraw_request(db, person_id=me.person_id, request_id=request_id, clock=gateways().clock)
    return see_other(url_for("dogs.ask", animal_id=animal_id))


@blueprint.route("/<uuid:animal_id>/ask/code", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def desk_code(animal_id: UUID) -> ResponseReturnValue:
    """A square code to show at the clinic's desk. Only the browser that made it can show it again."""
    me, parts = resident(), gateways()
    animal = kept_animal(reading(), person_id=me.person_id, animal_id=animal_id)
    form = form_for(ButtonForm)
    if form.validate_on_submit():
        count_ask(me.account_id, None)
        with form.refusals():
            with transaction() as db:
                mine = kept_animal(db, person_id=me.person_id, animal_id=animal_id)
                asked = ask_vet(db, animal=mine, person_id=_person(), addressee=AT_THE_DESK, clock=parts.clock)
            session[DESK_CODE] = _with_code(animal_id, asked.path)
            return see_other(url_for("dogs.desk_code", animal_id=animal_id))
    path = _shown_code(animal_id)
    square = Markup(qr_svg(f"{current_app.config['BASE_URL']}{path}", name=QR_NAME)) if path else None  # noqa: S704 - drawn by us
    return page("dogs/desk_code.html", form=form, animal=animal, square_code=square)


def _person() -> UUID:
    person_id = resident().person_id
    if person_id is None:
        raise LookupError("Whoever keeps an animal is a person on record")
    return person_id


def _with_code(animal_id: UUID, path: str) -> dict[str, str]:
    """The codes this browser can show, the newest last; so many that they fit in its cookie."""
    others = cast(dict[str, str], session.get(DESK_CODE, {}))
    codes = {**{animal: code for animal, code in others.items() if animal != str(animal_id)}, str(animal_id): path}
    return dict(list(codes.items())[-MOST_CODES:])


def _shown_code(animal_id: UUID) -> str | None:
    """The link this browser made last for this animal, while it still takes a certificate."""
    path = cast(dict[str, str], session.get(DESK_CODE, {})).get(str(animal_id))
    if path is None:
        return None
    hashed = token_hash(path.rpartition("/")[2])
    asked = requests_of(reading(), animal_id=animal_id)
    clock = gateways().clock
    return path if any(one.token_hash == hashed and is_open(one, clock=clock) for one, _ in asked) else None
