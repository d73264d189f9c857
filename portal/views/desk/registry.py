"""What kinds of items the queue has, in the order in which they are listed.

To add a kind of item:

1. What waits: `portal/services/desk/<kind>.py` with a `Queue`: its `find` gives the lines, oldest first, and
   its `how_many` counts them. One statement each, with an index for it.
2. Its page: `portal/views/desk/<kind>.py` with a blueprint of its own under PREFIX and one view that takes `item_id`.
   The form is a `DecisionForm` (portal/forms/desk.py), which carries the version that was seen. The view follows
   `certificates.py`: `deciding(...)` around the service that decides (the same one that the console uses),
   `decided(...)` to go on, and `item_page(...)` at the end, which tells who else has it open and answers 409 to the
   second of two with all that was typed.
3. Its template extends `desk/item.html`. Give each button its key with `keyed(...)` of `desk/_keys.html`.
4. List the two here and the blueprint in `routes.py`.
5. Say who may reach it in `tests/desk/routes.py`, and show it in a test of its own (`tests/desk/test_certificates.py`
   is the pattern; `working` gives somebody who is signed in at the desk).
"""

from dataclasses import dataclass

from flask import url_for

from portal.schema.staff import StaffRole
from portal.services.desk.asked_to_look import APPLICATIONS, KENNELS
from portal.services.desk.bounced import BOUNCED
from portal.services.desk.certificates import CERTIFICATES
from portal.services.desk.claims import CLAIMS
from portal.services.desk.clinics import CLINICS
from portal.services.desk.counter import COUNTER
from portal.services.desk.dangerous_notices import DANGEROUS_NOTICES
from portal.services.desk.dangerous_rows import DANGEROUS_ROWS
from portal.services.desk.fee_questions import FEE_QUESTIONS
from portal.services.desk.filings import FILINGS
from portal.services.desk.findings import FINDINGS
from portal.services.desk.hearings import HEARINGS
from portal.services.desk.infected import INFECTED_FILES
from portal.services.desk.lookalikes import LOOKALIKES
from portal.services.desk.payment_questions import PAYMENT_QUESTIONS
from portal.services.desk.pet_notices import PET_NOTICES
from portal.services.desk.queue import Queue, Waiting
from portal.services.desk.rabies import RABIES
from portal.services.desk.reports import REPORTS
from portal.services.desk.reviews import REVIEWS
from portal.services.desk.statements import STATEMENTS
from portal.services.desk.tags import TAGS
from portal.services.desk.waivers import WAIVERS
from portal.services.staff.sign_in import StaffMember


@dataclass(frozen=True)
class Kind:
    """A kind of item, and the view that opens one of them."""

    queue: Queue
    endpoint: str


KINDS: tuple[Kind, ...] = (
    Kind(RABIES, "rabies.show"),
    Kind(REPORTS, "reports.show"),
    Kind(PET_NOTICES, "pet_notices.show"),
    Kind(HEARINGS, "hearings.show"),
    Kind(REVIEWS, "reviews.show"),
    Kind(STATEMENTS, "statements.show"),
    Kind(DANGEROUS_NOTICES, "dangerous_notices.show"),
    Kind(DANGEROUS_ROWS, "dangerous_rows.show"),
    Kind(CERTIFICATES, "certificates.show"),
    Kind(TAGS, "tags.mail"),
    Kind(COUNTER, "counter.show"),
    Kind(PAYMENT_QUESTIONS, "payment_questions.show"),
    Kind(FILINGS, "filings.show"),
    Kind(BOUNCED, "bounced.show"),
    Kind(INFECTED_FILES, "infected.show"),
    Kind(FEE_QUESTIONS, "fee_questions.show"),
    Kind(WAIVERS, "waivers.show"),
    Kind(CLINICS, "clinics.show"),
    Kind(LOOKALIKES, "lookalikes.show"),
    Kind(CLAIMS, "claims.show"),
    Kind(KENNELS, "looking.kennel"),
    Kind(APPLICATIONS, "looking.application"),
    Kind(FINDINGS, "findings.show"),
)

ENDPOINTS = {kind.queue.kind: kind.endpoint for kind in KINDS}


def item_url(queue: Queue, line: Waiting) -> str:
    """Where an item is looked at and decided, or all of its kind at once."""
    endpoint = ENDPOINTS[queue.kind]
    return url_for(endpoint, item_id=line.item_id) if line.item_id else url_for(endpoint)


def queues_of(member: StaffMember) -> tuple[Queue, ...]:
    """The kinds somebody may see: an officer all, a clerk what clerks do."""
    is_officer = member.role is StaffRole.OFFICER
    return tuple(kind.queue for kind in KINDS if is_officer or kind.queue.role is StaffRole.CLERK)
