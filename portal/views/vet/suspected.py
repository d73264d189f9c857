"""Suspected rabies: the phone first, then the same in writing (90.08(C))."""

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.forms.clinics import SuspectedRabiesForm
from portal.gateways.rate_limits import CLINIC_LETTERS
from portal.services.clinics.report_suspected_rabies import SuspectedRabies, report_suspected_rabies
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.clinic_identity import clinic
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.vet.blueprint import blueprint
from portal.views.work import gateways, transaction


@blueprint.route("/suspected-rabies", methods=["GET", "POST"])
@open_to(Access.CLINIC)
def suspected_rabies() -> ResponseReturnValue:
    """The number to call, and a short notice to animal control."""
    form, parts = form_for(SuspectedRabiesForm), gateways()
    if form.validate_on_submit():
        parts.limits.take(CLINIC_LETTERS, str(clinic().clinic_id))
        with transaction() as db:
            report_suspected_rabies(
                db,
                _notice(form),
                staff=clinic(),
                account_id=resident().account_id,
                key=form.key,
                city=parts.city,
                clock=parts.clock,
            )
        return see_other(url_for("vet.suspected_rabies_sent"))
    return page("vet/suspected_rabies.html", form=form)


@blueprint.get("/suspected-rabies/sent")
@open_to(Access.CLINIC)
def suspected_rabies_sent() -> ResponseReturnValue:
    """Animal control has it in writing; a call is still what counts."""
    return page("vet/suspected_rabies_sent.html")


def _notice(form: SuspectedRabiesForm) -> SuspectedRabies:
    return SuspectedRabies(
        called=form.called.data,
        animal=form.animal.data,
        where=form.where.data,
        owner=form.owner.data,
        what=form.what.data,
        phone=form.phone.data,
    )
