"""Ask for a hearing: open to everybody, for either designation, free, and never refused (90.13(E))."""

from typing import Any
from uuid import UUID

from flask import request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.dangerous import HearingForm
from portal.gateways.rate_limits import HEARING_REQUESTS
from portal.ordinance import periods
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous_days import hearing_by
from portal.schema.dangerous import DangerousDesignation
from portal.services.dangerous.claim_designation import designation_with_code
from portal.services.dangerous.request_hearing import exact_time, hearing_receipt, request_hearing
from portal.services.refusal import NotTheirs
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dangerous.blueprint import blueprint, designated
from portal.views.dogs.blueprint import mine
from portal.views.identity import current_resident, resident
from portal.views.kept_answers import form_for
from portal.views.work import gateways, reading, transaction

RECEIPT = "hearing"


@blueprint.route("/dangerous/hearing", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def hearing() -> ResponseReturnValue:
    """Without an account, and whether the designation is known here or not; the code on the notice ties it to that."""
    form = HearingForm()
    if form.validate_on_submit():
        return _ask(form, designation_with_code(reading(), form.code.data))
    return page("dangerous/hearing.html", form=form, animal_id=None, by=None, periods=periods, Rule=Rule)


@blueprint.route("/dogs/<uuid:animal_id>/dangerous/hearing", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def hearing_of(animal_id: UUID) -> ResponseReturnValue:
    """For a dog whose designation is here: what is known is filled in."""
    mine(animal_id)
    designation = _designation(animal_id)
    form = form_for(HearingForm, data=_known(designation))
    del form.code
    if form.validate_on_submit():
        return _ask(form, designation)
    noticed_on = designation.noticed_on if designation else None
    by = hearing_by(noticed_on, gateways().city.calendar).show_by if noticed_on else None
    return page("dangerous/hearing.html", form=form, animal_id=animal_id, by=by, periods=periods, Rule=Rule)


@blueprint.get("/dangerous/hearing/sent")
@open_to(Access.ANYONE)
def hearing_sent() -> ResponseReturnValue:
    """The receipt, with the exact time; for the browser that asked."""
    kept = session.get(RECEIPT)
    receipt = hearing_receipt(reading(), request_id=UUID(kept)) if kept else None
    if receipt is None:
        return see_other(url_for("dangerous.hearing"))
    received_at = exact_time(receipt.asked_at, gateways().city)
    return page("dangerous/hearing_sent.html", receipt=receipt, received_at=received_at, Rule=Rule)


def _ask(form: HearingForm, designation: DangerousDesignation | None) -> ResponseReturnValue:
    parts, me = gateways(), current_resident()
    parts.limits.take(HEARING_REQUESTS, request.remote_addr or "")
    with transaction() as db:
        asked = request_hearing(
            db,
            form.asked(),
            designation=designation,
            person_id=me.person_id if me else None,
            city=parts.city,
            clock=parts.clock,
        )
        session[RECEIPT] = str(asked.id)
    return see_other(url_for("dangerous.hearing_sent"))


def _designation(animal_id: UUID) -> DangerousDesignation | None:
    try:
        return designated(animal_id).designation
    except NotTheirs:
        return None


def _known(designation: DangerousDesignation | None) -> dict[str, Any]:
    email = resident().email
    if designation is None:
        return {"email": email}
    return {
        "kind": designation.kind.value,
        "dog": designation.dog,
        "noticed_on": designation.noticed_on,
        "received_on": designation.received_on,
        "delivery": designation.delivery.value if designation.delivery else None,
        "email": email,
    }
