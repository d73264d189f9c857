"""`portal dangerous`: animal control designates dogs, dates their notices, and certifies their registration (90.13)."""

from datetime import date

import click

from portal.cli.officer.dangerous.later import review, seizure
from portal.cli.officer.dangerous.requests import hearing, notice
from portal.cli.officer.dangerous.rows import row
from portal.cli.officer.desk import at_the_desk, plain, print_facts, print_rows, short
from portal.cli.officer.typed import DAY, OneOf, beginning_argument, officer_option
from portal.ordinance.dangerous import GROUNDS, Designated, Ground
from portal.schema.animals import Animal
from portal.schema.dangerous import DangerousDesignation, DangerousRegistration, NoticeDelivery
from portal.services.dangerous.certify_dangerous_dog import certify, years_ready
from portal.services.dangerous.designate_dog import (
    NoticeGiven,
    confirm_stated,
    designate_dog,
    designations_open,
    dismiss_stated,
    note_service,
)
from portal.services.dangerous.dog import DangerousDog, dangerous_dog_at_desk

KINDS = {"dangerous": Designated.DANGEROUS, "potentially-dangerous": Designated.POTENTIALLY_DANGEROUS}
delivery_option = click.option("--delivery", type=OneOf(NoticeDelivery), help="How the notice was given.")


@click.group()
def dangerous() -> None:
    """Designated dogs. An id may be given by its unique beginning."""


for group in (row, notice, hearing, review, seizure):
    dangerous.add_command(group)


@dangerous.command("list")
def list_designations() -> None:
    """List the designations that stand, and those an owner told of and nobody has looked at."""
    with at_the_desk() as desk:
        rows = [
            [
                short(one.id),
                one.reference,
                plain(one.kind),
                plain(one.state),
                plain(one.noticed_on),
                f"{short(animal.id)} {plain(animal.name)}" if animal else "not claimed yet",
                plain(one.dog),
            ]
            for one, animal in designations_open(desk.session)
        ]
    print_rows(["id", "reference", "as", "state", "notice", "animal", "dog"], rows, none="No dog is designated.")


@dangerous.command()
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.option("--dog", required=True, help="The dog as the notice describes it.")
@click.option(
    "--ground",
    "grounds",
    multiple=True,
    required=True,
    type=OneOf(Ground),
    help="What it rests on; may be given several times.",
)
@click.option("--circumstances", help="Time, place and circumstances as the notice tells. Never who was bitten.")
@click.option("--noticed", "noticed_on", type=DAY, required=True, help="The date on the notice.")
@click.option("--sent", "sent_on", type=DAY, help="When it was sent.")
@click.option("--received", "received_on", type=DAY, help="When it was received.")
@delivery_option
@click.option("--animal", "animal_beginning", help="The dog among the registered ones, if you know which.")
@officer_option
def designate(
    kind: str,
    dog: str,
    grounds: tuple[Ground, ...],
    circumstances: str | None,
    noticed_on: date,
    sent_on: date | None,
    received_on: date | None,
    delivery: NoticeDelivery | None,
    animal_beginning: str | None,
    officer: str,
) -> None:
    """Enter a designation. Print the code it answers with on the notice: it is shown once."""
    with at_the_desk() as desk:
        known = desk.key(Animal.id, animal_beginning) if animal_beginning else None
        given = NoticeGiven(
            kind=KINDS[kind],
            grounds=grounds,
            dog=dog,
            circumstances=circumstances,
            noticed_on=noticed_on,
            sent_on=sent_on,
            received_on=received_on,
            delivery=delivery,
            animal_id=known,
        )
        entered = designate_dog(desk.session, given, officer=officer, city=desk.city, clock=desk.clock)
    click.echo(f"Designation {short(entered.designation.id)}, reference {entered.designation.reference}.")
    click.echo(f"Code for the notice: {entered.code}")


@dangerous.command()
def grounds() -> None:
    """List the grounds of each designation (90.13(C))."""
    rows = [[name, ground.value] for name, kind in KINDS.items() for ground in GROUNDS[kind]]
    print_rows(["as", "ground"], rows, none="")


@dangerous.command("date")
@beginning_argument
@click.option("--sent", "sent_on", type=DAY, help="When the notice was sent.")
@click.option("--received", "received_on", type=DAY, help="When it was received.")
@click.option("--final", "final_on", type=DAY, help="The final determination.")
@delivery_option
@officer_option
def date_notice(
    beginning: str,
    sent_on: date | None,
    received_on: date | None,
    final_on: date | None,
    delivery: NoticeDelivery | None,
    officer: str,
) -> None:
    """Write down when a notice was sent or received, or when the designation became final."""
    with at_the_desk() as desk:
        dated = note_service(
            desk.session,
            designation_id=desk.key(DangerousDesignation.id, beginning),
            officer=officer,
            sent_on=sent_on,
            received_on=received_on,
            final_on=final_on,
            delivery=delivery,
            clock=desk.clock,
        )
        print_facts({"Sent": dated.sent_on, "Received": dated.received_on, "Final": dated.final_on})


