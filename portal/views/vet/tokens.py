"""Keys for the clinic's practice software."""

from uuid import UUID

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.forms.clinics import NewTokenForm
from portal.forms.sign_in import ButtonForm
from portal.services.claim_submission import claim_submission
from portal.services.clinics.tokens import make_token, revoke_token, token_of, tokens_of
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.clinic_identity import clinic
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.vet.blueprint import blueprint
from portal.views.work import gateways, reading, transaction


@blueprint.route("/tokens", methods=["GET", "POST"])
@open_to(Access.CLINIC)
def tokens() -> ResponseReturnValue:
    """The tokens, and a new one, shown this once."""
    form = form_for(NewTokenForm)
    if form.validate_on_submit():
        with transaction() as db:
            if claim_submission(db, form.key, account_id=resident().account_id) is not None:
                return see_other(url_for("vet.tokens"))
            token = make_token(db, clinic(), name=form.name.data)
        return page("vet/token.html", token=token, name=form.name.data)
    return page("vet/tokens.html", form=form, tokens=tokens_of(reading(), clinic_id=clinic().clinic_id))


@blueprint.route("/tokens/<uuid:token_id>/revoke", methods=["GET", "POST"])
@open_to(Access.CLINIC)
def revoke(token_id: UUID) -> ResponseReturnValue:
    """Ask once, then take it back."""
    token = token_of(reading(), clinic_id=clinic().clinic_id, token_id=token_id)
    form = ButtonForm()
    if form.validate_on_submit():
        with transaction() as db:
            revoke_token(db, clinic(), token_id=token_id, clock=gateways().clock)
        return see_other(url_for("vet.tokens"))
    return page("vet/revoke.html", form=form, token=token)
