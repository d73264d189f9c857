"""A record that was entered at the counter is joined to the one its person signs in to: looked at first, then done."""

from uuid import UUID

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue

from portal.forms.desk_corrections import JoinForm
from portal.schema.people import Person
from portal.schema.staff import StaffRole
from portal.services.desk.records import PersonRecord, person_record
from portal.services.desk.seen import expect_version, version_of
from portal.services.owners.join_records import Candidate, candidate, join_records, stands_in_the_way
from portal.services.refusal import ChangedMeanwhile
from portal.views.answers import see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import may_see, say
from portal.views.desk.existing import existing
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("joining", __name__, url_prefix=f"{PREFIX}/people")

JOIN = "join"


@blueprint.route("/<uuid:person_id>/join", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def join(person_id: UUID) -> ResponseReturnValue:
    """The mailbox; then both records beside each other, and the button."""
    person = existing(Person, person_id, "person")
    form, found = JoinForm(), None
    if form.validate_on_submit():
        with form.refusals():
            found = candidate(reading(), person_id=person_id, mailbox=form.mailbox.data, clock=gateways().clock)
        if found and form.decision.data == JOIN and (remains := _join(form, person_id, found)):
            return see_other(url_for("people.show", person_id=remains))
    other = _record(found.person.id) if found and found.person else None
    form.seen.data = version_of(reading(), Person, person_id)
    form.person.data = _seen(found)
    status = 409 if form.has_changed else 422 if form.is_submitted() and form.problems else 200
    answer = render_template(
        "desk/join.html",
        form=form,
        record=_record(person_id),
        found=found,
        other=other,
        stopped=stands_in_the_way(reading(), person),
        is_error=status == 409,
    )
    return answer, status


def _join(form: JoinForm, person_id: UUID, found: Candidate) -> UUID | None:
    with form.refusals():
        if form.person.data != _seen(found):
            raise ChangedMeanwhile("person")
        with transaction() as db:
            expect_version(db, Person, person_id, form.seen.data or "")
            remains = join_records(
                db, person_id=person_id, mailbox=form.mailbox.data, officer=member().email, clock=gateways().clock
            )
            key = remains.id
        say("Joined. Whoever signs in to it is told by e-mail.")
        return key
    return None


def _seen(found: Candidate | None) -> str:
    """The other record and its version, as it was shown beside this one."""
    if found is None:
        return ""
    if found.person is None:
        return str(found.owner.account_id)
    return f"{found.person.id} {version_of(reading(), Person, found.person.id)}"


def _record(person_id: UUID) -> PersonRecord:
    return person_record(reading(), person_id, for_officer=may_see(member(), StaffRole.OFFICER))
