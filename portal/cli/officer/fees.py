"""`portal fee`: an officer answers questions about fees that look wrong (90.18)."""

import click

from portal.cli.officer.desk import at_the_desk, plain, print_rows, short
from portal.cli.officer.typed import beginning_argument, officer_option
from portal.schema.departures import FeeQuestion
from portal.services.orders.ask_about_fee import answer_fee_question, name_of, questions_open


@click.group()
def fee() -> None:
    """Questions about fees. An id may be given by its unique beginning."""


@fee.command("list")
def list_questions() -> None:
    """List the questions that wait, oldest first. While one waits, its asker is charged no late fee."""
    with at_the_desk() as desk:
        rows = [
            [
                short(question.id),
                plain(question.created_at),
                plain(name_of(question.fee)),
                plain(person.name if person else None),
                plain(question.contact),
                plain(question.text),
            ]
            for question, person in questions_open(desk.session)
        ]
    print_rows(["id", "asked", "fee", "who", "answer to", "what"], rows, none="No question waits.")


@fee.command()
@beginning_argument
@click.option("--text", "text", required=True, help="What the person reads.")
@officer_option
def answer(beginning: str, text: str, officer: str) -> None:
    """Answer a question; whoever asked gets the answer by e-mail where a mailbox is known."""
    with at_the_desk() as desk:
        answered = answer_fee_question(
            desk.session,
            question_id=desk.key(FeeQuestion.id, beginning),
            answer=text,
            officer=officer,
            clock=desk.clock,
        )
        contact = answered.question.contact
    if answered.mailed_to:
        click.echo(f"Answered. It is mailed to {plain(answered.mailed_to)}.")
    elif contact:
        click.echo(f"Answered. No mailbox is known: tell them at {plain(contact)}.")
    else:
        click.echo("Answered. They left no way to be told.")
