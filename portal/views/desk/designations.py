"""Designated dogs, and the notice of each: entered, dated, and whether its dog was seized (90.13(D), (E)(3)).

The code of a designation is shown once, to be printed on the notice.
"""

from datetime import date
from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue

from portal.forms.desk_dangerous import NoticeDatesForm
from portal.forms.desk_officer import DELIVERIES, DesignateForm
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import GROUNDS_TOLD, Designated, Ground
from portal.schema.animals import Animal
from portal.schema.dangerous import DangerousDesignation, DesignationState, NoticeDelivery
from portal.services.dangerous.designate_dog import NoticeGiven, designate_dog, designations_open, note_service
from portal.services.dangerous.seize_dog import seizures_of, seizures_open
from portal.services.desk.seen import expect_version, version_of
from portal.services.reports.rows import derived_key
from portal.views.answers import page, see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import say
from portal.views.desk.entry import AS_IT_WAS, Entry, entry_page
from portal.views.desk.existing import existing
from portal.views.desk.facts import NOT_YET, row
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.words import day
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("designations", __name__, url_prefix=PREFIX)

DELIVERED = {NoticeDelivery(one.value): one.label for one in DELIVERIES if one.value}


@blueprint.get("/designations")
@open_to(Desk.OFFICER)
def show_all() -> ResponseReturnValue:
    """Those that stand, those an owner told of, and the dogs that were seized and are not home."""
    return page("desk/designations.html", lines=designations_open(reading()), seized=seizures_open(reading()))


@blueprint.get("/designations/<uuid:designation_id>")
@open_to(Desk.OFFICER)
def show(designation_id: UUID) -> ResponseReturnValue:
    """What the notice says, when it was given, and each seizure."""
    found = _designation(designation_id)
    return page(
        "desk/designation.html",
        found=found,
        animal=reading().get(Animal, found.animal_id) if found.animal_id else None,
        seizures=seizures_of(reading(), designation_id),
        grounds=[GROUNDS_TOLD[Ground(ground)].sentence for ground in found.grounds],
        is_standing=found.state is DesignationState.STANDING,
        is_stated=found.state is DesignationState.STATED,
    )


@blueprint.route("/designations/<uuid:designation_id>/dates", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def dates(designation_id: UUID) -> ResponseReturnValue:
    """When the notice was sent and received, and when the designation became final: from these the days count."""
    found, form = _designation(designation_id), NoticeDatesForm(today=gateways().clock.today())
    back = url_for("designations.show", designation_id=designation_id)
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            expect_version(db, DangerousDesignation, designation_id, form.seen.data or "")
            note_service(
                db,
                designation_id=designation_id,
                officer=member().email,
                sent_on=form.sent_on.data,
                received_on=form.received_on.data,
                delivery=NoticeDelivery(form.delivery.data) if form.delivery.data else None,
                final_on=form.final_on.data,
                clock=gateways().clock,
            )
            say("Written down.")
            return see_other(back)
    form.seen.data = version_of(reading(), DangerousDesignation, designation_id)
    return entry_page(
        form,
        Entry(
            heading=f"Days of notice {found.reference}",
            back=back,
            back_label="The designation",
            button="Write it down",
            rule=Rule.DESIGNATION_NOTICE,
            rows=(
                row("Dog", found.dog),
                row("Date on the notice", day(found.noticed_on)),
                row("Sent", day(found.sent_on) or NOT_YET),
                row("Received", day(found.received_on) or NOT_YET),
                row("Given", DELIVERED[found.delivery] if found.delivery else NOT_YET),
                row("Final", day(found.final_on) or NOT_YET),
            ),
            notes=(AS_IT_WAS,),
        ),
    )


@blueprint.route("/designations/new", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def unknown() -> ResponseReturnValue:
    """A dog that is not found among the registered ones: its owner claims it with the code."""
    return _enter(None)


@blueprint.route("/dogs/<uuid:animal_id>/designate", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def known(animal_id: UUID) -> ResponseReturnValue:
    """A registered dog; its keepers get a letter beside the notice."""
    animal = existing(Animal, animal_id, "animal")
    return _enter(animal)


def _enter(animal: Animal | None) -> ResponseReturnValue:
    described = ", ".join(filter(None, (animal.name, animal.breed, animal.color))) if animal else ""
    form = DesignateForm(today=gateways().clock.today(), data={"dog": described})
    noticed_on: date | None = form.noticed_on.data
    if form.validate_on_submit() and noticed_on:
        given = NoticeGiven(
            key=derived_key(form.key, "designation"),
            kind=Designated(form.designated.data),
            grounds=tuple(Ground(ground) for ground in form.grounds.data),
            dog=form.dog.data,
            circumstances=form.circumstances.data or None,
            noticed_on=noticed_on,
            sent_on=form.sent_on.data,
            received_on=form.received_on.data,
            delivery=NoticeDelivery(form.delivery.data) if form.delivery.data else None,
            animal_id=animal.id if animal else None,
        )
        with form.refusals():
            with transaction() as db:
                entered = designate_dog(db, given, officer=member().email, city=gateways().city, clock=gateways().clock)
            # The code is kept nowhere, so it can't be shown after a move to another page.
            return page("desk/designated.html", entered=entered, animal=animal)
    return entry_page(
        form,
        Entry(
            heading=f"Designate {animal.name}" if animal else "Designate a dog",
            back=url_for("dogs.show", animal_id=animal.id) if animal else url_for("designations.show_all"),
            back_label=animal.name if animal else "Designated dogs",
            button="Enter it",
            rule=Rule.DESIGNATION,
        ),
    )


def _designation(designation_id: UUID) -> DangerousDesignation:
    return existing(DangerousDesignation, designation_id, "designation")
