"""`portal order`: what is owed, and payment at the police counter (90.04(B)(4))."""

import click

from portal.cli.desk import at_the_desk, money, officer_option, plain, print_rows
from portal.services.desk_queues import open_orders, payments_in_question
from portal.services.pay_at_counter import take_counter_payment


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
    """List money that a person has to settle: disputed, of another amount, or a refund the bank did not take."""
    with at_the_desk() as desk:
        rows = [
            [
                found.reference,
                money(payment.amount_cents),
                plain(payment.created_at),
                payment.state.value.replace("_", " "),
                plain(payment.note),
                plain(person.name),
            ]
            for payment, found, person in payments_in_question(desk.session)
        ]
    print_rows(["reference", "amount", "paid", "state", "note", "person"], rows, none="No payment is in question.")


@order.command()
@click.argument("reference")
@officer_option
def take(reference: str, officer: str) -> None:
    """Note that the whole amount was paid at the counter; licenses that only waited for it are issued."""
    with at_the_desk() as desk:
        payment = take_counter_payment(desk.session, reference=reference, officer=officer, clock=desk.gateways.clock)
    click.echo(f"Receipt {payment.receipt_number}: {money(payment.amount_cents)}. The payer is told by e-mail.")
