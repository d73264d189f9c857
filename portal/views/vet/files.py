"""Many certificates at once, as PDFs and photos: each becomes a filing that the clinic or an officer fills in."""

from dataclasses import dataclass
from typing import BinaryIO, cast

from flask.typing import ResponseReturnValue
from werkzeug.datastructures import FileStorage

from portal.forms.clinic_files import FilesForm
from portal.gateways.file_refusal import FileRefused
from portal.gateways.rate_limits import CLINIC_UPLOADS
from portal.schema.documents import DocumentKind
from portal.services.clinics.change_filing import file_received_before, receive_file
from portal.services.clinics.filings_of_clinic import reference, unread_count
from portal.services.files.accept_upload import make_document, note_upload, store_upload
from portal.views.access import Access, open_to
from portal.views.answers import page
from portal.views.clinic_identity import clinic
from portal.views.identity import resident
from portal.views.vet.blueprint import blueprint
from portal.views.work import gateways, let_go_of_reading, reading, transaction


@dataclass(frozen=True)
class Outcome:
    """What became of one file."""

    name: str
    sentence: str
    is_received: bool


@blueprint.route("/files", methods=["GET", "POST"])
@open_to(Access.CLINIC)
def files() -> ResponseReturnValue:
    """Choose the files. With script each goes by itself, without it all go together; the answer is the same page."""
    form = FilesForm()
    outcomes: list[Outcome] = []
    if form.validate_on_submit():
        outcomes = [_receive(sent) for sent in form.files.data]
        if not any(outcome.is_received for outcome in outcomes):
            form.refuse("files", "None of these could be received. The reasons stand below")
    unread = unread_count(reading(), clinic_id=clinic().clinic_id)
    return page("vet/files.html", form=form, outcomes=outcomes, unread=unread)


def _receive(sent: FileStorage) -> Outcome:
    """One file, stored before the transaction begins; one that can't be read holds up no other."""
    parts, staff, name = gateways(), clinic(), _shown(sent)
    parts.limits.take(CLINIC_UPLOADS, str(staff.clinic_id))
    let_go_of_reading()
    try:
        stored = store_upload(
            cast(BinaryIO, sent.stream),
            name=sent.filename or "",
            kind=DocumentKind.CERTIFICATE,
            storage=parts.storage,
            largest_bytes=parts.city.uploads.max_file_bytes,
            scanning=parts.scanning,
        )
    except FileRefused as refused:
        return Outcome(name, refused.sentence, is_received=False)
    with transaction() as db:
        if (earlier := file_received_before(db, staff, sha256=stored.sha256)) is not None:
            return Outcome(name, f"We have this file already. Reference {reference(earlier.id)}", is_received=True)
        document = make_document(db, note_upload(db, stored, account_id=resident().account_id))
        filing = receive_file(db, staff, document_id=document.id, sha256=stored.sha256)
    return Outcome(name, f"Reference {reference(filing.id)}", is_received=True)


def _shown(sent: FileStorage) -> str:
    return "".join(character for character in sent.filename or "" if character.isprintable())[-200:] or "file"
