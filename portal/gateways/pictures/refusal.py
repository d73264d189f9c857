"""Why a file cannot be taken, each reason with the sentence that tells the person what to do (cases U6, U7, U8)."""

from enum import StrEnum

from portal.gateways.file_refusal import FileRefused
from portal.gateways.measures import count_refused_upload
from portal.gateways.pictures.kind import Asked


class UnreadableReason(StrEnum):
    """The name is for the machine and the log; the sentence is for the person."""

    EMPTY = "empty"
    TOO_LARGE = "too_large"
    OTHER_KIND = "other_kind"
    PAPER_FOR_A_PHOTO = "paper_for_a_photo"
    UNFINISHED = "unfinished"
    TOO_MANY_PIXELS = "too_many_pixels"
    TOO_MANY_PAGES = "too_many_pages"
    PASSWORD = "password"  # noqa: S105 - the reason, not a password
    TOO_HEAVY = "too_heavy"
    DAMAGED = "damaged"


OTHER_KIND = {
    Asked.PHOTO: "This file is not a photo, whatever its name says. Choose a photo, or take a new one.",
    Asked.PAPER: (
        "This file is not a photo or a PDF, whatever its name says. "
        "Take a photo, or save the document as a PDF and send that."
    ),
    Asked.EVIDENCE: (
        "This file is not a photo, a sound, a film or a PDF, whatever its name says. "
        "Choose another, or save the document as a PDF and send that."
    ),
}
SENTENCES = {
    UnreadableReason.EMPTY: "This file is empty. Choose it again, or take a new photo.",
    UnreadableReason.TOO_LARGE: (
        "This file is larger than {megabytes} MB. Take a new photo instead, or save a smaller copy and send that."
    ),
    UnreadableReason.OTHER_KIND: OTHER_KIND[Asked.PAPER],
    UnreadableReason.PAPER_FOR_A_PHOTO: (
        "This is a PDF, and we ask for a photo of the animal. Choose a photo, or take a new one."
    ),
    UnreadableReason.UNFINISHED: (
        "This file did not finish uploading, so part of it is missing. "
        "Choose it again. If that does not help, take a new photo."
    ),
    UnreadableReason.TOO_MANY_PIXELS: (
        "This picture has too many pixels for us to open. Take the photo at a smaller size, or send a screenshot of it."
    ),
    UnreadableReason.TOO_MANY_PAGES: (
        "This PDF has more than {pages} pages. Send only the pages we ask for, or take a photo of the page."
    ),
    UnreadableReason.PASSWORD: (
        "This PDF is locked with a password. Save a copy without the password, or take a photo of the page."
    ),
    UnreadableReason.TOO_HEAVY: (
        "This file takes too much work for us to open. Send a screenshot of it, or take a new photo."
    ),
    UnreadableReason.DAMAGED: (
        "We could not open this file. It may be damaged. "
        "Check that it opens on your own device, then choose it again, or take a new photo."
    ),
}


class UnreadableFile(FileRefused):
    """The file cannot be shown. Wherever it is raised, one more was refused."""

    def __init__(self, reason: UnreadableReason, *, megabytes: int, pages: int, asked: Asked = Asked.PAPER) -> None:
        said = SENTENCES | {UnreadableReason.OTHER_KIND: OTHER_KIND[asked]}
        super().__init__(said[reason].format(megabytes=megabytes, pages=pages))
        self.reason = reason
        count_refused_upload(reason)
