"""Found a dog with a tag? Its people are told, and neither side learns who the other is (90.11(B)).

Opening a page asks the database nothing: a number that exists and one that does not are the same until somebody has
written to the dog's people and pressed the button. So nothing is learned by counting, and no preview or scanner of
links is taken for a finder.
"""

from datetime import datetime
from uuid import UUID

from flask import Blueprint, current_app, g, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.found import FinderWordsForm, FoundForm, TagForm
from portal.forms.sign_in import ButtonForm
from portal.gateways.rate_limits import (
    FINDER_MAILBOX,
    RELAY_LINKS,
    RELAY_WORDS,
    TAG_PAGES,
    TAG_SENDS,
    TAG_SENDS_A_DAY,
    TAG_SENDS_OF_ALL,
    TAG_TOLD,
)
from portal.ordinance.found_animals import report_by
from portal.schema.documents import DocumentKind
from portal.services.animals.find_tag import TagNumber, animal_of_tag, read_tag_number
from portal.services.notices.answer_in_relay import Words, answer_as_finder, end_as_finder
from portal.services.notices.relay_letters import FINDERS_PAGE
from portal.services.notices.relay_talk import Talk, are_told, talk_of_finder
from portal.services.notices.tell_found import Found, tell_found
from portal.services.refusal import NotTheirs
from portal.services.secrets import token_hash
from portal.services.signing_in.sign_in import email_key
from portal.views.access import Access, open_to
from portal.views.answers import over, page, see_other
from portal.views.files import picture as stored_picture
from portal.views.identity import browser_secret
from portal.views.link_tokens import carry
from portal.views.uploads import stored_file
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("tags", __name__, url_prefix="/tags")

TALK = "found_talk"


@blueprint.get("")
@open_to(Access.ANYONE)
def ask() -> ResponseReturnValue:
    """Type the number, or scan the square code with the phone's own camera."""
    g.is_private = False
    if "number" not in request.args:
        return page("tags/ask.html", form=TagForm(formdata=None))
    form = TagForm(formdata=request.args)
    if form.validate() and form.number.tag:
        return see_other(url_for("tags.show", number=form.number.tag.label))
    return render_template("tags/ask.html", form=form), 422


