"""Send a registration: owner, premises, animals, certificates, licenses and the order, all or nothing (90.04(B)(2))."""

from collections.abc import Iterator
from datetime import date
from uuid import UUID

from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.ordinance.license_years import years_open
from portal.ordinance.licensing import birth_refusals
from portal.ordinance.rabies import Gate
from portal.schema.accounts import Account
from portal.schema.drafts import Submission
from portal.schema.orders import Order
from portal.schema.people import HouseholdStatement, Person, Premises
from portal.services.certificates.file_certificate import assess_answers
from portal.services.claim_submission import claim_submission
from portal.services.clinics.match_filing import filings_for
from portal.services.draft_answers import Registration
from portal.services.licensing.issue_license import issue_ready
from portal.services.messages.queue_message import queue_message
from portal.services.orders.open_order import license_ids_of, open_order
from portal.services.owners.ask_to_look import ask_about_application
from portal.services.owners.home import premises_for
from portal.services.owners.record_owner import person_of, record_owner
from portal.services.owners.rehome import flag_kennel, own_dogs_at
from portal.services.record_event import keeper
from portal.services.refusal import Refused
from portal.services.registering.keep_draft import draft_of, open_draft, submit
from portal.services.registering.register_animal import register_animal
from portal.services.registering.steps import Step, next_place

NOT_WHOLE = "Some questions are not answered yet"
CHANGED = "Your answers changed on another device meanwhile. Check them again"
YEAR_IS_OVER = "The license year changed since you answered. Choose the year again for {name}"


def apply_for_licenses(
    session: Session, registration: Registration, *, account_id: UUID, submission_key: UUID, city: City, clock: Clock
) -> UUID | None:
    """Register everything answered; the order to pay, or None when there is no license to pay for.

    The same key again gives the same answer and changes nothing; so does another key, from a second tab, once the
    draft was sent. Raises Refused for what is impossible today.
    """
    # Locked first of all: two submissions of one account take turns, and the second finds what the first has sent.
    account = session.get_one(Account, account_id, with_for_update=True, populate_existing=True)
    if (earlier := claim_submission(session, submission_key, account_id=account_id)) is not None:
        return earlier.result_id
    if draft_of(session, account_id=account_id) is None:
        return None
    draft = open_draft(session, account_id=account_id)
    if draft.kept != registration:
        raise Refused([Refusal("90.04(B)(2)", CHANGED)])
    if reasons := list(refusals(registration, on=clock.today(), city=city)):
        raise Refused(reasons)
    order = _register(session, registration, account=account, city=city, clock=clock)
    submit(session, draft, clock=clock)
    session.get_one(Submission, submission_key).result_id = order.id if order else None
    session.flush()
    return order.id if order else None


def refusals(registration: Registration, *, on: date, city: City) -> Iterator[Refusal]:
    """What can't be sent as it stands on that day: only the impossible and the unanswered."""
    if next_place(registration).step is not Step.CHECK:
        yield Refusal("90.04(B)(2)", NOT_WHOLE)
    gate: Gate = city.policy.vaccination_gate
    years = {
        year.number
        for year in years_open(on, city.license.year_start, renewal_window_days=city.license.renewal_window_days)
    }
    for animal in registration.animals:
        yield from birth_refusals(born_on=animal.born_on, on=on)
        yield from assess_answers(animal, animal.certificate.as_sent, on=on, gate=gate).refusals
        if animal.applies and animal.license_year not in years:
            yield Refusal("90.04(B)(5)", YEAR_IS_OVER.format(name=animal.name), "license_year")


def _register(
    session: Session, registration: Registration, *, account: Account, city: City, clock: Clock
) -> Order | None:
    if registration.owner is None or registration.home is None:
        raise ValueError("Refused before: the owner and the home are answered")
    premises = premises_for(session, registration.home, person=person_of(session, account))
    person = record_owner(session, account, registration.owner, registration.home, premises)
    state_household(session, registration, person=person, premises=premises, actor=keeper(person.id), clock=clock)
    if registration.is_suspicious:
        ask_about_application(session, person)
    charges = [
        charge
        for animal in registration.animals
        if (
            charge := register_animal(
                session, animal.as_sent, person=person, account_id=account.id, city=city, clock=clock
            )
        )
    ]
    filings_for(session, person.id, city=city, clock=clock)
    order = None
    if charges:
        order = open_order(session, person=person, charges=charges, actor=keeper(person.id), clock=clock)
        issue_ready(session, license_ids_of(session, order.id), clock=clock)
    context = {
        "animals": [animal.name for animal in registration.animals],
        "later": [animal.name for animal in registration.animals if animal.certificate.is_later],
        "reference": order.reference if order else None,
        "total_cents": order.total_cents if order else 0,
        "path": f"/pay/{order.id}" if order and order.total_cents else "/dogs",
    }
    queue_message(session, to=account.email, template="application_received", context=context, at=clock.now())
    return order


def state_household(
    session: Session, registration: Registration, *, person: Person, premises: Premises, actor: str, clock: Clock
) -> None:
    """90.09: keep what was stated, and flag the premises for an officer once the dogs make three."""
    others = registration.others
    if others is None or all(animal.is_cat for animal in registration.animals):
        return
    session.add(
        HouseholdStatement(
            person_id=person.id,
            premises_id=premises.id,
            other_dogs=others.count,
            description=others.description,
            litter_born_on=others.litter_born_on,
        )
    )
    stated = registration.dogs_stated(earlier=own_dogs_at(session, premises, person))
    flag_kennel(session, premises, stated, person=person, actor=actor, clock=clock)
