"""A keeper comes to the counter for a new tag: the old one is lost or broken (90.04(B)(5)). Then to the till."""

from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue

from portal.forms.fields import choice
from portal.forms.tags import DuplicateTagAtCounterForm
from portal.ordinance.fees import duplicate_tag_fee
from portal.ordinance.license_years import license_year
from portal.schema.animals import Animal, AnimalState
from portal.schema.licenses import Delivery, LicenseState, TagState
from portal.schema.tag_requests import TagLoss
from portal.services.desk.records import DogRecord, Licensed, dog_record
from portal.services.licensing.duplicate_tag import IS_GONE, NO_LICENSE, TagAsked, request_duplicate_at_counter
from portal.services.reports.rows import derived_key
from portal.views.answers import see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import say
from portal.views.desk.entry import Entry, entry_page
from portal.views.desk.fee_words import costs, sample_notes
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("duplicates", __name__, url_prefix=f"{PREFIX}/dogs")

NOT_OUT = "Tag {year}-{number} has not gone out yet: it is on the list of tags to send"
SAME_NUMBER = "The new tag has the same number and year. The old one does not count any more."


@blueprint.route("/<uuid:animal_id>/duplicate-tag", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def ask(animal_id: UUID) -> ResponseReturnValue:
    """Who asks, what became of the old one, how the new one comes; what it costs is said first."""
    record = dog_record(reading(), animal_id, for_officer=False)
    in_force = _in_force(record)
    not_out = [one for one in in_force if one.tags and one.tags[0].state is TagState.TO_SEND]
    form = DuplicateTagAtCounterForm(data={"asked_by": record.only_keeper and str(record.only_keeper.id)})
    form.asked_by.choices = [choice(str(person.id), person.name) for person in record.keepers]
    form.license_year.choices = [_year(one) for one in in_force]
    if len(in_force) < 2:
        del form.license_year  # nothing to choose
    if not not_out:
        del form.insists
    if form.validate_on_submit() and (answer := _ask(form, record.animal)):
        return answer
    fee = duplicate_tag_fee(gateways().city.fees, on=gateways().clock.today())
    entry = Entry(
        heading=f"A new tag for {record.animal.name}",
        back=url_for("dogs.show", animal_id=animal_id),
        back_label=record.animal.name,
        button="Go on to the till" if fee.amount_cents else "Ask for a new tag",
        rule=fee.rule,
        notes=(
            f"A duplicate tag costs {costs(fee.amount_cents)}. {SAME_NUMBER}",
            *sample_notes(),
            *(NOT_OUT.format(year=one.license.year, number=one.license.number) + "." for one in not_out),
        ),
        stopped=() if form.problems else _stopped(record, in_force),
    )
    return entry_page(form, entry)


def _ask(form: DuplicateTagAtCounterForm, animal: Animal) -> ResponseReturnValue | None:
    """None when the form has to be shown again."""
    asked = TagAsked(
        animal_id=animal.id,
        loss=TagLoss(form.loss.data),
        told=form.told.data or None,
        delivery=Delivery(form.delivery.data),
        year=int(form.license_year.data) if form.license_year else None,
        insists=bool(form.insists and form.insists.data),
    )
    with form.refusals(), transaction() as db:
        order = request_duplicate_at_counter(
            db,
            asked,
            person_id=UUID(form.asked_by.data),
            key=derived_key(form.key, "order"),
            officer=member().email,
            city=gateways().city,
            clock=gateways().clock,
        )
        if order.total_cents:
            say("Asked for. The new tag goes on the list once the fee is paid.")
            return see_other(url_for("counter.show", item_id=order.id))
        say("The new tag is on the list of tags to send.")
        return see_other(url_for("dogs.show", animal_id=animal.id))
    return None


def _in_force(record: DogRecord) -> list[Licensed]:
    """The licenses whose tag can be replaced today, the one that ends first before the others."""
    today = gateways().clock.today()
    in_force = [
        one for one in record.licenses if one.license.state is LicenseState.ISSUED and one.license.valid_until >= today
    ]
    return in_force[::-1]


def _stopped(record: DogRecord, in_force: list[Licensed]) -> tuple[str, ...]:
    if record.animal.state is not AnimalState.KEPT or not record.keepers:
        return (IS_GONE,)
    return () if in_force else (NO_LICENSE,)


def _year(one: Licensed) -> object:
    label = license_year(one.license.year, gateways().city.license.year_start).label
    return choice(str(one.license.year), label, f"Tag {one.license.year}-{one.license.number}")
