"""One control for a certificate of one page or several: photos, PDFs, or both, chosen together."""

from typing import Any

from flask_wtf.file import MultipleFileField
from werkzeug.datastructures import FileStorage

from portal.forms.asking import Asking
from portal.forms.fields import PHOTO_OR_PDF


class PagesField(Asking, MultipleFileField):
    """Photos and PDFs of one certificate; `data` is the list of files that were chosen."""

    shape = "file"
    is_multiple = True
    accept = PHOTO_OR_PDF
    max_bytes: int | None = None

    def process_formdata(self, valuelist: list[Any]) -> None:
        """The files that have a name; an untouched control sends one without."""
        self.data = [sent for sent in valuelist if isinstance(sent, FileStorage) and sent.filename]
        self.raw_data = self.data

    @property
    def is_blank(self) -> bool:
        """No file was chosen."""
        return not self.data
