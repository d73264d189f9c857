"""Close the sign-in; the city's records stay (Minn. Stat. 138.17)."""

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.forms.sign_in import ButtonForm
from portal.services.accounts.close_account import close_account
from portal.views.access import Access, open_to
from portal.views.answers import page
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.me.blueprint import blueprint
from portal.views.signing_out import forgetful
from portal.views.work import gateways, transaction


@blueprint.route("/close", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def close() -> ResponseReturnValue:
    """What ends and what stays, and the button."""
    form = form_for(ButtonForm)
    if form.validate_on_submit():
        with transaction() as db:
            close_account(db, account_id=resident().account_id, clock=gateways().clock)
        return forgetful(url_for("me.closed"))
    return page("me/close.html", form=form)


@blueprint.get("/closed")
@open_to(Access.ANYONE)
def closed() -> ResponseReturnValue:
    """It is done."""
    return page("me/closed.html")
