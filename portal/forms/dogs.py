"""The questions about the certificate of an animal that is registered already."""

from portal.forms.base import PortalForm, SubmittedOnce
from portal.forms.certificates import CertificateDetailsForm
from portal.forms.fields import Needed
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