@dangerous.command()
@beginning_argument
@click.option("--noticed", "noticed_on", type=DAY, required=True, help="The date on the notice.")
@officer_option
def confirm(beginning: str, noticed_on: date, officer: str) -> None:
    """Take over what an owner told of another place: the days count from the city's own notice."""
    with at_the_desk() as desk:
        confirmed = confirm_stated(
            desk.session,
            designation_id=desk.key(DangerousDesignation.id, beginning),
            officer=officer,
            noticed_on=noticed_on,
            city=desk.city,
            clock=desk.clock,
        )
    click.echo(f"Designation {short(confirmed.id)} stands from {plain(confirmed.noticed_on)}.")


@dangerous.command()
@beginning_argument
@officer_option
def dismiss(beginning: str, officer: str) -> None:
    """End what an owner told of another place: the dog is not designated there, or no longer."""
    with at_the_desk() as desk:
        dismissed = dismiss_stated(
            desk.session,
            designation_id=desk.key(DangerousDesignation.id, beginning),
            officer=officer,
            clock=desk.clock,
        )
    click.echo(f"Designation {short(dismissed.id)} ended on {plain(dismissed.ended_on)}.")


@dangerous.command()
@click.argument("animal_beginning", metavar="ANIMAL")
def show(animal_beginning: str) -> None:
    """Show a designated dog with its rows and its days."""
    with at_the_desk() as desk:
        animal_id = desk.key(Animal.id, animal_beginning)
        dog = dangerous_dog_at_desk(desk.session, animal_id=animal_id, city=desk.city, clock=desk.clock)
        print_facts(_facts(dog))
        print_rows(["id", "row", "rule", "state", "evidence", "", "show by", "last day"], _rows(dog), none="No rows.")
        for day in dog.days:
            if day.requirement is None and not day.is_done:
                name = plain(day.about)
                click.echo(f"{name}: shown {plain(day.deadline.show_by)}, last {plain(day.deadline.legal_last_day)}")


@dangerous.command("certify")
@click.argument("beginning", metavar="YEAR")
@officer_option
def certify_year(beginning: str, officer: str) -> None:
    """Issue the certificate for a year whose rows are all settled; the owner is told."""
    with at_the_desk() as desk:
        year = certify(
            desk.session,
            registration_id=desk.key(DangerousRegistration.id, beginning),
            officer=officer,
            city=desk.city,
            clock=desk.clock,
        )
    click.echo(f"Certified until {plain(year.certificate_until)}. Code {year.certificate_code}.")


@dangerous.command()
def ready() -> None:
    """List the years for which nothing is left but the certificate."""
    with at_the_desk() as desk:
        found = years_ready(desk.session, city=desk.city, clock=desk.clock)
        rows = [
            [short(one.id), plain(desk.session.get_one(Animal, one.animal_id).name), plain(one.ends_on)]
            for one in found
        ]
    print_rows(["year", "animal", "ends"], rows, none="No year is ready.")


def _facts(dog: DangerousDog) -> dict[str, object]:
    found, year = dog.designation, dog.year
    return {
        "Animal": f"{short(dog.animal.id)} {dog.animal.name}",
        "Designation": f"{short(found.id)}, reference {found.reference}",
        "As": found.kind,
        "State": found.state,
        "Grounds": ", ".join(found.grounds),
        "Circumstances": found.circumstances,
        "Declared by": found.declared_by,
        "Notice": found.noticed_on,
        "Sent": found.sent_on,
        "Received": found.received_on,
        "Final": found.final_on,
        "Year": f"{short(year.id)}, {year.starts_on} to {year.ends_on}, {year.state.value}" if year else None,
        "Sent by its owner": year.sent_at if year else None,
        "Certificate": f"until {year.certificate_until}" if year and year.certificate_until else None,
        "Photograph": year.photograph_at if year else None,
    }


def _rows(dog: DangerousDog) -> list[list[str]]:
    return [
        [
            short(one.stored.id),
            plain(one.requirement),
            plain(one.law.rule),
            plain(one.state),
            str(one.stored.evidence_number or "-"),
            "below a figure" if one.evidence and one.evidence.is_unmet and not one.is_settled else "",
            plain(one.due.show_by) if one.due else "-",
            plain(one.due.legal_last_day) if one.due else "-",
        ]
        for one in dog.rows
    ]
