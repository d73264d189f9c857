"""`portal rabies`: what clinics wrote of animals that may be rabid (90.08(C)). The phone call is what counts."""

import click

from portal.cli.officer.desk import at_the_desk, plain, print_facts, print_rows, short
from portal.cli.officer.typed import beginning_argument, officer_option
from portal.schema.clinics import Clinic
from portal.schema.rabies_notices import RabiesNotice
from portal.services.clinics.rabies_notices import note_seen, notices_open


@click.group()
def rabies() -> None:
    """Notices of suspected rabies. An id may be given by its unique beginning."""


@rabies.command("list")
def list_notices() -> None:
    """List the notices nobody has looked at, oldest first."""
    with at_the_desk() as desk:
        rows = [
            [short(one.id), plain(one.created_at), plain(one.animal), plain(clinic.name), plain(one.phone)]
            for one, clinic in notices_open(desk.session)
        ]
    print_rows(["id", "written", "animal", "clinic", "call back"], rows, none="No notice waits.")


@rabies.command()
@beginning_argument
@officer_option
def show(beginning: str, officer: str) -> None:
    """Show one notice, and note that it was seen."""
    with at_the_desk() as desk:
        notice_id = desk.key(RabiesNotice.id, beginning)
        notice = note_seen(desk.session, notice_id=notice_id, officer=officer, clock=desk.clock)
        clinic = desk.session.get_one(Clinic, notice.clinic_id)
        print_facts(
            {
                "Notice": notice.id,
                "Written": notice.created_at,
                "Clinic": f"{clinic.name}, {clinic.phone}",
                "Sent by": notice.sent_by,
                "Called before": notice.called,
                "Animal": notice.animal,
                "Where it is": notice.place,
                "Owner": notice.owner,
                "What was seen": notice.what,
                "Call back": notice.phone,
                "Seen by": notice.seen_by,
            }
        )
