"""Which clinic is asking: that of the signed-in mailbox, read once a request."""

from typing import cast

from flask import g

from portal.services.clinics.clinic_of import ClinicStaff, clinic_of
from portal.services.signing_in.sign_in import email_key
from portal.views.identity import current_resident
from portal.views.work import reading


def current_clinic() -> ClinicStaff | None:
    """The approved clinic that this browser's mailbox is a current member of."""
    if "clinic" not in g:
        resident = current_resident()
        g.clinic = clinic_of(reading(), email=resident.email, email_key=email_key(resident.email)) if resident else None
    return cast(ClinicStaff | None, g.clinic)


def clinic() -> ClinicStaff:
    """The same where access was checked."""
    found = current_clinic()
    if found is None:
        raise LookupError("This view is open to others than clinics")
    return found
