"""The questions about the certificate of an animal that is registered already."""

import hashlib
from collections.abc import Iterable

from wtforms import HiddenField

from portal.forms.base import PortalForm, SubmittedOnce
from portal.forms.certificates import CertificateDetailsForm
from portal.forms.fields import Needed
from portal.forms.pages_field import PagesField
from portal.ordinance.finding import Finding


class NewCertificateForm(PortalForm):
    """Photos or a PDF."""

    file = PagesField(
        "A photo or PDF of the certificate",
        [Needed("Choose a photo or PDF of the certificate")],
        hint="Lay it flat in good light, and get the whole page in. For several pages choose all of them together.",
    )


class ReadCertificateForm(SubmittedOnce, CertificateDetailsForm):
    """What the paper says; what the rules have to say about it is shown once before it is sent."""

    told = HiddenField()

    def has_been_told(self, findings: Iterable[Finding]) -> bool:
        """Whether the page that was sent showed these same findings; from now on it does."""
        text = "\n".join(f"{finding.rule} {finding.sentence}" for finding in findings)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16] if text else ""
        was_told = (self.told.data or "") == digest
        self.told.data = digest
        return was_told
