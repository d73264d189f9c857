"""`portal filing`: an officer looks at certificates from clinics whose animal was not surely found (90.04(D)(2))."""

from pathlib import Path

import click

from portal.cli.officer.desk import at_the_desk, plain, print_facts, print_rows, save_pages, short
from portal.cli.officer.typed import beginning_argument, officer_option
from portal.schema.animals import Animal
from portal.schema.clinics import ClinicFiling, FilingState
from portal.schema.vaccinations import CertificateState
from portal.services.clinics.decide_filing import (
    FilingView,
    choose_animal,
    filing_view,
    filings_open,
    filings_unread,
    send_filing_back,
)

STANDS = {
    FilingState.UNSURE: "which animal?",
    FilingState.WAITING: "not registered",
    FilingState.UNREAD: "not filled in",
}


@click.group()
def filing() -> None:
    """Certificates that clinics filed and that wait for their animal. An id may be given by its unique beginning."""


@filing.command("list")
def list_filings() -> None:
    """List them, those with likely animals first; then files that a clinic has left for a day without a word."""
    with at_the_desk() as desk:
        found = filings_open(desk.session) + filings_unread(desk.session, clock=desk.clock)
        rows = [
            [
                short(one.id),
                plain(one.created_at),
                STANDS[one.state],
                plain(one.given_on),
                plain(one.animal_name),
                plain(one.owner_name),
                plain(clinic.name),
            ]
            for one, clinic in found
        ]
    print_rows(["id", "filed", "", "given", "animal", "owner", "clinic"], rows, none="No filing waits.")


@filing.command()
@beginning_argument
@click.option("--save", type=click.Path(file_okay=False, path_type=Path), help="Save the pages in this folder.")
def show(beginning: str, save: Path | None) -> None:
    """Show one filing, the animals it may be about with what agrees and what does not, and the pages of its file."""
    with at_the_desk() as desk:
        view = filing_view(desk.session, desk.key(ClinicFiling.id, beginning))
        print_facts(_facts(view))
        for animal, why in view.candidates:
            about = f"{animal.name} ({animal.species.value}, {animal.breed}, {animal.color}, {animal.sex.value})"
            click.echo(f"  {short(animal.id)}  {plain(about)}: {plain(why)}")
        save_pages(desk, view.document, name=short(view.filing.id), folder=save)


@filing.command()
@beginning_argument
@click.argument("animal_beginning", metavar="ANIMAL")
@officer_option
def match(beginning: str, animal_beginning: str, officer: str) -> None:
    """Say which animal a filing is about."""
    with at_the_desk() as desk:
        vaccination = choose_animal(
            desk.session,
            filing_id=desk.key(ClinicFiling.id, beginning),
            animal_id=desk.key(Animal.id, animal_beginning),
            officer=officer,
            city=desk.city,
            clock=desk.clock,
        )
        state = vaccination.state
    said = {
        CertificateState.ACCEPTED: "It is accepted, and the keeper is told by e-mail.",
        CertificateState.SUBMITTED: "It waits among the certificates: look at it with `portal certificate show`.",
        CertificateState.REPLACED: "It is kept beside the certificate that is there already.",
    }
    click.echo(f"Filed as certificate {vaccination.id}. {said.get(state, '')}")


@filing.command()
@beginning_argument
@click.option("--reason", required=True, help="What the clinic reads.")
@officer_option
def reject(beginning: str, reason: str, officer: str) -> None:
    """Send a filing back to its clinic with the reason."""
    with at_the_desk() as desk:
        filing_id = desk.key(ClinicFiling.id, beginning)
        send_filing_back(desk.session, filing_id=filing_id, officer=officer, reason=reason, clock=desk.clock)
    click.echo(f"Sent back {filing_id}.")


def _facts(view: FilingView) -> dict[str, object]:
    filing = view.filing
    return {
        "Filing": filing.id,
        "State": filing.state,
        "Clinic": view.clinic.name,
        "Filed by": filing.filed_by,
        "Owner": filing.owner_name,
        "Address": filing.owner_address,
        "Phone": filing.owner_phone,
        "Animal": filing.animal_name,
        "Species": filing.species,
        "Sex": filing.sex,
        "Description": filing.description,
        "Weight": filing.weight,
        "Age": filing.age,
        "Microchip": filing.microchip,
        "Rabies tag": filing.rabies_tag,
        "Given": filing.given_on,
        "Printed due date": filing.certificate_due_on,
        "Product": filing.product,
        "Veterinarian": filing.veterinarian,
        "Signed by": filing.attested_name,
        "Reason": filing.decision_reason,
    }
