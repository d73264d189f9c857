"""A file that nobody is given, and one with a virus on an officer's desk, look right."""

from io import BytesIO

from sqlalchemy.orm import Session

from portal.gateways.scanning import Scanning
from portal.services.files.scans import note_scan
from portal.services.reports.files import store_report_file

FILM = b"\x00\x00\x00\x18ftypmp42" + b"\x00" * 2_000


def test_a_file_that_waits_and_one_with_a_virus(open_desk, gallery, reporting, files, database, clock):
    sent = store_report_file(
        BytesIO(FILM),
        name="night.mp4",
        storage=files,
        largest_bytes=15_000_000,
        scanning=Scanning(scanner=None, may_wait=True),
    )
    report = reporting.send(files=sent)
    file_id = database.value("SELECT id FROM animal_control.report_file")
    address = f"/desk/reports/{report.id}/files/{file_id}"
    screen = open_desk()
    with screen.complaining("Failed to load resource: "):
        gallery.look(screen.visit(address).arrive("This file can’t be opened yet"), "desk-file-waits")
        with Session(database.engine) as session, session.begin():
            note_scan(session, sent[0].key, "Win.Test.EICAR_HDB-1", clock=clock)
        gallery.look(screen.visit(address).arrive("This file is kept closed"), "desk-file-closed")
    screen.visit("/desk?kind=infected").follow("A file with a virus", leads_to="A file with a virus")
    gallery.look(screen, "desk-file-infected")
