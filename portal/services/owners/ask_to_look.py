"""Something asks for a person's eyes: dogs at a home (90.09), or an application that may not be a person's.

Whoever has it open at the desk sees another version after it is asked again, though the row says the same as before.
"""

from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import flag_modified

from portal.schema.people import Person, Premises
from portal.services.record_event import SYSTEM, TRAPPED, record_event

KENNEL_ASKED = "premises.kennel_review"
APPLICATION_ASKED = "application.review"


def ask_about_kennel(session: Session, home: Premises, *, actor: str) -> None:
    """90.09: an officer looks at this home, again if one has looked before."""
    home.kennel_review = True
    flag_modified(home, "kennel_review")
    session.flush()
    record_event(session, KENNEL_ASKED, home, actor=actor)


def ask_about_application(session: Session, person: Person) -> None:
    """The trap for machines was filled in: somebody looks whether this is a person. Nothing is refused for it."""
    flag_modified(person, "name")
    session.flush()
    record_event(session, APPLICATION_ASKED, person, actor=SYSTEM, because=TRAPPED)
