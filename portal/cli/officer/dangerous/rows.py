"""`portal dangerous row`: an officer looks at what was sent for a requirement and decides it (90.13(H))."""

from datetime import datetime
from pathlib import Path

import click

from portal.cli.officer.desk import at_the_desk, named, plain, print_facts, print_rows, save_pages, short
from portal.cli.officer.typed import at_option, beginning_argument, officer_option
from portal.schema.dangerous import DangerousRegistration
from portal.schema.dangerous_requirements import DangerousRequirement, Decision
from portal.services.dangerous.decide_requirement import Deciding, decide_requirement, rows_waiting, set_photograph
from portal.services.dangerous.requirement_history import evidence_at_desk

evidence_option = click.option(
    "--evidence",
    "evidence_number",
    type=int,
    required=True,
    help="The evidence you looked at, by its number; 0 where you saw the thing itself.",
)
reason_option = click.option("--reason", required=True, help="What the owner reads.")


@click.group()
def row() -> None:
    """Requirements and what was sent for them. An id may be given by its unique beginning."""


@row.command("list")
def list_rows() -> None:
    """List what was sent and not decided, the oldest first."""
    with at_the_desk() as desk:
        rows = [
            [
                short(one.id),
                plain(one.kind),
                str(evidence.number),
                plain(evidence.source),
                "below a figure" if evidence.is_unmet else "",
                "late" if evidence.is_late else "",
                f"{short(animal.id)} {plain(animal.name)}",
            ]
            for one, evidence, animal in rows_waiting(desk.session)
        ]
    print_rows(["id", "row", "evidence", "from", "", "", "animal"], rows, none="No row waits.")


@row.command()
@beginning_argument
@click.option("--save", "folder", type=click.Path(path_type=Path), help="Write the pages to this folder.")
def show(beginning: str, folder: Path | None) -> None:
    """Show everything that was sent for a row, the newest first, with the files."""
    with at_the_desk() as desk:
        row_id = desk.key(DangerousRequirement.id, beginning)
        for evidence, document in evidence_at_desk(desk.session, row_id):
            print_facts(
                {
                    "Evidence": evidence.number,
                    "From": f"{evidence.source.value}, {evidence.sent_by}",
                    "Late": evidence.is_late,
                    "Below a figure": evidence.is_unmet,
                    **named(evidence.measures),
                }
            )
            for finding in evidence.findings:
                click.echo(f"  {plain(finding['sentence'])} ({finding['rule']})")
            name = f"{short(row_id)}-{evidence.number}"
            save_pages(desk, document, name=name, folder=folder)


@row.command()
@beginning_argument
@evidence_option
@officer_option
def accept(beginning: str, evidence_number: int, officer: str) -> None:
    """Accept a row."""
    _decide(beginning, Decision.ACCEPTED, evidence_number, None, officer)


@row.command("send-back")
@beginning_argument
@evidence_option
@reason_option
@officer_option
def send_back(beginning: str, evidence_number: int, reason: str, officer: str) -> None:
    """Send a row back; the owner reads the reason."""
    _decide(beginning, Decision.SENT_BACK, evidence_number, reason, officer)


@row.command()
@beginning_argument
@evidence_option
@reason_option
@officer_option
def waive(beginning: str, evidence_number: int, reason: str, officer: str) -> None:
    """Waive a row."""
    _decide(beginning, Decision.WAIVED, evidence_number, reason, officer)


@row.command("not-applicable")
@beginning_argument
@evidence_option
@click.option("--reason", help="What the owner reads.")
@officer_option
def not_applicable(beginning: str, evidence_number: int, reason: str | None, officer: str) -> None:
    """Say that a row does not apply, such as the landlord's to somebody who owns the home."""
    _decide(beginning, Decision.NOT_APPLICABLE, evidence_number, reason, officer)


@row.command()
@beginning_argument
@evidence_option
@reason_option
@officer_option
def reopen(beginning: str, evidence_number: int, reason: str, officer: str) -> None:
    """Open a row again; its certificate counts no more until it is issued anew."""
    _decide(beginning, Decision.REOPENED, evidence_number, reason, officer)


@row.command()
@click.argument("beginning", metavar="YEAR")
@at_option
@click.option("--place", required=True, help="Where.")
@officer_option
def photograph(beginning: str, at: datetime, place: str, officer: str) -> None:
    """Set when and where the dog is photographed; the owner is told."""
    with at_the_desk() as desk:
        set_photograph(
            desk.session,
            registration_id=desk.key(DangerousRegistration.id, beginning),
            at=at.replace(tzinfo=desk.city.time_zone),
            place=place,
            officer=officer,
            city=desk.city,
            clock=desk.clock,
        )
    click.echo("The owner is told.")


def _decide(beginning: str, outcome: Decision, evidence_number: int, reason: str | None, officer: str) -> None:
    with at_the_desk() as desk:
        deciding = Deciding(
            requirement_id=desk.key(DangerousRequirement.id, beginning),
            outcome=outcome,
            evidence_number=evidence_number,
            reason=reason,
        )
        decided = decide_requirement(desk.session, deciding, officer=officer, clock=desk.clock)
    click.echo(f"{plain(decided.kind).capitalize()}: {plain(decided.state)}.")
