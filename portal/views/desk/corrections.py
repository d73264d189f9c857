"""Correct a resident's record for them: name, phone, address, the mailbox they sign in with, what an animal is like.

The feed names who did it, and the resident is told, at the old address and the new one.
"""

from typing import Any
from uuid import UUID

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.animal_details import stored_of
from portal.forms.desk_corrections import AnimalRecordForm, MailboxForm, RecordForm
from portal.ordinance.citation import Rule
from portal.schema.animals import Animal
from portal.schema.people import Person, PremisesKind
from portal.services.accounts.ask_mailbox import ask_new_mailbox, mailbox_of
from portal.services.animals.change_animal import change_animal, facts_of
from portal.services.desk.seen import expect_version, version_of
from portal.services.owners.change_record import change_owner, move, moving_with
from portal.services.owners.record_owner import answers_of_person
from portal.views.answers import see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import say
from portal.views.desk.entry import Entry, entry_page
from portal.views.desk.existing import existing
from portal.views.desk.facts import row
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.desk.walk_in import usual_home
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("corrections", __name__, url_prefix=PREFIX)


@blueprint.route("/people/<uuid:person_id>/correct", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def record(person_id: UUID) -> ResponseReturnValue:
    """Name, phone and address. Animals that live at their home move along."""
    person = existing(Person, person_id, "person")
    form = RecordForm(data=_on_record(person))
    if form.validate_on_submit():
        with form.refusals():
            _correct(form, person_id)
            return see_other(_back(url_for("people.show", person_id=person_id)))
    form.seen.data = version_of(reading(), Person, person_id)
    status = 409 if form.has_changed else 422 if form.is_submitted() and form.problems else 200
    back = _back(url_for("people.show", person_id=person_id))
    answer = render_template("desk/correct.html", form=form, person=person, back=back, is_error=status == 409)
    return answer, status


@blueprint.route("/dogs/<uuid:animal_id>/correct", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def animal(animal_id: UUID) -> ResponseReturnValue:
    """What its people said of an animal: name, description, birth, microchip."""
    known, parts = existing(Animal, animal_id, "animal"), gateways()
    form = AnimalRecordForm(data=stored_of(facts_of(known)), today=parts.clock.today())
    if form.validate_on_submit():
        with form.refusals():
            with transaction() as db:
                expect_version(db, Animal, animal_id, form.seen.data or "")
                officer = member().email
                change_animal(
                    db, form.facts(), animal_id=animal_id, officer=officer, city=parts.city, clock=parts.clock
                )
            say("Corrected. Its keepers are told by e-mail.")
            return see_other(url_for("dogs.show", animal_id=animal_id))
    form.seen.data = version_of(reading(), Animal, animal_id)
    status = 409 if form.has_changed else 422 if form.is_submitted() and form.problems else 200
    return render_template("desk/correct_animal.html", form=form, animal=known, is_error=status == 409), status


@blueprint.route("/mailboxes/<uuid:account_id>", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def mailbox(account_id: UUID) -> ResponseReturnValue:
    """Ask the mailbox they name. Only once it has said yes does it sign in."""
    email, person_id = mailbox_of(reading(), account_id)
    back = _back(url_for("people.show", person_id=person_id) if person_id else url_for("queue.show"))
    form = MailboxForm()
    if form.validate_on_submit():
        new_email = form.new_email.data
        with form.refusals():
            with transaction() as db:
                ask_new_mailbox(
                    db, account_id=account_id, new_email=new_email, officer=member().email, clock=gateways().clock
                )
            say(f"A link was sent to {new_email}. It counts once they have pressed its button.")
            return see_other(back)
    return entry_page(
        form,
        Entry(
            heading="Another e‑mail address",
            back=back,
            back_label="Back",
            button="Send the link",
            rule=Rule.APPLICATION,
            rows=(row("Signs in with", email),),
            notes=("Ask for something that shows who they are: whoever has this mailbox sees their record.",),
        ),
    )


def _on_record(person: Person) -> dict[str, Any]:
    known = answers_of_person(reading(), person)
    home = vars(known[1]) | {"is_safe_at_home": known[1].kind is PremisesKind.SAFE_AT_HOME} if known else usual_home()
    named = {"owner_name": person.name, "phone": person.phone, "kind": person.kind}
    guardian = {"guardian_name": person.guardian_name, "guardian_contact": person.guardian_contact}
    return home | named | guardian | {"is_adult": person.guardian_name is None}


def _correct(form: RecordForm, person_id: UUID) -> None:
    officer, clock = member().email, gateways().clock
    with transaction() as db:
        expect_version(db, Person, person_id, form.seen.data or "")
        change_owner(db, form.owner(), person_id=person_id, officer=officer, clock=clock)
        at_home = {one.animal.id for one in moving_with(db, person_id=person_id) if one.is_at_home}
        move(db, form.home(), person_id=person_id, animal_ids=at_home, officer=officer, clock=clock)
    say("Corrected. Whoever signs in to it is told by e-mail.")


def _back(otherwise: str) -> str:
    """To the letter that came back, if one led here."""
    try:
        letter = UUID(request.args.get("letter", ""))
    except ValueError:
        return otherwise
    return url_for("bounced.show", item_id=letter)
