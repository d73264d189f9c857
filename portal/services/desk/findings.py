"""What the worker found not to agree, and what the desk knows of each."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.animals import Animal
from portal.schema.documents import Document, DocumentPage
from portal.schema.licenses import License
from portal.schema.operating import Finding, FindingKind
from portal.schema.staff import StaffRole
from portal.schema.vaccinations import Vaccination
from portal.services.desk.queue import Queue, Waiting, promised
from portal.services.refusal import NotTheirs

WORDS = {
    FindingKind.PAID_NOT_ISSUED: "A license that is paid and proved is not issued",
    FindingKind.MISSING_FILE: "A file is missing",
    FindingKind.UNKNOWN_FILES: "There are files that the portal does not know",
    FindingKind.MESSAGES_STUCK: "Messages do not leave",
    FindingKind.EVENT_WAITS: "The card processor tells of something the portal does not know",
    FindingKind.EVENTS_NOT_DELIVERED: "The card processor’s events do not come by themselves",
}
WHAT_TO_DO = {
    FindingKind.PAID_NOT_ISSUED: "The log tells why: look for “license failed”. Once mended, it issues by itself.",
    FindingKind.MISSING_FILE: "Restore it from a backup under the same name. Or ask for it again, and say so here.",
    FindingKind.UNKNOWN_FILES: "Look who put them there. The portal never deletes what it does not know.",
    FindingKind.MESSAGES_STUCK: "See whether the worker runs, and whether the mail server takes its password.",
    FindingKind.EVENT_WAITS: "Look for it in the processor’s dashboard. It may be of another use of the same account.",
    FindingKind.EVENTS_NOT_DELIVERED: (
        "Nothing is lost: the portal asked for them. In the processor’s dashboard see what the webhook was answered."
    ),
}
OPEN = (Finding.mended_at.is_(None), Finding.resolved_at.is_(None))


def finding_shown(session: Session, finding_id: UUID) -> Finding:
    """One of them, dealt with or not."""
    finding = session.get(Finding, finding_id)
    if finding is None:
        raise NotTheirs("There is no such finding")
    return finding


def animal_of(session: Session, finding: Finding) -> Animal | None:
    """The animal it is about, where that is known."""
    if finding.kind is FindingKind.PAID_NOT_ISSUED:
        wanted = select(Animal).join(License, License.animal_id == Animal.id)
        return session.scalar(wanted.where(License.id == UUID(finding.subject)))
    if finding.kind is FindingKind.MISSING_FILE:
        page = select(DocumentPage.document_id).where(
            or_(DocumentPage.key == finding.subject, DocumentPage.original_key == finding.subject)
        )
        document = select(Document.id).where(
            or_(
                Document.original_key == finding.subject,
                Document.thumbnail_key == finding.subject,
                Document.id.in_(page),
            )
        )
        certified = select(Vaccination.animal_id).where(Vaccination.document_id.in_(document))
        wanted = select(Animal).where(or_(Animal.photo_id.in_(document), Animal.id.in_(certified)))
        return session.scalars(wanted.limit(1)).first()
    return None


def in_numbers(finding: Finding) -> str:
    """How many, or which."""
    count = finding.facts.get("count")
    return f"{count:,}" if count else str(finding.facts.get("order") or finding.subject)


def _find(session: Session, *, city: City, clock: Clock, limit: int) -> Sequence[Waiting]:
    wanted = select(Finding).where(*OPEN).order_by(Finding.since, Finding.id).limit(limit)
    return [
        Waiting(
            item_id=finding.id,
            what=WORDS[finding.kind],
            detail=in_numbers(finding),
            since=finding.since,
            due_on=promised(finding.since, city.desk.answer_days, city=city),
        )
        for finding in session.scalars(wanted)
    ]


HOW_MANY = select(func.count()).select_from(Finding).where(*OPEN)
FINDINGS = Queue("finding", "What does not agree", StaffRole.CLERK, _find, HOW_MANY)
