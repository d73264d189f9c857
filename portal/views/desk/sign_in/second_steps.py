"""An authenticator app is set up, at the first sign-in or later, and recovery codes are made."""

from flask import session, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from portal.forms.sign_in import ButtonForm
from portal.forms.staff import AppCodeForm
from portal.gateways.qr import qr_svg
from portal.gateways.totp import app_address, new_secret
from portal.schema.staff import FactorKind
from portal.services.staff.factors import new_recovery_codes, recovery_codes_left, set_up_app
from portal.services.staff.sign_in import prove
from portal.views.answers import page, see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.identity import member, sealing, secret_key
from portal.views.desk.prefix import PREFIX
from portal.views.desk.sign_in.blueprint import NEW_SECRET, blueprint, goes_on
from portal.views.work import gateways, reading, transaction


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
            return page("desk/sign_in/codes.html", codes=codes, next_path=goes_on(token))
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
