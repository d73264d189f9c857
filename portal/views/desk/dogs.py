"""A dog with its keepers, licenses, certificates and history; an officer sees demands, pound and designations too."""

from uuid import UUID

from flask import Blueprint
from flask.typing import ResponseReturnValue

from portal.schema.staff import StaffRole
from portal.services.desk.records import dog_record
from portal.views.answers import page
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import may_see
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.work import reading

blueprint = Blueprint("dogs", __name__, url_prefix=f"{PREFIX}/dogs")


@blueprint.get("/<uuid:animal_id>")
@open_to(Desk.CLERK)
def show(animal_id: UUID) -> ResponseReturnValue:
    """Everything about it that the role may see."""
    is_officer = may_see(member(), StaffRole.OFFICER)
    record = dog_record(reading(), animal_id, for_officer=is_officer)
    return page("desk/dog.html", record=record, is_officer=is_officer)
