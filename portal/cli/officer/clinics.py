"""`portal clinic`: the city decides which veterinary clinics may file certificates (90.04(D)(2))."""

import click

from portal.cli.officer.desk import at_the_desk, plain, print_rows, short
from portal.cli.officer.typed import beginning_argument, officer_option
from portal.schema.clinics import Clinic
from portal.services.clinics.decide_clinic import approve_clinic, clinics, refuse_clinic, suspend_clinic


@click.group()
def clinic() -> None:
    """Veterinary clinics that asked for an account. An id may be given by its unique beginning."""


@clinic.command("list")
@click.option("--all", "is_all", is_flag=True, help="Those that are decided too.")
def list_clinics(is_all: bool) -> None:
    """List the clinics that wait for a decision, oldest first. Call the clinic before you approve it."""
    with at_the_desk() as desk:
        rows = [
            [
                short(asked.clinic.id),
                plain(asked.clinic.created_at),
                plain(asked.clinic.state),
                "look closely" if asked.is_suspicious else "",
                plain(asked.clinic.name),
                plain(asked.clinic.phone),
                plain(asked.clinic.address),
                plain(asked.clinic.email),
                plain(asked.asked_by),
                plain(", ".join(asked.members)),
            ]
            for asked in clinics(desk.session, only_waiting=not is_all)
        ]
    heads = ["id", "asked", "state", "", "clinic", "phone", "address", "e-mail", "who asked", "signs in as"]
    print_rows(heads, rows, none="No clinic waits.")


@clinic.command()
@beginning_argument
@officer_option
def approve(beginning: str, officer: str) -> None:
    """Approve a clinic; its members may file from now on, and are told."""
    with at_the_desk() as desk:
        clinic_id = desk.key(Clinic.id, beginning)
        approved = approve_clinic(desk.session, clinic_id=clinic_id, officer=officer, clock=desk.clock)
    click.echo(f"Approved {plain(approved.name)}. Its members are told by e-mail.")


@clinic.command()
@beginning_argument
@click.option("--reason", required=True, help="What the clinic reads.")
@officer_option
def refuse(beginning: str, reason: str, officer: str) -> None:
    """Refuse a clinic with the reason."""
    with at_the_desk() as desk:
        clinic_id = desk.key(Clinic.id, beginning)
        refused = refuse_clinic(desk.session, clinic_id=clinic_id, officer=officer, reason=reason, clock=desk.clock)
    click.echo(f"Refused {plain(refused.name)}. It is told by e-mail.")


@clinic.command()
@beginning_argument
@officer_option
def suspend(beginning: str, officer: str) -> None:
    """Suspend a clinic: nobody files for it until it is approved again."""
    with at_the_desk() as desk:
        clinic_id = desk.key(Clinic.id, beginning)
        suspended = suspend_clinic(desk.session, clinic_id=clinic_id, officer=officer, clock=desk.clock)
    click.echo(f"Suspended {plain(suspended.name)}.")
