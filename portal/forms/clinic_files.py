"""Files that a clinic sends: certificates as PDFs and photos, or a table."""

from portal.forms.base import PortalForm
from portal.forms.fields import PHOTO_OR_PDF, Needed, PhotoField, TextField
from portal.forms.many_files import ManyFilesField

__all__ = ["FilesField", "FilesForm", "TableForm"]


class FilesField(ManyFilesField):
    """Any number of photos and PDFs; `data` is a list."""

    shape = "files"
    accept = PHOTO_OR_PDF


class FilesForm(PortalForm):
    files = FilesField("Photos and PDFs of certificates", [Needed("Choose one or more photos or PDFs")])


class TableForm(PortalForm):
    file = PhotoField(
        "The filled-in table",
        [Needed("Choose the table as a CSV file")],
        hint="Saved as CSV. Commas, semicolons or tabs, as your program writes it.",
        accept=".csv,.txt,.tsv,text/csv,text/tab-separated-values,text/plain,application/vnd.ms-excel",
    )
    attested_name = TextField(
        "Signature for all rows: type the veterinarian’s name",
        [Needed("Type the veterinarian’s name as signature")],
        max_length=200,
        autocomplete="off",
    )
