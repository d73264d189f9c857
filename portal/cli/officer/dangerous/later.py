"""`portal dangerous review|seizure`: designations looked at again, and dogs that were seized (90.13(E)(2), (P))."""

from datetime import date

import click

from portal.cli.officer.desk import at_the_desk, money, plain, print_rows, short
from portal.cli.officer.typed import DAY, OneOf, beginning_argument, officer_option
from portal.schema.dangerous import DangerousDesignation
from portal.schema.dangerous_notices import ReviewOutcome, ReviewRequest, SeizureSecurity
from portal.services.dangerous.request_review import decide_review, reviews_open
from portal.services.dangerous.seize_dog import Seized, note_seizure, seize_dog, seizures_open


@click.group()
def review() -> None:
    """Requests to review a designation."""


@review.command("list")
def list_reviews() -> None:
    """List the requests nobody has decided, oldest first."""
    with at_the_desk() as desk:
        rows = [
            [
                short(one.id),
                one.reference,
                plain(one.created_at),
                f"early, from {one.from_day}" if one.is_early else "",
                ", ".join(one.changes),
                plain(designation.dog),
                plain(one.told),
            ]
            for one, designation in reviews_open(desk.session)
        ]
    print_rows(["id", "reference", "asked", "", "changed", "dog", "told"], rows, none="No review waits.")


@review.command("decide")
@beginning_argument
@click.argument("outcome", type=OneOf(ReviewOutcome))
@click.option("--reason", help="What the owner reads.")
@officer_option
def decide_one(beginning: str, outcome: ReviewOutcome, reason: str | None, officer: str) -> None:
    """Rescind the designation, or keep it with the reason; the owner is told."""
    with at_the_desk() as desk:
        found = decide_review(
            desk.session,
            request_id=desk.key(ReviewRequest.id, beginning),
            outcome=outcome,
            reason=reason,
            officer=officer,
            clock=desk.clock,
        )
    click.echo(f"{found.reference}: {outcome}.")


@click.group()
def seizure() -> None:
    """Seized dogs and their security. Nothing here writes to anybody."""


@seizure.command("list")
def list_seizures() -> None:
    """List the dogs that were seized and have not gone home."""
    with at_the_desk() as desk:
        rows = [
            [
                short(one.id),
                plain(one.seized_on),
                plain(one.show_by),
                plain(one.legal_last_day),
                money(one.amount_cents) if one.amount_cents else "-",
                f"posted {one.posted_on}{', late' if one.is_late else ''}" if one.posted_on else "",
                plain(designation.dog),
            ]
            for one, designation in seizures_open(desk.session)
        ]
    print_rows(["id", "seized", "show by", "last day", "security", "", "dog"], rows, none="No dog is seized.")


@seizure.command()
@click.argument("designation_beginning", metavar="DESIGNATION")
@click.option("--on", "day", type=DAY, required=True, help="The day of the seizure.")
@click.option("--kept-at", required=True, help="Where the dog is kept.")
@click.option("--contact", required=True, help="Whom to ask there.")
@click.option("--phone", required=True, help="The telephone number there.")
@click.option("--security-cents", type=int, help="The security asked, in cents.")
@officer_option
def add(
    designation_beginning: str,
    day: date,
    kept_at: str,
    contact: str,
    phone: str,
    security_cents: int | None,
    officer: str,
) -> None:
    """Enter a seizure, after its owner was told."""
    with at_the_desk() as desk:
        seized = Seized(
            seized_on=day,
            kept_at=kept_at,
            contact_name=contact,
            contact_phone=phone,
            amount_cents=security_cents,
        )
        added = seize_dog(
            desk.session,
            seized,
            designation_id=desk.key(DangerousDesignation.id, designation_beginning),
            officer=officer,
            city=desk.city,
            clock=desk.clock,
        )
    click.echo(f"Seizure {short(added.id)}: security is shown for {plain(added.show_by)}.")


@seizure.command()
@beginning_argument
@click.option("--security-cents", type=int, help="The security asked, in cents.")
@click.option("--posted", "posted_on", type=DAY, help="When it was posted.")
@click.option("--reclaim", "reclaim_told_on", type=DAY, help="When the owner heard they may.")
@click.option("--released", "released_on", type=DAY, help="When the dog went home.")
@officer_option
def note(
    beginning: str,
    security_cents: int | None,
    posted_on: date | None,
    reclaim_told_on: date | None,
    released_on: date | None,
    officer: str,
) -> None:
    """Write down what is asked, that it was posted, or that the dog went home."""
    with at_the_desk() as desk:
        noted = note_seizure(
            desk.session,
            seizure_id=desk.key(SeizureSecurity.id, beginning),
            officer=officer,
            amount_cents=security_cents,
            posted_on=posted_on,
            reclaim_told_on=reclaim_told_on,
            released_on=released_on,
            clock=desk.clock,
        )
    click.echo(f"Noted for {short(noted.id)}{', posted late' if noted.is_late else ''}.")
