"""The talk with somebody who saw the pet, or who thinks that a found one is theirs. Neither learns who the other is."""

from uuid import UUID

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.forms.notice_words import HolderWordsForm
from portal.forms.sign_in import ButtonForm
from portal.gateways.rate_limits import RELAY_WORDS
from portal.services.notices.answer_in_relay import Words, answer_as_holder, end_as_holder
from portal.services.notices.relay_talk import Talk, talk_of_notice
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.files import picture as stored_picture
from portal.views.kept_answers import form_for
from portal.views.notices.blueprint import blueprint
from portal.views.notices.opened import opened_notice
from portal.views.work import gateways, reading, transaction


@blueprint.route("/notices/<reference>/talk/<uuid:relay_id>", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def talk(reference: str, relay_id: UUID) -> ResponseReturnValue:
    """What they write, and the answer."""
    parts, notice, seen = gateways(), opened_notice(reference), _seen(reference, relay_id)
    form = form_for(HolderWordsForm)
    if form.validate_on_submit():
        parts.limits.take(RELAY_WORDS, f"{relay_id}:holder")
        words = Words(text=form.message.data, phone=form.passed_phone)
        with form.refusals():
            with transaction() as db:
                answer_as_holder(db, words, notice=notice, relay_id=relay_id, key=form.key, clock=parts.clock)
            return see_other(url_for("notices.talk", reference=reference, relay_id=relay_id))
    return page("notices/talk.html", form=form, button=ButtonForm(formdata=None), notice=notice, talk=seen)


@blueprint.route("/notices/<reference>/talk/<uuid:relay_id>/end", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def end_talk(reference: str, relay_id: UUID) -> ResponseReturnValue:
    """A nuisance is ended without a word. A GET leads back to the button."""
    notice = opened_notice(reference)
    _seen(reference, relay_id)
    if ButtonForm().validate_on_submit():
        with transaction() as db:
            end_as_holder(db, notice=notice, relay_id=relay_id, clock=gateways().clock)
    return see_other(url_for("notices.talk", reference=reference, relay_id=relay_id))


@blueprint.get("/notices/<reference>/talk/<uuid:relay_id>/<uuid:message_id>.jpg")
@open_to(Access.ANYONE)
def talk_picture(reference: str, relay_id: UUID, message_id: UUID) -> ResponseReturnValue:
    """A picture they sent."""
    key = _seen(reference, relay_id).photo_key(message_id)
    return stored_picture(key, [key], 0)


def _seen(reference: str, relay_id: UUID) -> Talk:
    return talk_of_notice(reading(), notice=opened_notice(reference), relay_id=relay_id, clock=gateways().clock)
