"""`portal order`: what is owed, and payment at the police counter (90.04(B)(4))."""

import click

from portal.cli.officer.desk import at_the_desk, money, plain, print_rows, short
from portal.cli.officer.typed import OneOf, beginning_argument, officer_option
from portal.gateways.payments.processor import ProcessorRefused, ProcessorUnavailable, sum_in
from portal.schema.payment_questions import PaymentQuestion, QuestionOutcome, RefundMethod
from portal.services.desk.console import open_orders
from portal.services.payments.card_questions import CardRefund, ask_card, note_card_refund, take_back_decision
from portal.services.payments.pay_at_counter import take_counter_payment
from portal.services.payments.questions import questions_open
from portal.services.payments.settle_question import Settling, settle_question

CARD, COUNTER = RefundMethod.CARD, RefundMethod.COUNTER


@click.group()
def order() -> None:
    """Orders, named by the reference on the payment slip."""


@order.command("list")
def list_orders() -> None:
    """List what is not paid, those who come to the counter first."""
    with at_the_desk() as desk:
        rows = [
            [
                found.reference,
                money(found.total_cents),
                plain(found.created_at),
                "counter" if found.counter_chosen_at else "",
                plain(person.name),
            ]
            for found, person in open_orders(desk.session)
        ]
    print_rows(["reference", "total", "opened", "", "person"], rows, none="Nothing is owed.")


@order.command("questions")
def list_questions() -> None:
    """List money that a person has to settle: disputed, of another amount, not taken back by the bank, or nobody's."""
    with at_the_desk() as desk:
        rows = [
            [
                short(question.id),
                found.reference if found else "-",
                sum_in(question.amount_cents, question.currency),
                plain(question.created_at),
                plain(question.kind),
                plain(question.told),
                plain(person.name if person else None),
            ]
            for question, found, person in questions_open(desk.session)
        ]
    print_rows(
        ["id", "reference", "amount", "since", "what", "found", "person"], rows, none="No payment is in question."
    )


@order.command("settle")
@beginning_argument
@click.option("--as", "outcome", required=True, type=OneOf(QuestionOutcome))
@click.option("--why", required=True, help="Why. It is written down with your name.")
@click.option("--order", "against", default="", metavar="REFERENCE", help="The order it pays, for set_against.")
@click.option("--to-card", "back", flag_value=CARD.value, help="Have the card processor give it back now.")
@click.option("--over-counter", "back", flag_value=COUNTER.value, help="It is handed over the counter now.")
@click.option("--account", metavar="CODE", help="From which account of the books, where it came to several.")
@officer_option
def settle_one(
    beginning: str,
    outcome: QuestionOutcome,
    why: str,
    against: str,
    back: str | None,
    account: str | None,
    officer: str,
) -> None:
    """Settle a question that `questions` lists: it is kept, went back, pays another order, or is written off."""
    way = RefundMethod(back) if back else RefundMethod.OTHER
    settling = Settling(outcome=outcome, reason=why, back=way, account=account, against=against)
    with at_the_desk() as desk:
        question_id = desk.key(PaymentQuestion.id, beginning)
        refund = settle_question(
            desk.session, question_id=question_id, settling=settling, officer=officer, clock=desk.clock
        )
        cents = desk.session.get_one(PaymentQuestion, question_id).amount_cents
    if refund:
        _give_back(refund)
    by_hand = f" Hand over {money(cents)}." if settling.goes(COUNTER) else ""
    click.echo(f"Settled: {outcome.replace('_', ' ')}.{by_hand}")


@order.command()
@click.argument("reference")
@officer_option
def take(reference: str, officer: str) -> None:
    """Note that the whole amount was paid at the counter; licenses that only waited for it are issued."""
    with at_the_desk() as desk:
        payment = take_counter_payment(desk.session, reference=reference, officer=officer, clock=desk.clock)
    click.echo(f"Receipt {payment.receipt_number}: {money(payment.amount_cents)}. The payer is told by e-mail.")


def _give_back(refund: CardRefund) -> None:
    """What was decided is committed by now; the processor is asked with no transaction open."""
    with at_the_desk() as desk:
        processor = desk.gateways.processor
    try:
        reference = ask_card(processor, refund)
    except ProcessorRefused as no:
        with at_the_desk() as desk:
            take_back_decision(desk.session, refund)
        raise click.ClickException(f"The card processor does not give it back: {no}") from no
    except ProcessorUnavailable as away:
        raise click.ClickException("The card processor does not answer. Say it again later: it is done once") from away
    with at_the_desk() as desk:
        note_card_refund(desk.session, refund, reference, clock=desk.clock)
