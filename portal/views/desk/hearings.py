"""A hearing that was asked for: match it, and write down each step until its decision is received (90.13(E))."""

from datetime import date
from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from portal.forms.choices import choice
from portal.forms.desk import HearingForm, MatchForm, ReceivedForm
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.dangerous import DangerousDesignation
from portal.schema.dangerous_notices import HearingOutcome, HearingRequest
from portal.services.dangerous.decide_hearing import (
    DECIDED,
    decide_hearing,
    designation_called,
    hold_hearing,
    likely_designations,
    match_hearing,
    note_decision_received,
    schedule_hearing,
)
from portal.services.desk.hearings import HEARINGS
from portal.services.refusal import NotTheirs, Refused
from portal.views.answers import see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import say
from portal.views.desk.existing import existing
from portal.views.desk.facts import row
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.words import day
from portal.views.work import gateways, reading

CHOOSE = "Choose the designation, or enter its reference"

blueprint = Blueprint("hearings", __name__, url_prefix=f"{PREFIX}/hearings")


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look, and write down the next step."""
    form = HearingForm()
    if form.validate_on_submit():
        with form.refusals():
            with deciding(HEARINGS, HearingRequest, item_id, form) as db:
                said = _write_down(db, form, item_id)
            return decided(HEARINGS, said, after=item_id)
    asked = existing(HearingRequest, item_id, "request")
    about = reading().get(DangerousDesignation, asked.designation_id) if asked.designation_id else None
    return item_page(
        "desk/hearing.html",
        HEARINGS,
        HearingRequest,
        item_id,
        form,
        asked=asked,
        about=about,
        is_open=asked.outcome is None,
        is_to_be_received=asked.outcome in DECIDED,
    )


@blueprint.route("/<uuid:item_id>/designation", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def match(item_id: UUID) -> ResponseReturnValue:
    """Which designation it is about: one of the likely ones, or one by its reference."""
    form = MatchForm()
    asked = existing(HearingRequest, item_id, "request")
    likely = likely_designations(reading(), asked)
    form.chosen.choices = [choice(str(one.id), f"{one.reference}: {one.dog}", _noticed(one)) for one in likely]
    if form.validate_on_submit():
        with form.refusals():
            with deciding(HEARINGS, HearingRequest, item_id, form) as db:
                _match(db, form, item_id)
            say("Matched. From the notice of this designation the days count.")
            return see_other(url_for("hearings.show", item_id=item_id))
    rows = (
        row("Dog", asked.dog),
        row("Notice of", day(asked.noticed_on)),
        row("Name", asked.name),
        row("Address", asked.address),
    )
    return item_page(
        "desk/hearing_match.html", HEARINGS, HearingRequest, item_id, form, asked=asked, facts=rows, likely=likely
    )


@blueprint.route("/<uuid:item_id>/received", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def received(item_id: UUID) -> ResponseReturnValue:
    """The day the owner received the decision: fourteen days to comply count from it ((E)(3)(a)(vii))."""
    form = ReceivedForm(today=gateways().clock.today())
    asked = reading().get(HearingRequest, item_id)
    if asked is None or asked.outcome not in DECIDED:
        raise NotTheirs("There is no such decision")
    received_on: date | None = form.day.data
    if form.validate_on_submit() and received_on:
        with form.refusals():
            with deciding(HEARINGS, HearingRequest, item_id, form) as db:
                note_decision_received(
                    db, request_id=item_id, received_on=received_on, officer=member().email, clock=gateways().clock
                )
            return decided(HEARINGS, "Written down.")
    return item_page("desk/hearing_received.html", HEARINGS, HearingRequest, item_id, form, asked=asked)


def _match(db: Session, form: MatchForm, item_id: UUID) -> None:
    if form.reference.data:
        designation_id = designation_called(db, form.reference.data)
    elif form.chosen.data:
        designation_id = UUID(form.chosen.data)
    else:
        raise Refused([Refusal(Rule.HEARING, CHOOSE, "chosen")])
    match_hearing(
        db,
        request_id=item_id,
        designation_id=designation_id,
        officer=member().email,
        city=gateways().city,
        clock=gateways().clock,
    )


def _noticed(one: DangerousDesignation) -> str:
    return f"notice of {day(one.noticed_on)}" if one.noticed_on else "no notice yet"


def _write_down(db: Session, form: HearingForm, item_id: UUID) -> str:
    officer, city, clock = member().email, gateways().city, gateways().clock
    pressed, on = form.pressed("set", "held", "decide"), form.needed_day()
    if pressed == "set":
        at = form.needed_moment(city.time_zone)
        schedule_hearing(
            db,
            request_id=item_id,
            at=at,
            place=form.place.data,
            heard_by=form.heard_by.data,
            officer=officer,
            city=city,
            clock=clock,
        )
        return "Set. Whoever asked is told by e-mail."
    if pressed == "held":
        hold_hearing(db, request_id=item_id, held_on=on, officer=officer, city=city, clock=clock)
        return "Written down that it was held."
    outcome = HearingOutcome(form.needed_outcome())
    decide_hearing(db, request_id=item_id, outcome=outcome, decided_on=on, officer=officer, clock=clock)
    return "Written down. The decision goes to the owner by hand or registered mail."
