"""What kinds of items the queue has, in the order in which they are listed.

To add a kind of item:

1. What waits: `portal/services/desk/<kind>.py` with a `Queue`: `find(session, city, limit)` gives its lines, oldest
   first, and `count(session)` how many there are. One statement each, with an index for it.
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
from portal.services.desk.certificates import CERTIFICATES
from portal.services.desk.queue import Queue
from portal.services.staff_sign_in import StaffMember


@dataclass(frozen=True)
class Kind:
    """A kind of item, and the view that opens one of them."""

    queue: Queue
    endpoint: str


KINDS: tuple[Kind, ...] = (Kind(CERTIFICATES, "certificates.show"),)

ENDPOINTS = {kind.queue.kind: kind.endpoint for kind in KINDS}


def item_url(queue: Queue, item_id: object) -> str:
    """Where an item is looked at and decided."""
    return url_for(ENDPOINTS[queue.kind], item_id=item_id)


def queues_of(member: StaffMember) -> tuple[Queue, ...]:
    """The kinds somebody may see: an officer all, a clerk what clerks do."""
    is_officer = member.role is StaffRole.OFFICER
    return tuple(kind.queue for kind in KINDS if is_officer or kind.queue.role is StaffRole.CLERK)
