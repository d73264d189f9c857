"""A resident: how to reach them, what they keep, what they owe and paid, and what happened."""

from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue

from portal.schema.staff import StaffRole
from portal.services.desk.records import person_record
from portal.views.answers import page, see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import may_see
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.work import reading

blueprint = Blueprint("people", __name__, url_prefix=f"{PREFIX}/people")


@blueprint.get("/<uuid:person_id>")
@open_to(Desk.CLERK)
def show(person_id: UUID) -> ResponseReturnValue:
    """Everything about them; a record that was joined to another leads there."""
    record = person_record(reading(), person_id, for_officer=may_see(member(), StaffRole.OFFICER))
    if joined_to := record.person.joined_to_id:
        return see_other(url_for("people.show", person_id=joined_to))
    return page("desk/person.html", record=record)
