"""Passkeys: used instead of a code, added, taken away."""

from collections.abc import Callable
from uuid import UUID

from flask import abort, current_app, request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.sign_in import ButtonForm
from portal.forms.staff import NewPasskeyForm, PasskeyForm
from portal.gateways.passkeys import Site
from portal.gateways.rate_limits import STAFF_SECOND, STAFF_SECOND_A_DAY
from portal.schema.staff import FactorKind
from portal.services.staff.factors import new_recovery_codes
from portal.services.staff.passkeys import add_passkey, ask_for_new_passkey, check_passkey, passkeys_of, remove_passkey
from portal.services.staff.sign_in import prove
from portal.views.answers import page, see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.identity import member, secret_key
from portal.views.desk.prefix import PREFIX
from portal.views.desk.sign_in.blueprint import blueprint, goes_on, signed_in
from portal.views.work import gateways, reading, transaction


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
            return signed_in(prove(db, member(), by=FactorKind.PASSKEY, clock=gateways().clock))
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
            return page("desk/sign_in/codes.html", codes=codes, next_path=goes_on(token))
    options = options_for(ask_for_new_passkey) if request.method == "GET" else None
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


def site() -> Site:
    """For whom passkeys are good here."""
    return Site(current_app.config["BASE_URL"], f"{gateways().city.name} desk")


def options_for(ask: Callable[..., str]) -> str:
    """What the browser is told; the challenge in it is kept with the sign-in."""
    with transaction() as db:
        return ask(db, member(), site=site())
