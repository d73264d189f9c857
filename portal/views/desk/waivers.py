"""A fee that is said to be waived: confirm it, or decline and the fee is due (90.04(C)). Nobody is asked for papers."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.forms.desk import AnswerForm
from portal.schema.licenses import License, LicenseState, WaiverState
from portal.services.desk.waivers import WAIVERS
from portal.services.licensing.decide_waiver import confirm_waiver, decline_waiver, waiver_view
from portal.views.desk.access import Desk, open_to
from portal.views.desk.facts import Facts, row
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, reading

blueprint = Blueprint("waivers", __name__, url_prefix=f"{PREFIX}/waivers")


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look and decide."""
    form = AnswerForm()
    if form.validate_on_submit():
        with form.refusals():
            said = _decide(form, item_id)
            return decided(WAIVERS, said)
    license_, animal, keeper = waiver_view(reading(), item_id)
    facts = Facts(
        heading=f"Is the fee for {animal.name} waived?",
        rows=[
            row("Claimed as", license_.basis.value.replace("_", " ")),
            row("State", license_.waiver_state.value if license_.waiver_state else None),
            row("License year", license_.year),
            row("Animal", f"{animal.breed}, {animal.color}, {animal.sex.value}"),
            row("Kept by", keeper.name if keeper else None),
            row("Phone", keeper.phone if keeper else None),
        ],
        is_open=license_.waiver_state is WaiverState.CLAIMED and license_.state is LicenseState.APPLIED,
        accept="Confirm: nothing is due",
        refuse="Decline: the fee is due",
        refuse_heading="Or decline it",
        words_label="Why, in words the keeper will read",
        rule="90.04(C)",
    )
    return item_page("desk/facts.html", WAIVERS, License, item_id, form, facts=facts)


def _decide(form: AnswerForm, item_id: UUID) -> str:
    officer, city, clock = member().email, gateways().city, gateways().clock
    with deciding(WAIVERS, License, item_id, form) as db:
        if form.pressed("accept", "refuse") == "accept":
            confirm_waiver(db, license_id=item_id, officer=officer, clock=clock)
            return "Confirmed. Nothing is due."
        decline_waiver(db, license_id=item_id, officer=officer, reason=form.said, city=city, clock=clock)
        return "Declined. The keepers are told why and where to pay."
