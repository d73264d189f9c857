"""A keeper tells at the counter that an animal died, left or has a new home; and that it was a mistake (90.12(E))."""

from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue

from portal.forms.fields import choice
from portal.forms.gone import GoneAtCounterForm
from portal.forms.sign_in import ButtonForm
from portal.ordinance import periods
from portal.ordinance.citation import Rule
from portal.schema.animals import Animal, AnimalState, Species
from portal.schema.dangerous import DangerousDesignation
from portal.schema.departures import DepartureKind
from portal.schema.staff import StaffRole
from portal.services.dangerous.tell_dangerous_notice import standing_designation
from portal.services.desk.records import dog_record
from portal.services.households.tell_gone import (
    GoneAnswers,
    standing_departure,
    tell_gone,
    undo_gone_at_counter,
)
from portal.views.answers import see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import may_see, say
from portal.views.desk.entry import Entry, entry_page
from portal.views.desk.existing import existing
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.words import day
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("leaving", __name__, url_prefix=f"{PREFIX}/dogs")

BODY = (
    "Of a dog that died, say: the body is taken to a crematory, a sanitary landfill, a rendering factory or another "
    f"place the health officer names, within {periods.REMOVE_DEAD_ANIMAL.length} hours. Burying it in the city is not "
    "allowed."
)
NO_REFUND = "A license fee is not paid back because a dog died or its owner left. What is owed for it is owed no more."
BEFORE_AND_AFTER = (
    "{name} is designated as dangerous: its owner owes the city a written notice of this too, at least {before} days "
    "before a move or a new owner, and within {after} days after each and after a death. This page does not give it."
)
BEFORE = (
    "{name} is designated as potentially dangerous: its owner owes the city a written notice of a move or a new owner, "
    "at least {before} days before it. This page does not give it."
)
OF_ANY = (
    "If a city has declared {name} dangerous or potentially dangerous, a written notice is owed too. Whoever owes it "
    "asks {police}, {phone}."
)
NOT_KEPT = "{name} is not kept here any more: that was told already"
NOTHING_TOLD = "{name} is kept here: nobody told otherwise"


@blueprint.route("/<uuid:animal_id>/gone", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def gone(animal_id: UUID) -> ResponseReturnValue:
    """Who tells it, and what happened; the other keepers are written to."""
    record = dog_record(reading(), animal_id, for_officer=False)
    animal, clock = record.animal, gateways().clock
    form = GoneAtCounterForm(today=clock.today(), data={"told_by": record.only_keeper and str(record.only_keeper.id)})
    form.told_by.choices = [choice(str(person.id), person.name) for person in record.keepers]
    if form.validate_on_submit():
        answers = GoneAnswers(
            animal_id=animal.id,
            kind=DepartureKind(form.kind.data),
            happened_on=form.happened_on.data,
            note=form.note.data or None,
        )
        with form.refusals(), transaction() as db:
            tell_gone(db, answers, person_id=UUID(form.told_by.data), clock=clock, officer=member().email)
            say(f"Noted. For {animal.name} no license is asked for any more, and no reminders are sent.")
            return see_other(url_for("dogs.show", animal_id=animal.id))
    designation = _designation(animal)
    entry = Entry(
        heading=f"{animal.name} is not with them any more",
        back=url_for("dogs.show", animal_id=animal.id),
        back_label=animal.name,
        button="Note it",
        rule=Rule.DEAD_ANIMAL,
        rules_too=_rules(animal, designation),
        notes=(*_in_writing(animal, designation), NO_REFUND, BODY),
        stopped=() if animal.state is AnimalState.KEPT and record.keepers else (NOT_KEPT.format(name=animal.name),),
    )
    return entry_page(form, entry)


@blueprint.route("/<uuid:animal_id>/kept-again", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def kept_again(animal_id: UUID) -> ResponseReturnValue:
    """It was a mistake: it is kept here after all."""
    animal, form = existing(Animal, animal_id, "animal"), ButtonForm()
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            is_back = undo_gone_at_counter(db, animal_id=animal.id, officer=member().email, clock=gateways().clock)
            say(f"{animal.name} is kept here again." if is_back else f"{NOTHING_TOLD.format(name=animal.name)}.")
            return see_other(url_for("dogs.show", animal_id=animal.id))
    told = standing_departure(reading(), animal.id)
    entry = Entry(
        heading=f"{animal.name} is kept here after all",
        back=url_for("dogs.show", animal_id=animal.id),
        back_label=animal.name,
        button="Take it back",
        rule=Rule.TAG,
        notes=(f"It was told on {day(told.created_at)}. What was owed before is not asked for anew.",) if told else (),
        stopped=() if told else (NOTHING_TOLD.format(name=animal.name),),
    )
    return entry_page(form, entry)


def _designation(animal: Animal) -> DangerousDesignation | None:
    """What it is designated as; clerks are not told of designations."""
    return standing_designation(reading(), animal.id) if may_see(member(), StaffRole.OFFICER) else None


def _in_writing(animal: Animal, designation: DangerousDesignation | None) -> tuple[str, ...]:
    """What a designated dog's owner writes besides (90.13(H)(12), (N)).

    A clerk reads the same of every dog, and tells it to whoever stands there: so nothing is owed that nobody hears of.
    """
    if animal.species is not Species.DOG:
        return ()
    if designation is None:
        police = gateways().city.police
        return (OF_ANY.format(name=animal.name, police=police.name, phone=police.phone),)
    words = BEFORE_AND_AFTER if designation.is_dangerous else BEFORE
    before, after = periods.ANNOUNCE_RELOCATION.length, periods.REPORT_DEATH_OR_TRANSFER.length
    return (words.format(name=animal.name, before=before, after=after),)


def _rules(animal: Animal, designation: DangerousDesignation | None) -> tuple[str, ...]:
    """(H)(12) is of dangerous dogs alone; (N) is of both kinds, before a move or a new owner."""
    if animal.species is not Species.DOG:
        return ()
    is_dangerous = designation is not None and designation.is_dangerous
    return (Rule.DEATH_OR_TRANSFER, Rule.RELOCATION) if is_dangerous else (Rule.RELOCATION,)
