"""A letter that came back: whose mailbox it is, their record to correct, and the letter to send again."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.forms.desk import AgainForm
from portal.schema.people import Person, Premises
from portal.schema.staff import StaffRole
from portal.services.desk.bounced import (
    BOUNCED,
    FailedLetter,
    Reached,
    failed_letter,
    handle_letter,
    send_again,
    who_asked,
    whose_mailbox,
)
from portal.services.desk.tags import envelope
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import may_see
from portal.views.desk.facts import if_known, row
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, reading

blueprint = Blueprint("bounced", __name__, url_prefix=f"{PREFIX}/bounced")


NOBODY = "nobody who signs in with it"
STOPPED = (
    "Reminders to this mailbox have stopped, because it is not there. They go on once somebody signs in by it, or "
    "changes it to another."
)


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look, mend what is wrong, and send it again, or tell them another way and say so."""
    form = AgainForm()
    if form.validate_on_submit():
        with form.refusals():
            said = _deal_with(form, item_id)
            return decided(BOUNCED, said)
    letter = failed_letter(reading(), item_id)
    reached = whose_mailbox(reading(), letter.recipient, clock=gateways().clock)
    asked = who_asked(reading(), letter)
    rows = [
        row("Letter", letter.kind if may_see(member(), StaffRole.OFFICER) else letter.name),
        row("The mail server said", letter.last_error),
        *(row("Mailbox of", _said(one)) for one in reached),
        *([] if reached else [row("Mailbox of", NOBODY)]),
        *([row("Asked for by", _reached_at(*asked))] if asked else []),
        *([row("Reminders", STOPPED)] if letter.is_to_nobody else []),
        *if_known("Dealt with by", letter.handled_by),
    ]
    return item_page(
        "desk/bounced.html",
        BOUNCED,
        None,
        item_id,
        form,
        letter=letter,
        reached=reached,
        facts=rows,
        mailboxes=[] if letter.asked_by else _mailboxes(letter, reached),
        asked=asked[0] if asked else None,
    )


def _deal_with(form: AgainForm, item_id: UUID) -> str:
    officer, clock = member().email, gateways().clock
    with deciding(BOUNCED, None, item_id, form) as db:
        if form.again.data:
            send_again(db, letter_id=item_id, mailbox=form.again.data, officer=officer, clock=clock)
            return f"It goes to {form.again.data} again."
        handle_letter(db, letter_id=item_id, officer=officer, clock=clock)
        return "Noted."


def _mailboxes(letter: FailedLetter, reached: list[Reached]) -> list[str]:
    """Where it may go: to the mailbox they proved since, and to the same one, which may have been full."""
    proved = [one.owner.email for one in reached if not one.owner.is_theirs_now]
    return [*proved, letter.recipient]


def _said(one: Reached) -> str:
    if one.person is None:
        return "somebody who has registered nothing"
    return _reached_at(one.person, one.home)


def _reached_at(person: Person, home: Premises | None) -> str:
    return "\n".join(line for line in (*envelope(person, home), person.phone) if line)
