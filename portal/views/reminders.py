"""Reminders: what a resident wants of them, and the links in them, which open without a sign-in and show nobody."""

from collections.abc import Iterator
from uuid import UUID

from flask import Blueprint, current_app, request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.reminders import RemindersForm
from portal.forms.sign_in import ButtonForm
from portal.services.messages.reminder_choices import (
    CONSENT,
    CONSENTS,
    Choices,
    choices_of,
    choose,
    mailbox_of,
    stop_reminders,
    want_reminders,
)
from portal.services.reminders.signed_links import Purpose, account_in
from portal.views.access import Access, open_to
from portal.views.answers import over, own_path, page, see_other
from portal.views.codes import send_code
from portal.views.identity import current_resident, resident
from portal.views.kept_answers import form_for
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("reminders", __name__, url_prefix="/reminders")

AFTER = "/dogs"
OVER = "reminders/over.html"
ONE_CLICK = ("List-Unsubscribe", "One-Click")
PLAIN = {"Content-Type": "text/plain; charset=utf-8"}


@blueprint.route("", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def choices() -> ResponseReturnValue:
    """By letter, by text too, or not at all."""
    me, parts = resident(), gateways()
    offers_texts = current_app.config["OFFERS_TEXTS"]
    known = choices_of(reading(), account_id=me.account_id)
    form = form_for(RemindersForm, data=_stored(known))
    if form.validate_on_submit():
        phone = form.phone.number.e164 if form.phone.number else None
        chosen = Choices(
            wants_reminders=form.wants_reminders.data,
            wants_texts=bool(offers_texts and form.wants_texts.data),
            phone=phone,
        )
        with form.refusals():
            with transaction() as db:
                choose(db, chosen, account_id=me.account_id, clock=parts.clock)
            return see_other(url_for("reminders.choices", kept="yes"))
    return page(
        "reminders/choices.html",
        form=form,
        email=me.email,
        offers_texts=offers_texts,
        consent=CONSENTS[CONSENT].format(city=parts.city.name),
        is_kept="kept" in request.args,
    )


@blueprint.route("/stop/<token>", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def stop(token: str) -> ResponseReturnValue:
    """Scanners open links too, so looking changes nothing and the button does. It is the same page afterwards."""
    account_id, form = _account(token, Purpose.STOP), ButtonForm()
    if account_id is None:
        return over(OVER)
    if form.validate_on_submit():
        with transaction() as db:
            stop_reminders(db, account_id=account_id, clock=gateways().clock)
        return see_other(url_for("reminders.stop", token=token))
    known = choices_of(reading(), account_id=account_id)
    return page("reminders/stop.html", form=form, token=token, is_stopped=not known.wants_reminders)


@blueprint.route("/again/<token>", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def again(token: str) -> ResponseReturnValue:
    """Take the stopping back."""
    account_id, form = _account(token, Purpose.STOP), ButtonForm()
    if account_id is None:
        return over(OVER)
    if form.validate_on_submit():
        with transaction() as db:
            want_reminders(db, account_id=account_id)
    return see_other(url_for("reminders.stop", token=token))


@blueprint.route("/stop/<token>/one-click", methods=["GET", "POST"])
@open_to(Access.LETTER)
def one_click(token: str) -> ResponseReturnValue:
    """RFC 8058: the mail program's own button, pressed by its server. It has no page, no cookie, and no redirect."""
    account_id = _account(token, Purpose.STOP)
    if request.method == "GET":
        return see_other(url_for("reminders.stop", token=token))
    if account_id is None or ONE_CLICK not in request.form.items():
        return "nothing to stop", 400, PLAIN
    with transaction() as db:
        stop_reminders(db, account_id=account_id, clock=gateways().clock)
    return "stopped", 200, PLAIN


@blueprint.route("/open/<token>/<path:wanted>", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def open_page(token: str, wanted: str) -> ResponseReturnValue:
    """What a reminder is about. The link says whose mailbox to prove, so that nobody has to type it; no more."""
    account_id, me, form = _account(token, Purpose.OPEN), current_resident(), ButtonForm()
    next_path = own_path(f"/{wanted}", fallback=AFTER)
    if me and me.account_id == account_id:
        return see_other(next_path)
    mailbox = mailbox_of(reading(), account_id=account_id) if account_id else None
    if mailbox is None:
        return see_other(url_for("sign_in.ask", next=next_path))
    if form.validate_on_submit():
        return send_code(mailbox, next_path=next_path, is_typed=False)
    return page("reminders/open.html", form=form)


def _stored(known: Choices) -> dict[str, object]:
    return {"wants_reminders": known.wants_reminders, "wants_texts": known.wants_texts, "phone": known.phone or ""}


def _account(token: str, purpose: Purpose) -> UUID | None:
    return account_in(token, purpose, keys=_keys())


def _keys() -> Iterator[str]:
    yield current_app.config["SECRET_KEY"]
    yield from current_app.config["SECRET_KEY_FALLBACKS"]
