"""One control for a certificate of one page or several: photos, PDFs, or both, chosen together."""

from portal.forms.fields import PHOTO_OR_PDF
from portal.forms.many_files import ManyFilesField


class PagesField(ManyFilesField):
    """Photos and PDFs of one certificate; `data` is the list of files that were chosen."""

    shape = "file"
    is_multiple = True
    accept = PHOTO_OR_PDF
    max_bytes: int | None = None
