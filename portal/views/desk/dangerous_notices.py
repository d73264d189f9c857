"""What the owner of a designated dog told of a move, a sale or gift, or a death: read it, or ask for an affidavit."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.forms.desk import DecisionForm
from portal.schema.animals import Animal
from portal.schema.dangerous_notices import DangerousNotice
from portal.services.dangerous.tell_dangerous_notice import see_notice
from portal.services.desk.dangerous_notices import DANGEROUS_NOTICES
from portal.views.desk.access import Desk, open_to
from portal.views.desk.facts import NOBODY_YET, Facts, row
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.words import day
from portal.views.work import gateways, reading

blueprint = Blueprint("dangerous_notices", __name__, url_prefix=f"{PREFIX}/dangerous-notices")


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def show(item_id: UUID) -> ResponseReturnValue:
    """Read it."""
    form = DecisionForm()
    if form.validate_on_submit():
        with form.refusals():
            asks = form.pressed("accept", "refuse") == "refuse"
            with deciding(DANGEROUS_NOTICES, DangerousNotice, item_id, form) as db:
                see_notice(db, notice_id=item_id, officer=member().email, asks_affidavit=asks, clock=gateways().clock)
            return decided(DANGEROUS_NOTICES, "The owner is asked for an affidavit." if asks else "Noted.")
    told = reading().get_one(DangerousNotice, item_id)
    animal = reading().get_one(Animal, told.animal_id)
    leaves = {True: "yes", False: "no", None: None}[told.leaves_city]
    facts = Facts(
        heading=f"{told.kind.value.capitalize()} of {animal.name}, a designated dog",
        rows=[
            row("Reference", told.reference),
            row("Day", day(told.happens_on)),
            row("Last day for telling it", day(told.legal_last_day) + (", told later" if told.is_late else "")),
            row("Owner", f"{told.owner_name}, {told.owner_address}"),
            row("New address", told.new_address),
            row("Leaves the city", leaves),
            row("New owner", told.new_owner_name),
            row("Their address", told.new_owner_address),
            row("Their telephone", told.new_owner_phone),
            row("Told", told.told),
            row("Signed", told.signed_name),
            row("Seen by", told.seen_by or NOBODY_YET),
        ],
        is_open=told.seen_at is None,
        accept="I have read it",
        refuse="Read, and ask for an affidavit under oath",
        refuse_heading="Or ask for an affidavit",
        rule="90.13(H)(12)",
    )
    return item_page("desk/facts.html", DANGEROUS_NOTICES, DangerousNotice, item_id, form, facts=facts)
