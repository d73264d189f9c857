"""A file that came with a form: read and stored, or the reason why not beside its control."""

from portal.forms.base import PortalForm
from portal.gateways.file_refusal import FileRefused
from portal.gateways.rate_limits import UPLOADS
from portal.schema.documents import DocumentKind
from portal.services.files.accept_upload import StoredUpload, store_upload
from portal.services.files.join_uploads import store_pages
from portal.views.identity import resident
from portal.views.work import gateways, let_go_of_reading


def stored_file(
    form: PortalForm, *, kind: DocumentKind, field_name: str = "file", sender: str | None = None
) -> StoredUpload | None:
    """The file safe in the store; None when it can't be read, with a sentence on the form.

    Takes a second, so it is called before any transaction. `sender` is who is counted when nobody is signed in.
    """
    parts = gateways()
    parts.limits.take(UPLOADS, sender or str(resident().account_id))
    sent = form[field_name].data
    let_go_of_reading()
    try:
        return store_upload(
            sent.stream,
            name=sent.filename or "",
            kind=kind,
            storage=parts.storage,
            largest_bytes=parts.city.uploads.max_file_bytes,
            scanning=parts.scanning,
        )
    except FileRefused as refused:
        form.refuse(field_name, refused.sentence)
        return None


def stored_pages(
    form: PortalForm, *, kind: DocumentKind, field_name: str = "file", sender: str | None = None
) -> StoredUpload | None:
    """The files of one certificate safe in the store as its pages; None with a sentence on the form.

    Takes a second a file, so it is called before any transaction. `sender` is who is counted when nobody is signed in.
    """
    parts = gateways()
    sent = form[field_name].data
    for _ in sent:
        parts.limits.take(UPLOADS, sender or str(resident().account_id))
    let_go_of_reading()
    try:
        return store_pages(
            [(one.filename or "", one.stream) for one in sent],
            kind=kind,
            storage=parts.storage,
            largest_bytes=parts.city.uploads.max_file_bytes,
            scanning=parts.scanning,
        )
    except FileRefused as refused:
        form.refuse(field_name, refused.sentence)
        return None
