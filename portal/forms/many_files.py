"""A control that takes several files at once."""

from typing import Any

from werkzeug.datastructures import FileStorage
from wtforms import MultipleFileField

from portal.forms.asking import Asking


class ManyFilesField(Asking, MultipleFileField):
    """Any number of files; `data` is the list of those that were chosen."""

    def process_formdata(self, valuelist: list[Any]) -> None:
        """The files that have a name; an untouched control sends one without."""
        self.data = [sent for sent in valuelist if isinstance(sent, FileStorage) and sent.filename]
        self.raw_data = self.data

    @property
    def is_blank(self) -> bool:
        """No file was chosen."""
        return not self.data
