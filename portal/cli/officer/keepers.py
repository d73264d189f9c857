"""`portal keeper`: an officer records the new owner of an animal that was given away, or says why not (90.04(B)(5))."""

import click

from portal.cli.officer.desk import at_the_desk, plain, print_rows, short
from portal.cli.officer.typed import beginning_argument, officer_option
from portal.schema.departures import OwnershipClaim
from portal.schema.people import Premises
from portal.services.households.decide_claim import accept_claim, claims_waiting, reject_claim


@click.group()
def keeper() -> None:
    """New owners that wait for an officer. An id may be given by its unique beginning."""


@keeper.command("list")
def list_claims() -> None:
    """List the new owners that wait, oldest first."""
    with at_the_desk() as desk:
        rows = [
            [
                short(view.claim.id),
                plain(view.claim.created_at),
                plain(view.animal.name),
                plain(view.given_by.name),
                plain(view.new_owner.name),
                plain(view.new_owner.phone),
                plain(address(view.home)),
            ]
            for view in claims_waiting(desk.session)
        ]
    heads = ["id", "said", "animal", "given by", "new owner", "phone", "lives at"]
    print_rows(heads, rows, none="No new owner waits.")


@keeper.command()
@beginning_argument
@officer_option
def accept(beginning: str, officer: str) -> None:
    """Record the new owner: license and tag stay, whoever had the animal keeps it no longer, and both are told."""
    with at_the_desk() as desk:
        claim_id = desk.key(OwnershipClaim.id, beginning)
        animal = accept_claim(desk.session, claim_id=claim_id, officer=officer, city=desk.city, clock=desk.clock)
    click.echo(f"Recorded the new owner of {plain(animal.name)}. Both are told by e-mail.")


@keeper.command()
@beginning_argument
@click.option("--reason", required=True, help="What both read.")
@officer_option
def reject(beginning: str, reason: str, officer: str) -> None:
    """Do not record the new owner; both are told why."""
    with at_the_desk() as desk:
        claim_id = desk.key(OwnershipClaim.id, beginning)
        animal = reject_claim(desk.session, claim_id=claim_id, officer=officer, reason=reason, clock=desk.clock)
    click.echo(f"Did not record the new owner of {plain(animal.name)}. Both are told by e-mail.")


def address(home: Premises | None) -> str | None:
    """On one line."""
    return ", ".join(part for part in (home.line1, home.unit, home.city) if part) if home else None
