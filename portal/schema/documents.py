"""Files people send: certificates and pictures."""

from enum import StrEnum
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from portal.schema.base import ANIMAL_CONTROL, Base, Created, Instant, Key, private, words

# So that all keys of a shelf of the file store are found by their beginning, whatever the database sorts by.
BY_BEGINNING = "text_pattern_ops"


class DocumentKind(StrEnum):
    CERTIFICATE = "certificate"
    ANIMAL_PHOTO = "animal_photo"
    EVIDENCE = "evidence"


class Document(Base):
    """A file as it was sent; people only ever see the pictures of its pages."""

    __tablename__ = "document"
    __table_args__ = (
        Index(
            "ix_document_unscanned", "original_key", postgresql_where=text("starts_with(original_key, 'unscanned/')")
        ),
        Index("ix_document_original_key", "original_key", postgresql_ops={"original_key": BY_BEGINNING}),
        Index("ix_document_thumbnail_key", "thumbnail_key", postgresql_ops={"thumbnail_key": BY_BEGINNING}),
        {
            "schema": ANIMAL_CONTROL,
            "comment": "A file that was sent. The original is for the desk alone.",
            "info": private("90.04(D)(2)"),
        },
    )

    id: Mapped[Key]
    kind: Mapped[DocumentKind] = mapped_column(words(DocumentKind), comment="What it is meant to be.")
    original_key: Mapped[str | None] = mapped_column(
        comment="Where a PDF lies as it came, for the desk; empty for a photo, which tells where it was taken."
    )
    original_name: Mapped[str] = mapped_column(comment="The sender's file name: display text, never a path.")
    media_type: Mapped[str] = mapped_column(comment="Type decided from the bytes.")
    size_bytes: Mapped[int] = mapped_column(comment="Size of the original in bytes.")
    sha256: Mapped[str] = mapped_column(index=True, comment="Hash of the original, hexadecimal.")
    thumbnail_key: Mapped[str] = mapped_column(comment="Small JPEG of the first page in the file store.")
    uploaded_at: Mapped[Instant] = mapped_column(comment="When it arrived.")
    created_at: Mapped[Created]

    pages: Mapped[list["DocumentPage"]] = relationship(order_by="DocumentPage.number", lazy="raise")


class DocumentPage(Base):
    """One page of a document as a picture without metadata."""

    __tablename__ = "document_page"
    __table_args__ = (
        Index(
            "ix_document_page_unscanned",
            "original_key",
            postgresql_where=text("starts_with(original_key, 'unscanned/')"),
        ),
        Index("ix_document_page_key", "key", postgresql_ops={"key": BY_BEGINNING}),
        Index("ix_document_page_original_key", "original_key", postgresql_ops={"original_key": BY_BEGINNING}),
        {"schema": ANIMAL_CONTROL, "comment": "A page of a document as a clean JPEG.", "info": private("90.04(D)(2)")},
    )

    document_id: Mapped[UUID] = mapped_column(ForeignKey(Document.id), primary_key=True, comment="The document.")
    number: Mapped[int] = mapped_column(primary_key=True, comment="Page, from 1.")
    key: Mapped[str] = mapped_column(comment="Where the JPEG lies in the file store.")
    original_key: Mapped[str | None] = mapped_column(
        comment="Where the PDF lies that it is a page of, for the desk; empty unless several files were joined."
    )
    width: Mapped[int] = mapped_column(comment="Width in pixels.")
    height: Mapped[int] = mapped_column(comment="Height in pixels.")