@blueprint.route("/<number>", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def show(number: str) -> ResponseReturnValue:
    """Write to the dog's people. The page is the same whether or not there is such a tag."""
    gateways().limits.take(TAG_PAGES, request.remote_addr or "")
    tag = read_tag_number(number)
    if tag is None:
        form = TagForm(formdata=None, data={"number": number[:60]})
        form.validate()
        return render_template("tags/ask.html", form=form, is_error=True), 404
    browser_secret()  # known before the form is sent, so that two sendings at once are sent by the same browser
    form = FoundForm(data={"number": tag.label})
    if form.validate_on_submit():
        with form.refusals():
            photo_key = _tagged(form)
            confined_at = form.confined_at(now=gateways().clock.now(), zone=gateways().city.time_zone)
            if not form.problems:
                _tell(form, photo_key, confined_at)
                return see_other(url_for("tags.talk"))
    return page("tags/show.html", form=form, tag=tag)


@blueprint.get("/talk/<token>")
@open_to(Access.ANYONE)
def link(token: str) -> ResponseReturnValue:
    """A finder's private link. Opening it takes its token out of the address bar (V5)."""
    gateways().limits.take(RELAY_LINKS, request.remote_addr or "")
    carry(TALK, token)
    return see_other(url_for("tags.talk"))


@blueprint.route("/talk", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def talk() -> ResponseReturnValue:
    """What the dog's people answer, and what else there is to say. A wrong or old link opens the same page."""
    parts, token = gateways(), session.get(TALK, "")
    seen = _opened(token)
    if seen is None:
        return over("tags/over.html")
    form = FinderWordsForm()
    if form.validate_on_submit():
        parts.limits.take(RELAY_WORDS, f"{seen.id}:finder")
        photo_key = _photo(form)
        if not form.problems:
            words = Words(text=form.message.data, photo_key=photo_key)
            with form.refusals():
                with transaction() as db:
                    answer_as_finder(db, words, token=token, key=form.key, city=parts.city, clock=parts.clock)
                return see_other(url_for("tags.talk"))
    return page(
        "tags/talk.html",
        form=form,
        button=ButtonForm(formdata=None),
        talk=seen,
        are_told=are_told(reading(), seen),
        report_by=report_by(seen.confined_at).due_at if seen.confined_at else None,
        now=parts.clock.now(),
        link=current_app.config["BASE_URL"] + FINDERS_PAGE.format(token=token),
    )


@blueprint.route("/talk/end", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def end() -> ResponseReturnValue:
    """No more messages. A GET leads back to the button."""
    form, token = ButtonForm(), session.get(TALK, "")
    if form.validate_on_submit():
        try:
            with transaction() as db:
                end_as_finder(db, token=token, clock=gateways().clock)
        except NotTheirs:
            return over("tags/over.html")
    return see_other(url_for("tags.talk"))


@blueprint.route("/talk/leave", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def leave() -> ResponseReturnValue:
    """This browser forgets the talk, which may be a library's. The link opens it again."""
    form = ButtonForm()
    if form.validate_on_submit():
        session.pop(TALK, None)
        return see_other(url_for("tags.ask"))
    return see_other(url_for("tags.talk"))


@blueprint.get("/talk/<uuid:message_id>.jpg")
@open_to(Access.ANYONE)
def picture(message_id: UUID) -> ResponseReturnValue:
    """A picture of this finder's own talk."""
    seen = _opened(session.get(TALK, ""))
    if seen is None:
        raise NotTheirs("No such picture")
    key = seen.photo_key(message_id)
    return stored_picture(key, [key], 0)


def _opened(token: str) -> Talk | None:
    return talk_of_finder(reading(), token=token, clock=gateways().clock) if token else None


def _tagged(form: FoundForm) -> str | None:
    """The photo's key, after the attempt was counted and the number was found; raises TooOften and Refused.

    A wrong number costs no picture work, and what is counted is every attempt, right or wrong.
    """
    limits, clock = gateways().limits, gateways().clock
    for limit in (TAG_SENDS, TAG_SENDS_A_DAY):
        limits.take(limit, request.remote_addr or "")
    limits.take(TAG_SENDS_OF_ALL, "")
    animal = animal_of_tag(reading(), _tag(form), clock=clock)
    limits.take(TAG_TOLD, str(animal.id))
    if form.email.data:
        limits.take(FINDER_MAILBOX, email_key(form.email.data))
    return _photo(form)


def _tell(form: FoundForm, photo_key: str | None, confined_at: datetime | None) -> None:
    parts = gateways()
    # The same form from the same browser gives the same token, so that sending it twice opens one talk.
    token = token_hash(f"{browser_secret()}:{form.key}")
    found = Found(
        text=form.message.data,
        place=form.place.data or None,
        phone=form.phone.data if form.pass_phone_on.data else None,
        email=form.email.data or None,
        confined_at=confined_at,
        photo_key=photo_key,
        is_suspicious=form.is_suspicious,
    )
    with transaction() as db:
        tell_found(db, found, tag=_tag(form), key=form.key, token=token, city=parts.city, clock=parts.clock)
    session[TALK] = token


def _tag(form: FoundForm) -> TagNumber:
    if form.number.tag is None:
        raise LookupError("The form was not validated")
    return form.number.tag


def _photo(form: FoundForm | FinderWordsForm) -> str | None:
    """Where the clean picture lies, if a photo came with it. It takes a second, so never inside a transaction."""
    if not form.photo.data:
        return None
    stored = stored_file(
        form, kind=DocumentKind.ANIMAL_PHOTO, field_name="photo", sender=f"finder:{request.remote_addr}"
    )
    return str(stored.pages[0]["key"]) if stored else None
