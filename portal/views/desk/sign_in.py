"""Signing in at the desk: a code by e-mail, then a second step. Looking at a page spends nothing."""

from collections.abc import Callable
from uuid import UUID

from flask import Blueprint, abort, current_app, request, session, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from portal.forms.sign_in import ButtonForm
from portal.forms.staff import (
    AppCodeForm,
    NewPasskeyForm,
    PasskeyForm,
    SecondFactorForm,
    StaffCodeForm,
    StaffEmailForm,
)
from portal.gateways.passkeys import Site
from portal.gateways.qr import qr_svg
from portal.gateways.rate_limits import STAFF_ADDRESS, STAFF_MAILBOX, STAFF_SECOND, STAFF_SECOND_A_DAY
from portal.gateways.totp import app_address, new_secret
from portal.schema.staff import FactorKind
from portal.services.sign_in import WRONG_CODE, email_key
from portal.services.staff_factors import check_factor, new_recovery_codes, recovery_codes_left, set_up_app
from portal.services.staff_passkeys import (
    add_passkey,
    ask_for_new_passkey,
    ask_for_passkey,
    check_passkey,
    passkeys_of,
    remove_passkey,
)
from portal.services.staff_sign_in import ask_for_code, end_sign_in, prove, take_code
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
)
from portal.views.desk.prefix import PREFIX
from portal.views.signing_out import forgetful
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("sign_in", __name__, url_prefix=f"{PREFIX}/sign-in")

ASKED = "asked"
NEXT = "next"
NEW_SECRET = "new_app"  # noqa: S105 - the name of a cookie's entry


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
    return page("desk/sign_in/ask.html", form=form)


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
                    secret_key=secret_key(),
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
                secret_key=secret_key(),
            )
            return _signed_in(prove(db, member(), by=found, clock=gateways().clock))
    # Asked for by GET alone: a form that came without its token must not write.
    options = _asked(ask_for_passkey) if member().has_passkey and request.method == "GET" else None
    return page("desk/sign_in/second.html", form=form, options=options)


@blueprint.post("/passkey")
@open_to(Desk.HALF_WAY)
def use_passkey() -> ResponseReturnValue:
    """A passkey instead of a code."""
    if member().is_proved:
        return see_other(PREFIX)
    form = PasskeyForm()
    if form.validate_on_submit():
        for limit in (STAFF_SECOND, STAFF_SECOND_A_DAY):
            gateways().limits.take(limit, str(member().staff_id))
        with form.refusals(), transaction() as db:
            check_passkey(db, member(), answer=form.answer.data or "", site=site())
            return _signed_in(prove(db, member(), by=FactorKind.PASSKEY, clock=gateways().clock))
    return page("desk/sign_in/passkey_refused.html", form=form)


@blueprint.route("/passkeys", methods=["GET", "POST"])
@open_to(Desk.HALF_WAY)
def passkeys() -> ResponseReturnValue:
    """Somebody's passkeys, and a new one; a first second step can be a passkey too."""
    if member().has_factor and not member().is_proved:
        return see_other(url_for("sign_in.second"))
    form = NewPasskeyForm()
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            add_passkey(db, member(), answer=form.answer.data or "", name=form.name.data, site=site())
            if member().is_proved:
                return see_other(url_for("sign_in.passkeys"))
            codes = new_recovery_codes(db, member(), clock=gateways().clock, secret_key=secret_key())
            token = prove(db, member(), by=FactorKind.PASSKEY, clock=gateways().clock)
            next_path = session.get(NEXT, PREFIX)
            remember(token)
            return page("desk/sign_in/codes.html", codes=codes, next_path=next_path)
    options = _asked(ask_for_new_passkey) if request.method == "GET" else None
    return page("desk/sign_in/passkeys.html", form=form, options=options, mine=passkeys_of(reading(), member()))


@blueprint.route("/passkeys/<uuid:passkey_id>/remove", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def drop_passkey(passkey_id: UUID) -> ResponseReturnValue:
    """Ask once, then take it away."""
    mine = {one.id: one for one in passkeys_of(reading(), member())}
    if passkey_id not in mine:
        abort(404)
    form = ButtonForm()
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            remove_passkey(db, member(), passkey_id=passkey_id, clock=gateways().clock)
            return see_other(url_for("sign_in.passkeys"))
    return page("desk/sign_in/drop_passkey.html", form=form, passkey=mine[passkey_id])


@blueprint.route("/set-up", methods=["GET", "POST"])
@open_to(Desk.HALF_WAY)
def set_up() -> ResponseReturnValue:
    """Set up the app at the first sign-in, or another one later; the recovery codes are shown once."""
    if member().has_factor and not member().is_proved:
        return see_other(url_for("sign_in.second"))
    form, secret = AppCodeForm(), session.setdefault(NEW_SECRET, new_secret())
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            set_up_app(db, member(), secret=secret, code=form.code.data, sealing=sealing(), clock=gateways().clock)
            codes = new_recovery_codes(db, member(), clock=gateways().clock, secret_key=secret_key())
            token = prove(db, member(), by=FactorKind.APP, clock=gateways().clock)
            next_path = session.get(NEXT, PREFIX)
            remember(token)
            return page("desk/sign_in/codes.html", codes=codes, next_path=next_path)
    address = app_address(secret, account=member().email, issuer=f"{gateways().city.name} desk")
    picture = Markup(qr_svg(address, name="The code your app scans"))  # noqa: S704 - drawn by us
    return page("desk/sign_in/set_up.html", form=form, picture=picture, secret=secret)


@blueprint.route("/recovery-codes", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def recovery_codes() -> ResponseReturnValue:
    """How many are left, and new ones."""
    form = ButtonForm()
    if form.validate_on_submit():
        with transaction() as db:
            codes = new_recovery_codes(db, member(), clock=gateways().clock, secret_key=secret_key())
        return page("desk/sign_in/codes.html", codes=codes, next_path=PREFIX)
    return page("desk/sign_in/recovery.html", form=form, left=recovery_codes_left(reading(), member()))


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


def site() -> Site:
    """For whom passkeys are good here."""
    return Site(current_app.config["BASE_URL"], f"{gateways().city.name} desk")


def _asked(ask: Callable[..., str]) -> str:
    with transaction() as db:
        return ask(db, member(), site=site())


def _signed_in(token: str) -> ResponseReturnValue:
    next_path = session.get(NEXT, PREFIX)
    remember(token)
    return see_other(next_path)
