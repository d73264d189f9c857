"""A lost or found notice that was flagged or complained of: let everybody see it, or take it down."""

from uuid import UUID

from flask import Blueprint, abort, url_for
from flask.typing import ResponseReturnValue

from portal.forms.desk import AnswerForm
from portal.schema.notices import NoticeState, PetNotice
from portal.services.desk.pet_notices import PET_NOTICES
from portal.services.notices.look_at_notice import complaints_of, show_notice, take_notice_down
from portal.views.desk.access import Desk, open_to
from portal.views.desk.facts import Facts, row
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.files import picture
from portal.views.work import gateways, reading

blueprint = Blueprint("pet_notices", __name__, url_prefix=f"{PREFIX}/notices")


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look and decide."""
    form = AnswerForm()
    if form.validate_on_submit():
        with form.refusals():
            said = _decide(form, item_id)
            return decided(PET_NOTICES, said)
    notice = reading().get_one(PetNotice, item_id)
    against = complaints_of(reading(), item_id)
    facts = Facts(
        heading=f"{notice.kind.value.capitalize()} notice: {notice.name or notice.species.value}",
        rows=[
            row("Reference", notice.reference),
            row("State", notice.state.value.replace("_", " ")),
            row("Flagged for", notice.flagged_for),
            row("Animal", ", ".join(part for part in (notice.breed, notice.color, notice.wears, notice.marks) if part)),
            row("Where", notice.place_text),
            row("What to do", notice.what_to_do),
            *(row("Somebody complained", f"{one.kind.value.replace('_', ' ')}: {one.text}") for one in against),
        ],
        is_open=notice.state in (NoticeState.CHECKING, NoticeState.SHOWN, NoticeState.TAKEN_DOWN),
        accept="Let everybody see it",
        refuse="Take it down",
        refuse_heading="Or take it down",
        words_label="Why, in words that whoever filed it will read",
        photo=url_for("pet_notices.photo", item_id=item_id) if notice.photo_key else None,
    )
    return item_page("desk/facts.html", PET_NOTICES, PetNotice, item_id, form, facts=facts)


@blueprint.get("/<uuid:item_id>/photo")
@open_to(Desk.CLERK)
def photo(item_id: UUID) -> ResponseReturnValue:
    """Its photo."""
    notice = reading().get_one(PetNotice, item_id)
    if notice.photo_key is None:
        abort(404)
    return picture(notice.photo_key, [notice.photo_key], 1)


def _decide(form: AnswerForm, item_id: UUID) -> str:
    officer, clock = member().email, gateways().clock
    with deciding(PET_NOTICES, PetNotice, item_id, form) as db:
        notice = db.get_one(PetNotice, item_id)
        if form.pressed("accept", "refuse") == "accept":
            show_notice(db, notice, officer=officer, clock=clock)
            return f"Everybody can see {notice.reference}."
        take_notice_down(db, notice, reason=form.said, officer=officer, clock=clock)
        return f"Nobody sees {notice.reference} any more. Whoever filed it is told."
