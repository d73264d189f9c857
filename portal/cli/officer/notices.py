"""`portal notice`: somebody of the city looks at notices that were flagged or complained of."""

import click
from sqlalchemy.orm import Session

from portal.cli.officer.desk import at_the_desk, plain, print_facts, print_rows
from portal.cli.officer.typed import officer_option
from portal.schema.notices import PetNotice
from portal.schema.notices_private import NoticePrivate
from portal.services.notices.look_at_notice import notice_called, notices_to_look_at, show_notice, take_notice_down

reference_argument = click.argument("reference")


@click.group()
def notice() -> None:
    """Lost and found notices. A notice is named by its reference, however it is typed."""


@notice.command("list")
def list_notices() -> None:
    """List those that wait to be shown, and those that somebody complained of."""
    with at_the_desk() as desk:
        rows = [
            [
                one.notice.reference,
                plain(one.notice.kind),
                plain(one.notice.state),
                plain(one.notice.name or one.notice.species.value),
                plain(one.notice.flagged_for),
                "; ".join(plain(f"{said.kind.value}: {said.text}") for said in one.complaints),
            ]
            for one in notices_to_look_at(desk.session)
        ]
    print_rows(
        ["reference", "kind", "state", "animal", "flagged", "complaints"], rows, none="Nothing waits for a look."
    )


@notice.command()
@reference_argument
def show(reference: str) -> None:
    """Show a notice whole, with what is withheld of it: the mark, the chip, a finder's phone."""
    with at_the_desk() as desk:
        print_facts(_facts(desk.session, notice_called(desk.session, reference)))


@notice.command()
@reference_argument
@officer_option
def publish(reference: str, officer: str) -> None:
    """Let everybody see it, and close what others complained of."""
    with at_the_desk() as desk:
        found = notice_called(desk.session, reference)
        show_notice(desk.session, found, officer=officer, clock=desk.clock)
    click.echo(f"Everybody can see {found.reference}.")


@notice.command()
@reference_argument
@click.option("--reason", required=True, help="What whoever filed it reads.")
@officer_option
def hide(reference: str, reason: str, officer: str) -> None:
    """Take it down. Whoever filed it is written to."""
    with at_the_desk() as desk:
        found = notice_called(desk.session, reference)
        take_notice_down(desk.session, found, reason=reason, officer=officer, clock=desk.clock)
    click.echo(f"Nobody sees {found.reference} any more.")


def _facts(session: Session, found: PetNotice) -> dict[str, object]:
    kept = session.get_one(NoticePrivate, found.id)
    return {
        "Reference": found.reference,
        "Kind": found.kind,
        "State": found.state,
        "Animal": " ".join(part for part in (found.name, found.color, found.breed, found.species.value) if part),
        "Wears": found.wears,
        "Marks": found.marks,
        "Where": found.place_text,
        "When": found.happened_at or found.happened_on,
        "Held": found.holding,
        "Taken in": found.confined_at,
        "Flagged": found.flagged_for,
        "Withheld mark": kept.withheld_mark,
        "Chip": kept.chip,
        "Tag": kept.tag,
        "Finder's phone": kept.phone,
    }
