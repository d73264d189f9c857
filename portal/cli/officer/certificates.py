"""`portal certificate`: an officer looks at rabies certificates and accepts them or sends them back (90.04(D))."""

from pathlib import Path

import click

from portal.cli.officer.desk import at_the_desk, plain, print_facts, print_rows, save_pages, short
from portal.cli.officer.typed import beginning_argument, officer_option
from portal.schema.animals import Animal
from portal.schema.vaccinations import Vaccination
from portal.services.certificates.decide_certificate import (
    accept_certificate,
    certificates_taken_back,
    certificates_waiting,
    keep_certificate,
    send_certificate_back,
    undo_acceptance,
)
from portal.services.desk.console import CertificateView, certificate_view
from portal.services.licensing.look_again import certificates_in_question


@click.group()
def certificate() -> None:
    """Rabies certificates that wait for an officer. An id may be given by its unique beginning."""


@certificate.command("list")
def list_certificates() -> None:
    """List accepted ones to look at again, and why, then the certificates that wait, each oldest first."""
    with at_the_desk() as desk:
        taken_back, waiting = certificates_taken_back(desk.session), certificates_waiting(desk.session)
        rows = [_row(vaccination, animal, "taken back by its clinic") for vaccination, animal in taken_back]
        in_question = certificates_in_question(desk.session)
        rows += [_row(vaccination, animal, "its printed date has passed") for vaccination, animal, _ in in_question]
        rows += [
            _row(vaccination, animal, "look closely" if vaccination.needs_review else "")
            for vaccination, animal in waiting
        ]
    print_rows(["id", "sent", "given", "due", "", "animal"], rows, none="No certificate waits.")


@certificate.command()
@beginning_argument
@click.option("--save", type=click.Path(file_okay=False, path_type=Path), help="Save the pages in this folder.")
def show(beginning: str, save: Path | None) -> None:
    """Show one certificate: what was read from it, what the rules noticed, and its pages."""
    with at_the_desk() as desk:
        view = certificate_view(desk.session, desk.key(Vaccination.id, beginning))
        print_facts(_facts(view))
        for finding in view.vaccination.findings:
            click.echo(f"  {plain(finding.get('rule'))}: {plain(finding.get('sentence'))}")
        save_pages(desk, view.document, name=short(view.vaccination.id), folder=save)


@certificate.command()
@beginning_argument
@officer_option
def accept(beginning: str, officer: str) -> None:
    """Accept a certificate; each license that only waited for it is issued."""
    with at_the_desk() as desk:
        vaccination_id = desk.key(Vaccination.id, beginning)
        accept_certificate(
            desk.session, vaccination_id=vaccination_id, officer=officer, city=desk.city, clock=desk.clock
        )
    click.echo(f"Accepted {vaccination_id}. The keeper is told by e-mail.")


@certificate.command()
@beginning_argument
@click.option("--reason", required=True, help="What the keeper reads.")
@officer_option
def reject(beginning: str, reason: str, officer: str) -> None:
    """Send a certificate back with the reason."""
    with at_the_desk() as desk:
        vaccination_id = desk.key(Vaccination.id, beginning)
        send_certificate_back(
            desk.session, vaccination_id=vaccination_id, officer=officer, reason=reason, clock=desk.clock
        )
    click.echo(f"Sent back {vaccination_id}. The keeper is told by e-mail.")


@certificate.command()
@beginning_argument
@officer_option
def keep(beginning: str, officer: str) -> None:
    """Let an accepted certificate stand though its clinic took it back, or its printed date passed."""
    with at_the_desk() as desk:
        vaccination_id = desk.key(Vaccination.id, beginning)
        keep_certificate(desk.session, vaccination_id=vaccination_id, officer=officer, clock=desk.clock)
    click.echo(f"Kept {vaccination_id}.")


@certificate.command()
@beginning_argument
@click.option("--reason", required=True, help="What the keeper reads.")
@officer_option
def undo(beginning: str, reason: str, officer: str) -> None:
    """Undo an acceptance that was a mistake. A license that was issued on it stays in force."""
    with at_the_desk() as desk:
        vaccination_id = desk.key(Vaccination.id, beginning)
        undo_acceptance(desk.session, vaccination_id=vaccination_id, officer=officer, reason=reason, clock=desk.clock)
    click.echo(f"{vaccination_id} does not count any more. The keeper is told by e-mail.")


def _row(vaccination: Vaccination, animal: Animal, mark: str) -> list[str]:
    return [
        short(vaccination.id),
        plain(vaccination.created_at),
        plain(vaccination.given_on),
        plain(vaccination.certificate_due_on),
        mark,
        plain(animal.name),
    ]


def _facts(view: CertificateView) -> dict[str, object]:
    vaccination, animal = view.vaccination, view.animal
    return {
        "Certificate": vaccination.id,
        "State": vaccination.state,
        "Animal": f"{animal.name} ({animal.species.value}, {animal.breed}, {animal.color}, {animal.sex.value})",
        "Keepers": ", ".join(person.name for person in view.keepers),
        "Paper": vaccination.evidence,
        "Given": vaccination.given_on,
        "Printed due date": vaccination.certificate_due_on,
        "Three years end": vaccination.ordinance_until,
        "Schedule's due date": vaccination.science_due_on,
        "Dose": vaccination.dose,
        "Type": vaccination.vaccine_type,
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
