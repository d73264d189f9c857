"""A code by e-mail, the second step after it, and signing out. Looking at a page spends nothing."""

from uuid import UUID

from flask import request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.sign_in import ButtonForm
from portal.forms.staff import SecondFactorForm, StaffCodeForm, StaffEmailForm
from portal.gateways.rate_limits import STAFF_ADDRESS, STAFF_MAILBOX, STAFF_SECOND, STAFF_SECOND_A_DAY
from portal.services.signing_in.sign_in import WRONG_CODE, email_key
from portal.services.staff.factors import check_factor
from portal.services.staff.passkeys import ask_for_passkey
from portal.services.staff.sign_in import ask_for_code, end_sign_in, prove, take_code
from portal.views.answers import own_path, page, see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.identity import (
    TOKEN,
    browser_secret,
    current_member,
    member,
    remember,
    sealing,
    secret_key,
    secret_keys,
)
from portal.views.desk.kept import is_kept
from portal.views.desk.prefix import PREFIX
from portal.views.desk.sign_in.blueprint import ASKED, NEXT, blueprint, signed_in
from portal.views.desk.sign_in.passkeys import options_for
from portal.views.signing_out import forgetful
from portal.views.work import gateways, transaction


@blueprint.route("", methods=["GET", "POST"])
@open_to(Desk.ANYONE)
def ask() -> ResponseReturnValue:
    """Which mailbox? Nobody learns from the answer which are known."""
    form = StaffEmailForm()
    next_path = own_path(request.args.get("next"), fallback=PREFIX)
    found = current_member()
    if request.method == "GET" and found and found.is_proved:
        return see_other(next_path)
    if form.validate_on_submit():
        gateways().limits.take(STAFF_ADDRESS, request.remote_addr or "")
        gateways().limits.take(STAFF_MAILBOX, email_key(form.email.data))
        with transaction() as db:
            request_id = ask_for_code(
                db, email=form.email.data, browser=browser_secret(), clock=gateways().clock, secret_key=secret_key()
            )
        session[ASKED] = {"id": str(request_id), "email": form.email.data}
        session[NEXT] = next_path
        return see_other(url_for("sign_in.code"))
    return page("desk/sign_in/ask.html", form=form, is_kept=is_kept())


@blueprint.route("/code", methods=["GET", "POST"])
@open_to(Desk.ANYONE)
def code() -> ResponseReturnValue:
    """Type the six digits."""
    asked, next_path = session.get(ASKED), session.get(NEXT, PREFIX)
    if asked is None:
        return see_other(url_for("sign_in.ask"))
    form = StaffCodeForm()
    if form.validate_on_submit():
        gateways().limits.take(STAFF_ADDRESS, request.remote_addr or "")
        with form.refusals():
            with transaction() as db:
                token = take_code(
                    db,
                    request_id=UUID(asked["id"]),
                    browser=browser_secret(),
                    code=form.code.data,
                    clock=gateways().clock,
                    secret_keys=secret_keys(),
                )
            if token:
                remember(token)
                session[NEXT] = next_path
                return see_other(url_for("sign_in.second"))
            form.refuse("code", WRONG_CODE)
    return page("desk/sign_in/code.html", form=form, email=asked["email"])


@blueprint.route("/second-step", methods=["GET", "POST"])
@open_to(Desk.HALF_WAY)
def second() -> ResponseReturnValue:
    """The code of the app, or one from paper."""
    if member().is_proved:
        return see_other(PREFIX)
    if not member().has_factor:
        return see_other(url_for("sign_in.set_up"))
    form = SecondFactorForm()
    if form.validate_on_submit():
        for limit in (STAFF_SECOND, STAFF_SECOND_A_DAY):
            gateways().limits.take(limit, str(member().staff_id))
        with form.refusals(), transaction() as db:
            found = check_factor(
                db,
                member(),
                typed=form.code.data,
                sealing=sealing(),
                clock=gateways().clock,
                secret_keys=secret_keys(),
            )
            return signed_in(prove(db, member(), by=found, clock=gateways().clock))
    # Asked for by GET alone: a form that came without its token must not write.
    options = options_for(ask_for_passkey) if member().has_passkey and request.method == "GET" else None
    return page("desk/sign_in/second.html", form=form, options=options)


@blueprint.route("/out", methods=["GET", "POST"])
@open_to(Desk.ANYONE)
def out() -> ResponseReturnValue:
    """End this browser's sign-in, here and in the database."""
    form = ButtonForm()
    if form.validate_on_submit():
        if token := session.get(TOKEN):
            with transaction() as db:
                end_sign_in(db, token=token, clock=gateways().clock)
        return forgetful(url_for("sign_in.ask"))
    return page("desk/sign_in/out.html", form=form)
