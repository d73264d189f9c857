"""What was read from the file of a clinic's filing: suggestions for whoever fills it in."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.schema.clinic_access import Reading, ReadingState
from portal.schema.clinics import ClinicFiling
from portal.schema.drafts import Upload


def suggested_for(session: Session, filing: ClinicFiling) -> dict[str, str]:
    """By field, the text that was read; nothing while the file has not been read."""
    read = (
        select(Reading.fields)
        .join(Upload, Upload.id == Reading.upload_id)
        .where(Upload.document_id == filing.document_id, Reading.state == ReadingState.DONE)
    )
    fields = session.scalar(read.limit(1)) or {}
    return {name: text for name, entry in fields.items() if (text := _text(entry))}


def _text(entry: Any) -> str:
    value = entry.get("value") if isinstance(entry, dict) else entry
    return "" if value is None else str(value)
