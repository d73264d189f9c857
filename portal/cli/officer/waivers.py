"""`portal waiver`: an officer confirms or declines that a dog's license is waived (90.04(C))."""

import click

from portal.cli.officer.desk import at_the_desk, money, plain, print_rows, short
from portal.cli.officer.typed import beginning_argument, officer_option
from portal.schema.licenses import License, LicenseState
from portal.services.licensing.decide_waiver import confirm_waiver, decline_waiver, waivers_waiting


@click.group()
def waiver() -> None:
    """Waivers that wait for an officer. An id may be given by its unique beginning."""


@waiver.command("list")
def list_waivers() -> None:
    """List the waivers that wait, oldest first."""
    with at_the_desk() as desk:
        rows = [
            [
                short(license_.id),
                plain(license_.created_at),
                str(license_.year),
                plain(license_.basis),
                plain(animal.name),
            ]
            for license_, animal in waivers_waiting(desk.session)
        ]
    print_rows(["id", "claimed", "year", "as", "animal"], rows, none="No waiver waits.")


@waiver.command()
@beginning_argument
@officer_option
def confirm(beginning: str, officer: str) -> None:
    """Confirm a waiver: nothing is due, and the license issues once the certificate is accepted."""
    with at_the_desk() as desk:
        license_id = desk.key(License.id, beginning)
        license_ = confirm_waiver(desk.session, license_id=license_id, officer=officer, clock=desk.clock)
        is_issued = license_.state is LicenseState.ISSUED
    click.echo(f"Confirmed {license_id}.")
    click.echo(f"License {license_.number} of {license_.year} is issued." if is_issued else "The certificate is next.")


@waiver.command()
@beginning_argument
@click.option("--reason", required=True, help="What the keeper reads.")
@officer_option
def decline(beginning: str, reason: str, officer: str) -> None:
    """Decline a waiver: the fee is due, and the keeper is told why and where to pay."""
    with at_the_desk() as desk:
        license_id = desk.key(License.id, beginning)
        order = decline_waiver(
            desk.session,
            license_id=license_id,
            officer=officer,
            reason=reason,
            city=desk.city,
            clock=desk.clock,
        )
    click.echo(f"Declined {license_id}. Order {order.reference} over {money(order.total_cents)} is open.")
