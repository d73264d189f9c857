"""An owner asks an insurer or a landlord: a link that opens one row of one dog, without an account (90.13(H)(5), (13)).

The link's token is kept hashed. It shows the dog by name and what is asked, never a place, a report or another row. It
takes one answer; an insurer's then takes the cancellation of that policy alone.
"""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.ordinance.dangerous import Requirement
from portal.ordinance.dangerous_evidence import LEAST_INSURED_CENTS
from portal.ordinance.dangerous_rows import ROWS
from portal.ordinance.fees import dollars
from portal.ordinance.finding import Refusal
from portal.schema.animals import Keeper
from portal.schema.dangerous import DangerousDesignation
from portal.schema.dangerous_requirements import DangerousRequirement, LinkFor, RequirementLink
from portal.services.certificates.ask_vet import about
from portal.services.dangerous.send_evidence import locked_row
from portal.services.messages.queue_message import queue_message
from portal.services.owners.keepers_now import locked_animal
from portal.services.record_event import keeper, record_event
from portal.services.refusal import NotTheirs, Refused
from portal.services.secrets import new_token, token_hash

LASTS = timedelta(days=30)
MOST_OPEN = 5
LINK = "/dangerous/link/{token}"
LINK_OF = {Requirement.INSURANCE: LinkFor.INSURER, Requirement.LANDLORD: LinkFor.LANDLORD}
TOO_MANY = f"You have asked for this {MOST_OPEN} times already. Take one of them back first"


@dataclass(frozen=True)
class LinkMade:
    """A link that was made. The token is known here and in the letter, and kept nowhere."""

    link_id: UUID
    token: str

    @property
    def path(self) -> str:
        return LINK.format(token=self.token)


def ask_for_evidence(
    session: Session,
    *,
    animal_id: UUID,
    requirement_id: UUID,
    person_id: UUID,
    addressee: str,
    email: str | None,
    clock: Clock,
) -> LinkMade:
    """Make the link for an insurance or landlord row, and send it where there is a mailbox."""
    animal = locked_animal(session, animal_id, person_id=person_id)
    row = locked_row(session, requirement_id)
    if row.kind not in LINK_OF or session.get_one(DangerousDesignation, row.designation_id).animal_id != animal.id:
        raise NotTheirs("No such requirement")
    if _open_count(session, row, clock=clock) >= MOST_OPEN:
        raise Refused([Refusal(ROWS[row.kind].rule, TOO_MANY)])
    token = new_token()
    link = RequirementLink(
        requirement_id=row.id,
        link_for=LINK_OF[row.kind],
        addressee=addressee,
        email=email,
        token_hash=token_hash(token),
        asked_by=person_id,
        expires_at=clock.now() + LASTS,
    )
    session.add(link)
    session.flush()
    record_event(session, "requirement_link.asked", link, actor=keeper(person_id), link_for=link.link_for.value)
    made = LinkMade(link.id, token)
    if email:
        context = {
            "animal": animal.name,
            "about": about(animal),
            "link_for": link.link_for.value,
            "least": dollars(LEAST_INSURED_CENTS),
            "path": made.path,
            "until": (clock.today() + LASTS).isoformat(),
        }
        queue_message(
            session,
            to=email,
            template="ask_for_evidence",
            context=context,
            at=clock.now(),
            is_secret=True,
            asked_by=person_id,
        )
    return made


def withdraw_link(session: Session, *, link_id: UUID, person_id: UUID | None, clock: Clock) -> None:
    """Take a link back, whichever keeper asked: it opens nothing from now on. Raises NotTheirs.

    One that was answered stays: it is how the insurer tells that the policy is canceled (90.13(H)(5)).
    """
    mine = (
        select(RequirementLink)
        .join(DangerousRequirement, DangerousRequirement.id == RequirementLink.requirement_id)
        .join(DangerousDesignation, DangerousDesignation.id == DangerousRequirement.designation_id)
        .join(Keeper, Keeper.animal_id == DangerousDesignation.animal_id)
        .where(RequirementLink.id == link_id, Keeper.person_id == person_id, Keeper.until.is_(None))
        .with_for_update(of=RequirementLink)
    )
    link = session.scalar(mine)
    if link is None:
        raise NotTheirs("No such link")
    if link.withdrawn_at is None and link.answered_at is None:
        link.withdrawn_at = clock.now()
        session.flush()
        record_event(session, "requirement_link.withdrawn", link, actor=keeper(person_id))


def links_of(session: Session, requirement_id: UUID) -> list[RequirementLink]:
    """What was asked for a row whose owner was checked before, and not taken back; the newest first."""
    wanted = (
        select(RequirementLink)
        .where(RequirementLink.requirement_id == requirement_id, RequirementLink.withdrawn_at.is_(None))
        .order_by(RequirementLink.created_at.desc(), RequirementLink.id)
        .limit(20)
    )
    return list(session.scalars(wanted))


def _open_count(session: Session, row: DangerousRequirement, *, clock: Clock) -> int:
    still = select(func.count()).where(
        RequirementLink.requirement_id == row.id,
        RequirementLink.withdrawn_at.is_(None),
        RequirementLink.answered_at.is_(None),
        RequirementLink.expires_at > clock.now(),
    )
    return session.scalar(still) or 0
