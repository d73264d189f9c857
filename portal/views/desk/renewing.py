"""Somebody comes to the counter to renew: which dogs, which year; then to the till (90.04(B)(4))."""

from collections.abc import Iterator
from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue

from portal.forms.fields import choice
from portal.forms.renew import RenewAtCounterForm
from portal.ordinance.citation import Rule
from portal.ordinance.fees import license_fee
from portal.ordinance.license_years import LicenseYear
from portal.schema.licenses import Delivery, LicenseBasis
from portal.schema.people import Person
from portal.services.animals.dogs_kept import AnimalKept
from portal.services.animals.my_dogs import animals_of
from portal.services.licensing.renew_licenses import RenewalAsked, basis_now, renew_at_counter
from portal.services.reports.rows import derived_key
from portal.views.answers import see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import say
from portal.views.desk.entry import Entry, entry_page
from portal.views.desk.existing import existing
from portal.views.desk.fee_words import sample_notes
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.license_years import late_fees, open_years, year_choice, years_lacked, years_wanted
from portal.views.words import money
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("renewing", __name__, url_prefix=f"{PREFIX}/people")

NOTHING = "Nothing to renew: none of their dogs lacks a license that can be had now"
APPLIED = "Applied for. The licenses are issued once the fee is paid and each certificate counts."
CLAIMED = "One without a fee waits for an officer besides."
NO_FEE = "No fee, on the same grounds as before. An officer looks at it."
LATE = "For {year} a late fee of {fee} comes on top for {name}."


@blueprint.route("/<uuid:person_id>/renew", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def renew(person_id: UUID) -> ResponseReturnValue:
    """All the dogs of one person at once."""
    person, years = existing(Person, person_id, "person"), open_years()
    dogs = [kept for kept in animals_of(reading(), person_id=person.id) if kept.is_dog]
    wanting = [kept for kept in dogs if years_wanted(kept, years)]
    lacked = years_lacked(wanting, years)
    form = RenewAtCounterForm(
        data={
            "animals": [str(kept.id) for kept in wanting],
            "license_year": str(lacked[0].number) if len(lacked) == 1 else None,
        }
    )
    # A form that was sent before is known again by the service, so it has to be able to name what is licensed by now.
    shown = dogs if form.is_submitted() else wanting
    form.animals.choices = [choice(str(kept.id), kept.name, _fee_of(kept)) for kept in shown]
    form.claimed.choices = [choice(str(kept.id), kept.name) for kept in shown]
    if len(shown) < 2:
        del form.claimed  # nothing to choose
    form.license_year.choices = [year_choice(year) for year in (years if form.is_submitted() else lacked)]
    if form.validate_on_submit() and (answer := _renew(form, person)):
        return answer
    is_nothing = not wanting and not form.problems
    entry = Entry(
        heading=f"Renew for {person.name}",
        back=url_for("people.show", person_id=person.id),
        back_label=person.name,
        button="Go on to the till",
        rule=Rule.LICENSE_FEE,
        notes=tuple(_notes(wanting, years, person.id)),
        stopped=(NOTHING,) if is_nothing else (),
    )
    return entry_page(form, entry)


def _fee_of(kept: AnimalKept) -> str:
    """What a license costs for this dog, as the hint of its box (90.04(B)(4))."""
    if basis_now(reading(), kept.id) is not LicenseBasis.FEE:
        return NO_FEE
    fee = license_fee(gateways().city.fees, on=gateways().clock.today(), is_altered=kept.is_altered)
    return f"{money(fee.amount_cents)} for the license year, whole or part"


def _notes(wanting: list[AnimalKept], years: tuple[LicenseYear, ...], person_id: UUID) -> Iterator[str]:
    """That the fees are samples, if they are; and each late fee, where a resolution sets one (90.18)."""
    yield from sample_notes()
    paying = [kept for kept in wanting if basis_now(reading(), kept.id) is LicenseBasis.FEE]
    for late in late_fees(paying, years, person_id=person_id):
        yield LATE.format(year=late.year.label, fee=money(late.fee.amount_cents), name=late.animal.name)


def _renew(form: RenewAtCounterForm, person: Person) -> ResponseReturnValue | None:
    """None when the form has to be shown again."""
    asked = RenewalAsked(
        animal_ids=tuple(UUID(chosen) for chosen in form.animals.data),
        year=int(form.license_year.data),
        delivery=Delivery(form.delivery.data),
        claims=form.claims(),
    )
    with form.refusals(), transaction() as db:
        order_id = renew_at_counter(
            db,
            asked,
            person_id=person.id,
            key=derived_key(form.key, "order"),
            officer=member().email,
            city=gateways().city,
            clock=gateways().clock,
        )
        say(APPLIED if not asked.claims else f"{APPLIED} {CLAIMED}")
        return see_other(url_for("counter.show", item_id=order_id))
    return None
