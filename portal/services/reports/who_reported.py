"""Who a report is by: a name given later, the wish not to be named in public, and whether a mailbox's holder sent it.

The portal adds what the reporter says of themselves and can't read it again (13.44).
"""

from uuid import UUID

from sqlalchemy import text
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.finding import Refusal
from portal.schema.reports import UpdateKind
from portal.services.plain_values import plain_values
from portal.services.refusal import NotTheirs, Refused
from portal.services.reports.answers import Attestation, Identity
from portal.services.reports.follow_report import WAY, MyReport, WayIn, came_before, my_report
from portal.services.reports.rows import add_update, derived_key, tell_city
from portal.services.secrets import token_hash
from portal.services.signing_in.sign_in import email_key

IDENTIFY_MINE = text(f"SELECT confidential.identify_mine({WAY}, :report, CAST(:given AS jsonb))")
ASK_NOT_PUBLIC = text(f"SELECT confidential.ask_not_public({WAY}, :report)")
IS_TO_CONFIRM = text("SELECT confidential.is_to_confirm(:link)")
CONFIRM_MINE = text("SELECT confidential.confirm_mine(:link, :moment, :is_theirs)")

HAS_A_NAME = "This report has a name already. To change it, phone the police"


def give_identity(
    session: Session,
    way: WayIn,
    *,
    report_id: UUID,
    identity: Identity,
    attestation: Attestation,
    asks_not_public: bool,
    account_id: UUID | None,
    key: UUID,
    clock: Clock,
) -> MyReport:
    """A report without a name gets one (90.11(A)(1)); the same form again gives it once.

    Raises NotTheirs, and Refused where there is a name already.
    """
    report, update_id = my_report(session, way, report_id=report_id, clock=clock), derived_key(key, "identified")
    if came_before(session, way, report, update_id, clock=clock):
        return report
    given = {
        "name": identity.name,
        "email": identity.email,
        "email_key": email_key(identity.email) if identity.email else None,
        "phone": identity.phone,
        "address": identity.address,
        "account_id": str(account_id) if account_id else None,
        "asked_not_public_at": clock.now().isoformat() if asks_not_public else None,
        "attested_name": attestation.typed_name,
        "attestation_version": attestation.version,
        "notice_version": attestation.notice_version,
    }
    values = way.values(clock) | {"report": report.id, "given": plain_values().dumps(given)}
    if not session.scalar(IDENTIFY_MINE, values):
        raise Refused([Refusal("report", HAS_A_NAME, "name")])
    add_update(session, report.id, UpdateKind.IDENTIFIED, "", key=update_id, at=clock.now())
    tell_city(session, "report.identified", report.id, reference=report.reference, kind=report.kind.value)
    return report


def ask_not_public(session: Session, way: WayIn, *, report_id: UUID, clock: Clock) -> MyReport:
    """13.82: they ask the police not to identify them publicly. Twice keeps the first time; raises NotTheirs."""
    report = my_report(session, way, report_id=report_id, clock=clock)
    if session.scalar(ASK_NOT_PUBLIC, way.values(clock) | {"report": report.id}):
        tell_city(session, "report.asked_not_public", report.id, reference=report.reference, kind=report.kind.value)
    return report


def is_to_confirm(session: Session, *, token: str) -> bool:
    """Whether a mailed link waits for its button. Looking at it spends nothing and tells nothing of the report."""
    return bool(session.scalar(IS_TO_CONFIRM, {"link": token_hash(token)}))


def confirm_report(session: Session, *, token: str, is_theirs: bool, clock: Clock) -> None:
    """The holder of a mailbox says whether a report is theirs. If so, the link opens it; if not, it opens nothing.

    Raises NotTheirs for a link that waits for no button.
    """
    values = {"link": token_hash(token), "moment": clock.now(), "is_theirs": is_theirs}
    if not session.scalar(CONFIRM_MINE, values):
        raise NotTheirs("No such link")
