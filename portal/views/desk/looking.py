"""What somebody only has to look at: homes with three dogs (90.09), and applications that a machine may have sent."""

from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue

from portal.forms.desk import DecisionForm
from portal.ordinance.citation import Rule
from portal.schema.people import Person, Premises
from portal.schema.staff import StaffRole
from portal.services.desk.asked_to_look import (
    APPLICATIONS,
    FINE,
    KENNELS,
    TALKED,
    is_asked_about,
    look_at_application,
    look_at_kennel,
)
from portal.services.desk.records import person_record, place_record
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import may_see
from portal.views.desk.facts import Facts, row
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.work import reading

blueprint = Blueprint("looking", __name__, url_prefix=PREFIX)


@blueprint.route("/kennels/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def kennel(item_id: UUID) -> ResponseReturnValue:
    """Look at a home where three dogs may be kept, and say that one has."""
    form = DecisionForm()
    if form.validate_on_submit():
        with form.refusals():
            outcome = _outcome(form)
            with deciding(KENNELS, Premises, item_id, form) as db:
                look_at_kennel(db, premises_id=item_id, outcome=outcome, officer=member().email)
            return decided(KENNELS, "Looked at. It comes back when another dog is registered there.")
    record = place_record(reading(), item_id, for_officer=True)
    home = record.home
    here = ", ".join(part for part in (home.line1, home.unit) if part)
    dogs = [one for one in record.animals if one.is_dog and one.state.value == "kept"]
    rows = [
        row("Who lives there", "; ".join(_reached(one) for one in record.people) or "Nobody is known to"),
        row("Dogs registered there", "; ".join(f"{one.name}, {one.breed}" for one in dogs) or "None"),
    ]
    if record.statements:
        rows.append(row("Other dogs, as last stated", str(record.statements[0].other_dogs)))
        litter = record.statements[0].litter_born_on
        rows += [row("A litter was born", litter.isoformat())] if litter else []
    facts = Facts(
        heading=f"Are three or more dogs kept at {here}?",
        rows=rows,
        is_open=home.kennel_review,
        notes=("No license is held up by this: every dog needs its own.",),
        accept="Looked at: nothing to do",
        refuse="Looked at: we talked with them",
        refuse_heading="Or it took a talk",
        rule=Rule.KENNEL,
    )
    more = url_for("places.show", premises_id=item_id)
    return item_page("desk/looking.html", KENNELS, Premises, item_id, form, facts=facts, more=more, label=here)


@blueprint.route("/applications/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def application(item_id: UUID) -> ResponseReturnValue:
    """Look whether a person sent an application, and say that one has."""
    form = DecisionForm()
    if form.validate_on_submit():
        with form.refusals():
            outcome = _outcome(form)
            with deciding(APPLICATIONS, Person, item_id, form) as db:
                look_at_application(db, person_id=item_id, outcome=outcome, officer=member().email)
            return decided(APPLICATIONS, "Looked at.")
    record = person_record(reading(), item_id, for_officer=may_see(member(), StaffRole.OFFICER))
    person, home = record.person, record.home
    facts = Facts(
        heading=f"Did {person.name} send this?",
        rows=[
            row("Phone", person.phone),
            row("E‑mail", record.account or person.email),
            row("Lives at", ", ".join(part for part in (home.line1, home.unit, home.city) if part) if home else None),
            row("Animals", ", ".join(one.animal.name for one in record.kept)),
        ],
        is_open=is_asked_about(reading(), item_id),
        notes=("A question that people do not see was answered. Some programs that fill in forms do that too.",),
        accept="Looked at: nothing to do",
        refuse="Looked at: we talked with them",
        refuse_heading="Or it took a talk",
        rule=Rule.APPLICATION,
    )
    more = url_for("people.show", person_id=item_id)
    return item_page(
        "desk/looking.html", APPLICATIONS, Person, item_id, form, facts=facts, more=more, label=person.name
    )


def _outcome(form: DecisionForm) -> str:
    return FINE if form.pressed("accept", "refuse") == "accept" else TALKED


def _reached(person: Person) -> str:
    return ", ".join(part for part in (person.name, person.phone) if part)
