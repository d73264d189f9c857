"""Which files the rows of the database mention: what a backup holds, and what the sweep leaves alone.

A document stays as a row, since nobody may delete one. But the picture of an animal that another took the place of, or
that its keeper took away, is shown by nothing any more: its files go, and the row tells that they were there.
"""

from collections.abc import Iterable, Iterator

from sqlalchemy import ARRAY, String, cast, exists, func, or_, select, union_all
from sqlalchemy.orm import Session

from portal.schema.animals import Animal
from portal.schema.confidential import ReportDraft
from portal.schema.documents import Document, DocumentKind, DocumentPage
from portal.schema.drafts import Upload
from portal.schema.impoundments import Impoundment
from portal.schema.notices import PetNotice
from portal.schema.notices_private import NoticeDraft
from portal.schema.relays import RelayMessage
from portal.schema.reports import ReportFile

ROWS_AT_ONCE = 5000
# The picture of an animal is shown with its record, or with its stay at the pound.
IS_SHOWN = or_(
    Document.kind != DocumentKind.ANIMAL_PHOTO,
    exists().where(Animal.photo_id == Document.id),
    exists().where(Impoundment.photo_id == Document.id),
)

MENTIONED = union_all(
    select(Document.original_key),
    select(Document.thumbnail_key).where(IS_SHOWN),
    select(DocumentPage.key).join(Document, Document.id == DocumentPage.document_id).where(IS_SHOWN),
    select(DocumentPage.original_key),
    select(Upload.original_key),
    select(Upload.thumbnail_key),
    select(func.jsonb_array_elements(Upload.pages).op("->>")("key")),
    select(func.jsonb_array_elements(Upload.pages).op("->>")("original_key")),
    select(RelayMessage.photo_upload_key),
    select(PetNotice.photo_key),
    select(PetNotice.thumbnail_key),
    *(select(NoticeDraft.photo.op("->>")(key)) for key in ("key", "thumbnail_key", "whole_key")),
    # A report is evidence: its files stay as long as it does.
    select(ReportFile.key),
    select(ReportFile.thumbnail_key),
    select(func.jsonb_array_elements(ReportDraft.files).op("->>")("key")),
    select(func.jsonb_array_elements(ReportDraft.files).op("->>")("thumbnail_key")),
)


def mentioned(session: Session) -> Iterator[str]:
    """Every key that a row mentions, once; a few thousand are held at a time."""
    key = MENTIONED.subquery().c[0]
    found = select(key).where(key.is_not(None), key != "").distinct()
    return iter(session.scalars(found, execution_options={"yield_per": ROWS_AT_ONCE}))


def unmentioned(session: Session, keys: Iterable[str]) -> list[str]:
    """Those of the keys that no row mentions."""
    asked = select(func.unnest(cast(list(keys), ARRAY(String))))
    return list(session.scalars(asked.except_(MENTIONED)))
