"""A file that comes with answers is safe at once, so that it is not asked for again when another answer is wrong."""

from uuid import UUID

from sqlalchemy.orm import Session

from portal.forms.dangerous import ReviewForm
from portal.forms.dangerous_evidence import EvidenceForm
from portal.schema.documents import DocumentKind
from portal.schema.drafts import Upload
from portal.services.files.accept_upload import note_upload, upload_of
from portal.services.refusal import NotTheirs
from portal.views.identity import resident
from portal.views.uploads import stored_pages
from portal.views.work import transaction


def kept_file(form: EvidenceForm | ReviewForm) -> None:
    """Store what was chosen, and note it on the form; what can't be read is told there."""
    chosen = [*(form.files.data or ()), *((form.rear.data or ()) if "rear" in form else ())]
    if not chosen or form.csrf_token.errors:
        return
    form.files.data = chosen
    if stored := stored_pages(form, kind=DocumentKind.EVIDENCE, field_name="files"):
        with transaction() as db:
            form.upload_id.data = note_upload(db, stored, account_id=resident().account_id).id


def upload_here(session: Session, upload_id: UUID | None) -> Upload | None:
    """The file that waits for the answers; None where there is none, or where it is not this account's."""
    if upload_id is None:
        return None
    try:
        return upload_of(session, account_id=resident().account_id, upload_id=upload_id)
    except NotTheirs:
        return None
