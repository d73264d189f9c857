"""A question about a fee: answer it (90.18). While it waits, its asker is charged no late fee."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.forms.desk import FeeAnswerForm
from portal.schema.departures import FeeQuestion
from portal.services.desk.fee_questions import FEE_QUESTIONS
from portal.services.orders.ask_about_fee import answer_fee_question, name_of, question_view
from portal.views.desk.access import Desk, open_to
from portal.views.desk.facts import NOT_YET, Facts, row
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, reading

blueprint = Blueprint("fee_questions", __name__, url_prefix=f"{PREFIX}/fee-questions")


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def show(item_id: UUID) -> ResponseReturnValue:
    """Read and answer."""
    form = FeeAnswerForm()
    if form.validate_on_submit():
        with form.refusals():
            said = _answer(form, item_id)
            return decided(FEE_QUESTIONS, said)
    question, person = question_view(reading(), item_id)
    facts = Facts(
        heading=f"Question about a fee: {name_of(question.fee)}",
        rows=[
            row("What looks wrong", question.text),
            row("Who asked", person.name if person else None),
            row("Answer to", question.contact),
            row("Answered", question.answer or NOT_YET),
        ],
        is_open=question.answered_at is None,
        refuse="Send the answer",
        words="answer",
        words_label="Your answer",
        rule="90.18",
    )
    return item_page("desk/facts.html", FEE_QUESTIONS, FeeQuestion, item_id, form, facts=facts)


def _answer(form: FeeAnswerForm, item_id: UUID) -> str:
    with deciding(FEE_QUESTIONS, FeeQuestion, item_id, form) as db:
        answered = answer_fee_question(
            db, question_id=item_id, answer=form.answer.data, officer=member().email, clock=gateways().clock
        )
    if answered.mailed_to:
        return "Answered. It is mailed to them."
    if answered.question.contact:
        return f"Answered. No mailbox is known: tell them at {answered.question.contact}."
    return "Answered. They left no way to be told."
