"""`portal demand`: an officer demands a rabies certificate, and notes that one was shown (90.04(D)(2))."""

from datetime import date

import click

from portal.cli.officer.desk import at_the_desk, plain, print_rows, short
from portal.cli.officer.typed import DAY, beginning_argument, officer_option
from portal.schema.animals import Animal
from portal.schema.clinics import CertificateDemand
from portal.services.certificates.demand_certificate import demand_certificate, demands_open, show_to_officer


@click.group()
def demand() -> None:
    """Certificates that were demanded. An id may be given by its unique beginning."""


@demand.command("list")
def list_demands() -> None:
    """List the demands that nothing was shown for yet, the most pressing first."""
    with at_the_desk() as desk:
        today = desk.clock.today()
        rows = [
            [
                short(one.id),
                plain(one.demanded_on),
                plain(one.show_by),
                plain(one.legal_last_day),
                "late" if today > one.legal_last_day else "",
                f"{short(animal.id)} {plain(animal.name)}",
                plain(one.officer),
            ]
            for one, animal in demands_open(desk.session)
        ]
    heads = ["id", "demanded", "show by", "last day", "", "animal", "officer"]
    print_rows(heads, rows, none="No demand is open.")


@demand.command()
@click.argument("animal_beginning", metavar="ANIMAL")
@click.option("--on", "day", type=DAY, help="The day of the demand, if it was not today.")
@officer_option
def add(animal_beginning: str, day: date | None, officer: str) -> None:
    """Demand an animal's certificate; its keepers are told by which day to show it."""
    with at_the_desk() as desk:
        added = demand_certificate(
            desk.session,
            animal_id=desk.key(Animal.id, animal_beginning),
            officer=officer,
            demanded_on=day,
            city=desk.city,
            clock=desk.clock,
        )
    click.echo(f"Demand {short(added.id)}: the keepers are told to show it by {plain(added.show_by)}.")
    click.echo(f"The legal last day is {plain(added.legal_last_day)}. Later is taken, and marked.")


@demand.command()
@beginning_argument
@click.option("--on", "day", type=DAY, help="The day it was shown, if it was not today.")
@officer_option
def shown(beginning: str, day: date | None, officer: str) -> None:
    """Note that the paper was shown to an officer."""
    with at_the_desk() as desk:
        noted = show_to_officer(
            desk.session,
            demand_id=desk.key(CertificateDemand.id, beginning),
            officer=officer,
            shown_on=day,
            clock=desk.clock,
        )
    click.echo(f"Noted for {short(noted.id)}{', late' if noted.is_late else ''}.")
