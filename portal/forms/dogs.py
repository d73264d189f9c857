"""The questions about an animal that is registered already: its certificate, its picture."""

from portal.forms.base import PortalForm, SubmittedOnce
from portal.forms.certificates import CertificateDetailsForm
from portal.forms.fields import Needed, PhotoField
from portal.forms.pages_field import PagesField
from portal.forms.told_once import ToldOnce


class NewCertificateForm(PortalForm):
    """Photos or a PDF."""

    file = PagesField(
        "A photo or PDF of the certificate",
        [Needed("Choose a photo or PDF of the certificate")],
        hint="Lay it flat in good light, and get the whole page in. For several pages choose all of them together.",
    )


class ReadCertificateForm(SubmittedOnce, ToldOnce, CertificateDetailsForm):
    """What the paper says; what the rules have to say about it is shown once before it is sent."""


class PetPhotoForm(PortalForm):
    """A picture of it."""

    file = PhotoField(
        "A picture of it",
        [Needed("Choose a picture")],
        hint="If it gets lost, a picture helps people know it.",
        accept="image/*,.heic,.heif",
    )
