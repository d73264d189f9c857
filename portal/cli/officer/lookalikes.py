"""`portal lookalike`: an officer says whether two animals that two people registered are one (90.04(B)(1))."""

import click

from portal.cli.officer.desk import at_the_desk, plain, print_rows, short
from portal.cli.officer.typed import beginning_argument, officer_option
from portal.schema.lookalikes import Lookalike
from portal.schema.people import Person
from portal.services.animals.decide_lookalike import decide_lookalike, lookalikes_waiting


@click.group()
def lookalike() -> None:
    """Animals that may be registered twice. An id may be given by its unique beginning."""


@lookalike.command("list")
def list_lookalikes() -> None:
    """List the pairs that wait, oldest first. Neither keeper knows of the other."""
    with at_the_desk() as desk:
        rows = [
            [
                short(view.lookalike.id),
                plain(view.lookalike.created_at),
                plain(view.animal.name),
                _reached(view.keeper),
                plain(view.other.name),
                _reached(view.other_keeper),
                plain(view.lookalike.agrees),
            ]
            for view in lookalikes_waiting(desk.session)
        ]
    heads = ["id", "registered", "animal", "by", "may be", "kept by", "what agrees"]
    print_rows(heads, rows, none="No pair waits.")


@lookalike.command()
@beginning_argument
@click.option("--same/--different", "is_same", required=True, help="One animal, or two.")
@officer_option
def decide(beginning: str, is_same: bool, officer: str) -> None:
    """Say whether they are one. If so, what is unpaid for the second registration is owed no more."""
    with at_the_desk() as desk:
        lookalike_id = desk.key(Lookalike.id, beginning)
        decide_lookalike(desk.session, lookalike_id=lookalike_id, is_same=is_same, officer=officer, clock=desk.clock)
    click.echo("They are one animal: its second keeper is told." if is_same else "They are two animals.")


def _reached(person: Person | None) -> str:
    return plain(", ".join(part for part in (person.name, person.phone) if part)) if person else "-"
