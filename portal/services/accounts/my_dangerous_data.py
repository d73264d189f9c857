"""What the portal holds of a person's designated dogs (90.13): what they sent, told and asked, and what was answered.

Never which officer decided, nor what a former owner of the dog sent.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Select, and_

from portal.schema.dangerous import DangerousDesignation, DangerousRegistration
from portal.schema.dangerous_notices import DangerousNotice, HearingRequest, ReviewRequest
from portal.schema.dangerous_requirements import (
    DangerousRequirement,
    RequirementDecision,
    RequirementEvidence,
    RequirementLink,
)
from portal.services.accounts.my_columns import Who, columns_of, of_my_animals
from portal.services.record_event import keeper


def _designations(who: Who) -> Select[Any]:
    columns = "reference kind state dog circumstances declared_by noticed_on sent_on received_on final_on ended_on"
    return of_my_animals(columns_of(DangerousDesignation, columns), DangerousDesignation.animal_id, who)


def _years(who: Who) -> Select[Any]:
    columns = "starts_on ends_on state sent_at is_late certificate_code certificate_until photograph_at created_at"
    return columns_of(DangerousRegistration, columns).where(DangerousRegistration.person_id == who.person_id)


def _evidence(who: Who) -> Select[Any]:
    columns = "number source measures is_unmet first_day last_day is_late attested_name created_at"
    sent = columns_of(RequirementEvidence, columns).add_columns(DangerousRequirement.kind.label("requirement"))
    of_row = sent.join(DangerousRequirement, DangerousRequirement.id == RequirementEvidence.requirement_id)
    return _mine(of_row, who).order_by(RequirementEvidence.created_at)


def _decisions(who: Who) -> Select[Any]:
    """What was decided about what this person sent."""
    decided = columns_of(RequirementDecision, "evidence_number outcome reason created_at").add_columns(
        DangerousRequirement.kind.label("requirement")
    )
    of_row = decided.join(DangerousRequirement, DangerousRequirement.id == RequirementDecision.requirement_id)
    of_mine = of_row.join(
        RequirementEvidence,
        and_(
            RequirementEvidence.requirement_id == RequirementDecision.requirement_id,
            RequirementEvidence.number == RequirementDecision.evidence_number,
        ),
    )
    return _mine(of_mine, who).order_by(RequirementDecision.created_at)


def _links(who: Who) -> Select[Any]:
    columns = "link_for addressee email expires_at withdrawn_at answered_at canceled_at created_at"
    return columns_of(RequirementLink, columns).where(RequirementLink.asked_by == who.person_id)


def _notices(who: Who) -> Select[Any]:
    columns = (
        "reference kind happens_on owner_name owner_address new_address leaves_city new_owner_name new_owner_address "
        "new_owner_phone new_owner_was_told told signed_name is_late affidavit_asked_at created_at"
    )
    return columns_of(DangerousNotice, columns).where(DangerousNotice.told_by == who.person_id)


def _hearings(who: Who) -> Select[Any]:
    columns = (
        "reference kind about_earlier dog noticed_on received_on grounds interpreter access_needs name email phone "
        "address signed_name asked_at is_late scheduled_at place held_on outcome decided_on decision_received_on"
    )
    return columns_of(HearingRequest, columns).where(HearingRequest.person_id == who.person_id)


def _reviews(who: Who) -> Select[Any]:
    columns = "reference changes told signed_name from_day is_early outcome reason decided_at created_at"
    return columns_of(ReviewRequest, columns).where(ReviewRequest.asked_by == who.person_id)


def _mine(found: Select[Any], who: Who) -> Select[Any]:
    """Of the dogs this person keeps now, what they sent themselves."""
    of_dog = found.join(DangerousDesignation, DangerousDesignation.id == DangerousRequirement.designation_id)
    kept = of_my_animals(of_dog, DangerousDesignation.animal_id, who)
    return kept.where(RequirementEvidence.sent_by == keeper(who.person_id))


DESIGNATED: dict[str, Callable[[Who], Select[Any]]] = {
    "dogs_designated": _designations,
    "dangerous_dog_registrations": _years,
    "shown_for_requirements": _evidence,
    "decided_about_requirements": _decisions,
    "asked_of_insurers_and_landlords": _links,
    "notices_about_designated_dogs": _notices,
    "hearings_asked_for": _hearings,
    "reviews_asked_for": _reviews,
}
