"""Pairs that may be the same animal, on the page of whoever filed the notice."""

from uuid import UUID

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.forms.sign_in import ButtonForm
from portal.services.matching.likely_pets import call_another
from portal.views.access import Access, open_to
from portal.views.answers import see_other
from portal.views.notices.blueprint import blueprint
from portal.views.notices.opened import opened_notice, way_to
from portal.views.work import gateways, transaction


@blueprint.route("/notices/<reference>/likely/<uuid:match_id>", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def another(reference: str, match_id: UUID) -> ResponseReturnValue:
    """It is another animal. A GET leads back to the button."""
    opened_notice(reference)
    if ButtonForm().validate_on_submit():
        with transaction() as db:
            call_another(db, way_to(reference), reference=reference, match_id=match_id, clock=gateways().clock)
    return see_other(url_for("notices.own", reference=reference))
