"""A letter that came back: whose mailbox it is, and how else to reach them."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.forms.desk import DecisionForm
from portal.schema.people import Person, Premises
from portal.services.desk.bounced import BOUNCED, failed_letter, handle_letter, whose_mailbox
from portal.services.desk.tags import envelope
from portal.views.desk.access import Desk, open_to
from portal.views.desk.facts import Facts, row
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, reading

blueprint = Blueprint("bounced", __name__, url_prefix=f"{PREFIX}/bounced")


STOPPED = (
    "Reminders to this mailbox have stopped, because it is not there. They go on once somebody signs in by it, or "
    "changes it to another."
)


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look, tell them another way, and say so."""
    form = DecisionForm()
    if form.validate_on_submit():
        with form.refusals():
            with deciding(BOUNCED, None, item_id, form) as db:
                handle_letter(db, letter_id=item_id, officer=member().email, clock=gateways().clock)
            return decided(BOUNCED, "Noted.")
    letter = failed_letter(reading(), item_id)
    people = whose_mailbox(reading(), letter.recipient)
    facts = Facts(
        heading=f"A letter to {letter.recipient} came back",
        rows=[
            row("Letter", letter.name),
            row("The mail server said", letter.last_error),
            *(row("Mailbox of", _reached(person, home)) for person, home in people),
            *([] if people else [row("Mailbox of", "nobody who has registered an animal")]),
            *([row("Reminders", STOPPED)] if letter.is_to_nobody else []),
            row("Dealt with by", letter.handled_by),
        ],
        is_open=letter.handled_at is None,
        notes=("Call or write to them. They change the address themselves, under “Your details”, once they sign in.",),
        accept="They are told another way",
    )
    return item_page("desk/facts.html", BOUNCED, None, item_id, form, facts=facts)


def _reached(person: Person, home: Premises | None) -> str:
    return "\n".join(line for line in (*envelope(person, home), person.phone) if line)
