"""What every page of the desk knows: who sits there, which parts they may open, what was just done."""

from flask import Flask, g, session

from portal.schema.staff import StaffRole
from portal.services.staff.sign_in import StaffMember

SAID = "said"
KEYS_OFF = "keys_off"
NAVIGATION = (
    ("queue.show", "Queue"),
    ("search.show", "Search"),
    ("tags.mail", "Tags"),
    ("counter.find", "Counter"),
    ("pound.show_all", "Pound"),
    ("designations.show_all", "Designated"),
    ("exports.show", "Exports"),
)
FOR_OFFICERS = frozenset({"pound.show_all", "designations.show_all"})


def say(sentence: str) -> None:
    """Shown once at the head of the next page."""
    session[SAID] = sentence


def may_see(member: StaffMember | None, role: StaffRole) -> bool:
    """An officer sees all, a clerk what clerks do."""
    return member is not None and (role is StaffRole.CLERK or member.role is StaffRole.OFFICER)


def _context() -> dict[str, object]:
    # What was found when the request was let in: a page of a failure must not ask the database who is looking.
    found: StaffMember | None = g.get("member")
    return {
        "layout": "desk/base.html",
        "member": found if found and found.is_proved else None,
        "navigation": [
            (endpoint, label)
            for endpoint, label in NAVIGATION
            if endpoint not in FOR_OFFICERS or may_see(found, StaffRole.OFFICER)
        ],
        "said": session.pop(SAID, None),
        "has_keys": not session.get(KEYS_OFF, False),
    }


def init_app(app: Flask) -> None:
    app.context_processor(_context)
