"""Money in question: what was found, what it was for, and how it is settled (90.18)."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.forms.desk_money import BY_THE_BANK, SettleForm
from portal.gateways.payments.processor import ProcessorRefused
from portal.schema.payment_questions import PaymentQuestion, QuestionKind, QuestionOutcome, RefundMethod
from portal.services.desk.payment_questions import KINDS_TOLD, PAYMENT_QUESTIONS
from portal.services.payments.card_questions import CardRefund, ask_card, note_card_refund, take_back_decision
from portal.services.payments.note_dispute import was_lost
from portal.services.payments.questions import QuestionView, lock_money, question_view
from portal.services.payments.settle_question import OUTCOMES, Settling, cents_to_go, settle_question, ways_back
from portal.services.record_event import PROCESSOR
from portal.views.desk.access import Desk, open_to
from portal.views.desk.accounts import account_choices
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.words import money
from portal.views.work import gateways, let_go_of_reading, reading, transaction

blueprint = Blueprint("payment_questions", __name__, url_prefix=f"{PREFIX}/money")

CARD_SAID_NO = "The card processor does not give it back. Look at the payment in its dashboard, or find another way"
WENT_BACK = {
    RefundMethod.CARD: "It went back to the card",
    RefundMethod.COUNTER: "It was handed over the counter",
    RefundMethod.OTHER: "It went back another way",
}
BECAME = {
    QuestionOutcome.KEPT: "It is kept",
    QuestionOutcome.GIVEN_BACK: "It went back",
    QuestionOutcome.SET_AGAINST: "It pays the other order",
    QuestionOutcome.WRITTEN_OFF: "It is written off",
}


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look and settle."""
    view = question_view(reading(), item_id)
    form = _form(view)
    if form.validate_on_submit():
        with form.refusals():
            said = _settle(form, item_id)
        if not form.problems and not form.has_changed:
            return decided(PAYMENT_QUESTIONS, said)
        view = question_view(reading(), item_id)
    return item_page(
        "desk/payment_question.html",
        PAYMENT_QUESTIONS,
        PaymentQuestion,
        item_id,
        form,
        view=view,
        heading=KINDS_TOLD[view.question.kind],
        outcome=_outcome(view.question),
        decided_by="the card processor" if view.question.decided_by == PROCESSOR else view.question.decided_by,
        at_bank=_at_bank(view.question),
        was_lost=_at_bank(view.question) and view.payment is not None and was_lost(view.payment),
    )


def _form(view: QuestionView) -> SettleForm:
    ways, cents = ways_back(view.question, view.payment), cents_to_go(view.question, view.payment)
    accounts = account_choices(view.payment, at_least=cents) if view.payment and RefundMethod.COUNTER in ways else []
    form = SettleForm.offering(
        OUTCOMES[view.question.kind],
        ways=ways,
        accounts=accounts,
        at_counter=f"Hand over {money(cents)}",
        at_bank=_at_bank(view.question),
    )
    if view.question.outcome and not form.is_submitted():  # decided before: what is left is to ask again
        form.outcome.data, form.reason.data = view.question.outcome, view.question.reason or ""
        form.how.data = view.question.refund_method
    return form


def _at_bank(question: PaymentQuestion) -> bool:
    return question.kind is QuestionKind.DISPUTED


def _outcome(question: PaymentQuestion) -> str | None:
    """What became of it, and which way it went back where that is known."""
    if question.outcome is QuestionOutcome.GIVEN_BACK:
        if _at_bank(question):
            return BY_THE_BANK[0]
        if question.refund_method:
            return WENT_BACK[question.refund_method]
    return BECAME[question.outcome] if question.outcome else None


def _settle(form: SettleForm, item_id: UUID) -> str:
    """What is decided is committed before the processor is asked, and asked again it gives back once."""
    settling = Settling(
        outcome=QuestionOutcome(form.outcome.data),
        reason=form.reason.data,
        back=form.back,
        account=form.account.data if "account" in form else None,
        against=form.against.data,
    )
    with deciding(PAYMENT_QUESTIONS, PaymentQuestion, item_id, form, first=lock_money) as db:
        refund = settle_question(
            db, question_id=item_id, settling=settling, officer=member().email, clock=gateways().clock
        )
        cents = db.get_one(PaymentQuestion, item_id).amount_cents
    if refund:
        return _ask_card(form, refund)
    return f"Hand over {money(cents)}." if settling.goes(RefundMethod.COUNTER) else f"{BECAME[settling.outcome]}."


def _ask_card(form: SettleForm, refund: CardRefund) -> str:
    let_go_of_reading()
    try:
        reference = ask_card(gateways().processor, refund)
    except ProcessorRefused:
        with transaction() as db:
            take_back_decision(db, refund)
        form.refuse(None, CARD_SAID_NO)
        return ""
    with transaction() as db:
        note_card_refund(db, refund, reference, clock=gateways().clock)
    return "The card processor gives it back."
