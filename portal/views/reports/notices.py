"""The words that are shown before anybody says who they are, and those that are signed; their versions are stored.

The words stand in templates/reports/_notice.html and _attestation.html. Whoever changes them counts the version up.
"""

from portal.services.reports.answers import Attestation

ATTESTATION_VERSION = "2026-11"
NOTICE_VERSION = "2026-11"


def attested(typed_name: str | None) -> Attestation:
    """The statement as it stands on the page today, with the name typed under it, if any."""
    return Attestation(typed_name=typed_name or None, version=ATTESTATION_VERSION, notice_version=NOTICE_VERSION)
