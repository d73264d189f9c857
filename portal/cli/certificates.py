"""`portal certificate`: an officer looks at rabies certificates and accepts them or sends them back (90.04(D))."""

from pathlib import Path

import click

from portal.cli.desk import Desk, at_the_desk, officer_option, plain, print_facts, print_rows, short
from portal.gateways.storage import FileMissing
from portal.schema.vaccinations import Vaccination
from portal.services.decide_certificate import accept_certificate, certificates_waiting, send_certificate_back
from portal.services.desk_queues import CertificateView, certificate_view, key_beginning


@click.group()
def certificate() -> None:
    """Rabies certificates that wait for an officer. An id may be given by its unique beginning."""


@certificate.command("list")
def list_certificates() -> None:
    """List the certificates that wait, oldest first."""
    with at_the_desk() as desk:
        rows = [
            [
                short(vaccination.id),
                plain(vaccination.created_at),
                plain(vaccination.given_on),
                plain(vaccination.certificate_due_on),
                "look closely" if vaccination.needs_review else "",
                plain(animal.name),
            ]
            for vaccination, animal in certificates_waiting(desk.session)
        ]
    print_rows(["id", "sent", "given", "due", "", "animal"], rows, none="No certificate waits.")


@certificate.command()
@click.argument("beginning", metavar="ID")
@click.option("--save", type=click.Path(file_okay=False, path_type=Path), help="Save the pages in this folder.")
def show(beginning: str, save: Path | None) -> None:
    """Show one certificate: what was read from it, what the rules noticed, and its pages."""
    with at_the_desk() as desk:
        view = certificate_view(desk.session, key_beginning(desk.session, Vaccination.id, beginning))
        print_facts(_facts(view))
        for finding in view.vaccination.findings:
            click.echo(f"  {plain(finding.get('rule'))}: {plain(finding.get('sentence'))}")
        _pages(desk, view, save)


@certificate.command()
@click.argument("beginning", metavar="ID")
@officer_option
def accept(beginning: str, officer: str) -> None:
    """Accept a certificate; each license that only waited for it is issued."""
    with at_the_desk() as desk:
        vaccination_id = key_beginning(desk.session, Vaccination.id, beginning)
        city, clock = desk.gateways.city, desk.gateways.clock
        accept_certificate(desk.session, vaccination_id=vaccination_id, officer=officer, city=city, clock=clock)
    click.echo(f"Accepted {vaccination_id}. The keeper is told by e-mail.")


@certificate.command()
@click.argument("beginning", metavar="ID")
@click.option("--reason", required=True, help="What the keeper reads.")
@officer_option
def reject(beginning: str, reason: str, officer: str) -> None:
    """Send a certificate back with the reason."""
    with at_the_desk() as desk:
        vaccination_id = key_beginning(desk.session, Vaccination.id, beginning)
        send_certificate_back(
            desk.session, vaccination_id=vaccination_id, officer=officer, reason=reason, clock=desk.gateways.clock
        )
    click.echo(f"Sent back {vaccination_id}. The keeper is told by e-mail.")


def _facts(view: CertificateView) -> dict[str, object]:
    vaccination, animal = view.vaccination, view.animal
    return {
        "Certificate": vaccination.id,
        "State": vaccination.state.value.replace("_", " "),
        "Animal": f"{animal.name} ({animal.species.value}, {animal.breed}, {animal.color}, {animal.sex.value})",
        "Keepers": ", ".join(person.name for person in view.keepers),
        "Paper": vaccination.evidence.value.replace("_", " "),
        "Given": vaccination.given_on,
        "Printed due date": vaccination.certificate_due_on,
        "Three years end": vaccination.ordinance_until,
        "Schedule's due date": vaccination.science_due_on,
        "Dose": vaccination.dose.value,
        "Type": vaccination.vaccine_type.value,
        "Product": vaccination.product,
        "Maker": vaccination.manufacturer,
        "Lot": vaccination.lot,
        "Vial good until": vaccination.vaccine_expires_on,
        "Rabies tag": vaccination.rabies_tag,
        "Veterinarian": vaccination.veterinarian,
        "Clinic": vaccination.clinic_name,
        "Look closely": vaccination.needs_review,
        "Reason": vaccination.decision_reason,
    }


def _pages(desk: Desk, view: CertificateView, folder: Path | None) -> None:
    if view.document is None:
        click.echo("No file was sent.")
        return
    for page in view.document.pages:
        if folder is None:
            click.echo(f"Page {page.number}: {page.key} ({page.width} x {page.height}); --save FOLDER writes it there")
            continue
        place = folder / f"{short(view.vaccination.id)}-page-{page.number}.jpg"
        try:
            with desk.gateways.storage.open(page.key) as content:
                folder.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content.read())
        except FileMissing:
            click.echo(f"Page {page.number} is missing from the file store.")
        else:
            click.echo(f"Page {page.number}: {place}")
