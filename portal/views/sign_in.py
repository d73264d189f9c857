"""Signing in with a code or a link, and signing out. Looking at a page spends nothing."""

from uuid import UUID

from flask import Blueprint, current_app, request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.sign_in import ButtonForm, CodeForm, EmailForm
from portal.gateways.rate_limits import CODE_FROM_ADDRESS
from portal.services.refusal import Refused
from portal.services.signing_in.sign_in import (
    WRONG_CODE,
    find_link,
    sign_in_with_code,
    sign_in_with_link,
    sign_out,
)
from portal.views.access import Access, open_to
from portal.views.answers import over, own_path, page, see_other
from portal.views.codes import ASKED, send_code
from portal.views.identity import TOKEN, browser_secret, current_resident, remember
from portal.views.kept_answers import are_answers_kept
from portal.views.link_tokens import carry
from portal.views.signing_out import forgetful
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("sign_in", __name__, url_prefix="/sign-in")

LINK = "sign_in_link"
AFTER = "/dogs"


@blueprint.route("", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def ask() -> ResponseReturnValue:
    """Which mailbox?"""
    next_path = own_path(request.args.get("next"), fallback=AFTER)
    if request.method == "GET" and current_resident():
        return see_other(next_path)
    form = EmailForm()
    if form.validate_on_submit():
        return send_code(form.email.data, next_path=next_path, is_typed=True)
    is_new, is_kept = request.args.get("next", "").startswith("/register"), are_answers_kept(next_path)
    return page("sign_in/ask.html", form=form, is_new=is_new, is_kept=is_kept)


@blueprint.route("/code", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def code() -> ResponseReturnValue:
    """Type the six digits."""
    asked = session.get(ASKED)
    if asked is None:
        return see_other(url_for("sign_in.ask"))
    form = CodeForm()
    if form.validate_on_submit():
        gateways().limits.take(CODE_FROM_ADDRESS, request.remote_addr or "")
        with form.refusals():
            with transaction() as db:
                signed_in = sign_in_with_code(
                    db,
                    request_id=UUID(asked["id"]),
                    browser=browser_secret(),
                    code=form.code.data,
                    clock=gateways().clock,
                    secret_keys=secret_keys(),
                )
            if signed_in:
                remember(signed_in)
                return see_other(signed_in.next_path)
            form.refuse("code", WRONG_CODE)
    return page("sign_in/code.html", form=form, email=asked["email"])


@blueprint.get("/link/<token>")
@open_to(Access.ANYONE)
def link(token: str) -> ResponseReturnValue:
    """The link of the message. Opening it takes its token out of the address bar; the button spends it."""
    carry(LINK, token)
    return see_other(url_for("sign_in.confirm"))


@blueprint.route("/confirm", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def confirm() -> ResponseReturnValue:
    """Press the button to sign in."""
    token = session.get(LINK, "")
    form = ButtonForm()
    if form.validate_on_submit():
        try:
            with transaction() as db:
                signed_in = sign_in_with_link(db, token=token, clock=gateways().clock)
        except Refused:
            return over("sign_in/over.html")
        remember(signed_in)
        return see_other(signed_in.next_path)
    found = find_link(reading(), token=token, clock=gateways().clock)
    if found is None:
        return over("sign_in/over.html")
    return page("sign_in/confirm.html", form=form, email=found.email)


@blueprint.post("/out")
@open_to(Access.ANYONE)
def out() -> ResponseReturnValue:
    """End this browser's sign-in, here and in the database."""
    form = ButtonForm()
    if form.validate_on_submit():
        if token := session.get(TOKEN):
            with transaction() as db:
                sign_out(db, token=token, clock=gateways().clock)
        return forgetful(url_for("home.index"))
    return page("sign_in/out.html", form=form)


def secret_keys() -> tuple[str, ...]:
    """What codes are hashed under: the newest, and those before it while codes are under way."""
    return (current_app.config["SECRET_KEY"], *current_app.config["SECRET_KEY_FALLBACKS"])
