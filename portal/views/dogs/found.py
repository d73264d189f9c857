"""Somebody read this dog's tag and wrote: what they say, and the answer (90.11(B))."""

from uuid import UUID

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.forms.found import KeeperWordsForm
from portal.forms.sign_in import ButtonForm
from portal.gateways.rate_limits import RELAY_WORDS
from portal.services.notices.answer_in_relay import Words, answer_as_keeper, end_as_keeper
from portal.services.notices.relay_talk import Talk, talk_of_keeper, talks_of_keeper
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dogs.blueprint import blueprint, mine
from portal.views.files import picture as stored_picture
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.work import gateways, reading, transaction


@blueprint.get("/<uuid:animal_id>/found")
@open_to(Access.RESIDENT)
def found(animal_id: UUID) -> ResponseReturnValue:
    """The talks of the last weeks."""
    animal = mine(animal_id)
    talks = talks_of_keeper(reading(), person_id=resident().person_id, animal_id=animal_id, clock=gateways().clock)
    return page("dogs/found.html", animal=animal, talks=talks)


@blueprint.route("/<uuid:animal_id>/found/<uuid:relay_id>", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def found_talk(animal_id: UUID, relay_id: UUID) -> ResponseReturnValue:
    """What the finder writes, and the answer."""
    seen = _mine(animal_id, relay_id)
    form = form_for(KeeperWordsForm)
    if form.validate_on_submit():
        gateways().limits.take(RELAY_WORDS, f"{relay_id}:{resident().account_id}")
        phone = form.phone.data if form.pass_phone_on.data else None
        with form.refusals():
            with transaction() as db:
                answer_as_keeper(
                    db,
                    Words(text=form.message.data, phone=phone),
                    person_id=resident().person_id,
                    animal_id=animal_id,
                    relay_id=relay_id,
                    key=form.key,
                    clock=gateways().clock,
                )
            return see_other(url_for("dogs.found_talk", animal_id=animal_id, relay_id=relay_id))
    return page("dogs/found_talk.html", form=form, button=ButtonForm(formdata=None), talk=seen)


@blueprint.route("/<uuid:animal_id>/found/<uuid:relay_id>/home", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def found_home(animal_id: UUID, relay_id: UUID) -> ResponseReturnValue:
    """The dog is home, and the finder is thanked."""
    return _ended(animal_id, relay_id, is_home=True)


@blueprint.route("/<uuid:animal_id>/found/<uuid:relay_id>/end", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def found_end(animal_id: UUID, relay_id: UUID) -> ResponseReturnValue:
    """A nuisance is ended without a word."""
    return _ended(animal_id, relay_id, is_home=False)


@blueprint.get("/<uuid:animal_id>/found/<uuid:relay_id>/<uuid:message_id>.jpg")
@open_to(Access.RESIDENT)
def found_picture(animal_id: UUID, relay_id: UUID, message_id: UUID) -> ResponseReturnValue:
    """A picture the finder sent."""
    key = _mine(animal_id, relay_id).photo_key(message_id)
    return stored_picture(key, [key], 0)


def _mine(animal_id: UUID, relay_id: UUID) -> Talk:
    return talk_of_keeper(
        reading(),
        person_id=resident().person_id,
        animal_id=animal_id,
        relay_id=relay_id,
        clock=gateways().clock,
    )


def _ended(animal_id: UUID, relay_id: UUID, *, is_home: bool) -> ResponseReturnValue:
    """The talk is over. A GET comes from a sign-in that had ended, and leads back."""
    _mine(animal_id, relay_id)
    form = ButtonForm()
    if form.validate_on_submit():
        with transaction() as db:
            end_as_keeper(
                db,
                person_id=resident().person_id,
                animal_id=animal_id,
                relay_id=relay_id,
                is_home=is_home,
                clock=gateways().clock,
            )
    return see_other(url_for("dogs.found_talk", animal_id=animal_id, relay_id=relay_id))
