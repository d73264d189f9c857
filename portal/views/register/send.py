"""Check your answers, and send them."""

from uuid import UUID

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.city import City
from portal.forms.register import SendForm
from portal.ordinance.fees import Fee, license_fee
from portal.ordinance.finding import Finding, for_the_person
from portal.ordinance.kennels import DogKept, kennel_finding
from portal.ordinance.licensing import eligibility
from portal.schema.accounts import Account
from portal.schema.people import PremisesKind
from portal.services.certificates.file_certificate import assess_answers
from portal.services.certificates.paper import paper_of, with_paper
from portal.services.draft_answers import AnimalAnswers, Registration
from portal.services.owners.home import known_premises
from portal.services.owners.record_owner import answers_of, person_of
from portal.services.owners.record_seen import differences
from portal.services.owners.rehome import own_dogs_at
from portal.services.registering.apply_for_licenses import apply_for_licenses
from portal.services.registering.register_animal import BASIS
from portal.services.registering.steps import Step, next_place
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.register.blueprint import blueprint
from portal.views.register.progress import address, registration
from portal.views.work import gateways, reading, transaction

# What the record is said to say, by the field of the form where it is changed.
ON_RECORD = {
    "kind": "Owner",
    "owner_name": "Name",
    "phone": "Phone",
    "guardian_name": "Parent or guardian",
    "guardian_contact": "The guardian’s phone or e-mail",
    "line1": "Street or rural address",
    "unit": "Apartment, lot or unit",
    "city": "City",
    "state": "State",
    "postal_code": "ZIP code",
    "mailing_address": "Mail goes to",
}


@blueprint.route("/check", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def check() -> ResponseReturnValue:
    """Everything on one page; nothing is sent before the button."""
    form = form_for(SendForm)
    if form.validate_on_submit():
        with form.refusals():
            return see_other(_sent(form))
    found = registration()
    if not form.problems and next_place(found).step is not Step.CHECK:
        return see_other(address(next_place(found)))
    city = gateways().city
    lines = [(animal, fee_of(animal, city)) for animal in found.animals]
    return page(
        "register/check.html",
        form=form,
        registration=found,
        lines=lines,
        total_cents=sum(fee.amount_cents for _, fee in lines if fee),
        kennel=kennel_note(found),
        replaced=replaced_by(found),
        notes={animal.id: notes_about(animal, city) for animal in found.animals},
    )


def _sent(form: SendForm) -> str:
    """Send what is kept, and where to go next. The same form again leads to the same place."""
    parts, account_id = gateways(), resident().account_id
    found = registration()
    with transaction() as db:
        order_id: UUID | None = apply_for_licenses(
            db, found, account_id=account_id, submission_key=form.key, city=parts.city, clock=parts.clock
        )
    return url_for("pay.show", order_id=order_id) if order_id else url_for("dogs.index")


def replaced_by(found: Registration) -> list[tuple[str, str]]:
    """What is on record and will not be once this is sent: the question, and what is on record.

    The person may have typed something new, or the city may have corrected it since they typed.
    """
    held = answers_of(reading(), reading().get_one(Account, resident().account_id))
    if held is None or found.owner is None or found.home is None:
        return []
    said = (*differences(held[0], found.owner), *differences(held[1], found.home))
    return [(ON_RECORD[field], now) for field, now in said if now]


def fee_of(animal: AnimalAnswers, city: City) -> Fee | None:
    """What this animal's license costs today; None when there is nothing to license or it is waived (90.04(C))."""
    if not animal.applies or animal.situation in BASIS:
        return None
    return license_fee(city.fees, on=gateways().clock.today(), is_altered=animal.is_altered)


def notes_about(animal: AnimalAnswers, city: City) -> tuple[Finding, ...]:
    """What the rules have to say about one animal, in words for its keeper."""
    today = gateways().clock.today()
    found = [
        finding
        for finding in eligibility(animal.law_answers(), on=today).findings
        if finding.field or finding.needs_review
    ]
    if animal.certificate.is_later:
        return for_the_person(found)
    assessment = assess_answers(animal, animal.certificate, on=today, gate=city.policy.vaccination_gate)
    if animal.name:
        assessment = with_paper(
            assessment,
            paper_of(reading(), animal.certificate.upload_id),
            animal_name=animal.name,
            microchip=animal.microchip,
            answers=animal.certificate,
        )
    return for_the_person((*found, *assessment.findings))


def kennel_note(found: Registration) -> Finding | None:
    """90.09 explained once the dogs the person told us of make three, now and before; never with other people's.

    Of a Safe at Home address it is not asked (5B.05).
    """
    if found.others is None or (found.home and found.home.kind is PremisesKind.SAFE_AT_HOME):
        return None
    return kennel_finding(found.dogs_stated(earlier=_registered_before(found)), on=gateways().clock.today())


def _registered_before(found: Registration) -> list[DogKept]:
    """The dogs this person has at that address already."""
    person = person_of(reading(), reading().get_one(Account, resident().account_id))
    if person is None or found.home is None:
        return []
    home = known_premises(reading(), found.home, person=person)
    return own_dogs_at(reading(), home, person) if home else []
