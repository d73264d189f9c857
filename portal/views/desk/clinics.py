"""A clinic that asked for an account: approve it after a call, or refuse it with the reason (90.04(D)(2))."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.forms.desk import AnswerForm
from portal.schema.clinics import Clinic, ClinicState
from portal.services.clinics.decide_clinic import approve_clinic, clinic_asked, refuse_clinic
from portal.services.desk.clinics import CLINICS
from portal.views.desk.access import Desk, open_to
from portal.views.desk.facts import Facts, row
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, reading

blueprint = Blueprint("clinics", __name__, url_prefix=f"{PREFIX}/clinics")


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look and decide."""
    form = AnswerForm()
    if form.validate_on_submit():
        with form.refusals():
            said = _decide(form, item_id)
            return decided(CLINICS, said)
    asked = clinic_asked(reading(), item_id)
    facts = Facts(
        heading=asked.clinic.name,
        rows=[
            row("State", asked.clinic.state.value),
            row("Address", asked.clinic.address),
            row("Phone", asked.clinic.phone),
            row("E-mail", asked.clinic.email),
            row("Who asked", asked.asked_by),
            row("Signs in as", ", ".join(asked.members)),
        ],
        is_open=asked.clinic.state is ClinicState.ASKED,
        notes=("Call the clinic at a number you know before you approve it.",)
        + (("The form looks as if a machine had filled it in.",) if asked.is_suspicious else ()),
        accept="Approve",
        refuse="Refuse",
        refuse_heading="Or refuse it",
        words_label="Why, in words the clinic will read",
        rule="90.04(D)(2)",
    )
    return item_page("desk/facts.html", CLINICS, Clinic, item_id, form, facts=facts)


def _decide(form: AnswerForm, item_id: UUID) -> str:
    officer, clock = member().email, gateways().clock
    with deciding(CLINICS, Clinic, item_id, form) as db:
        if form.pressed("accept", "refuse") == "accept":
            return f"Approved {approve_clinic(db, clinic_id=item_id, officer=officer, clock=clock).name}."
        refused = refuse_clinic(db, clinic_id=item_id, officer=officer, reason=form.said, clock=clock)
        return f"Refused {refused.name}. It is told by e-mail."
