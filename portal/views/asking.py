"""How often a person may have clinics written to."""

from uuid import UUID

from portal.gateways.rate_limits import VET_ASKS, VET_ASKS_MAILBOX
from portal.services.signing_in.sign_in import email_key
from portal.views.work import gateways


def count_ask(account_id: UUID, email: str | None) -> None:
    """A few a day for a person, and fewer for one mailbox: nobody is written to over and over."""
    limits = gateways().limits
    limits.take(VET_ASKS, str(account_id))
    if email:
        limits.take(VET_ASKS_MAILBOX, email_key(email))
