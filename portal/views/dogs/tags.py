"""A new tag for one that is lost or broken (90.04(B)(5))."""

from uuid import UUID

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.forms.fields import choice
from portal.forms.tags import DuplicateTagForm
from portal.ordinance.fees import duplicate_tag_fee
from portal.schema.licenses import Delivery, TagState
from portal.schema.tag_requests import TagLoss
from portal.services.licensing.duplicate_tag import TagAsked, request_duplicate_tag
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dogs.blueprint import blueprint, looking, mine
from portal.views.dogs.status import issued
from portal.views.dogs.tracks import tag_track
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.work import gateways, transaction


@blueprint.route("/<uuid:animal_id>/duplicate-tag", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def duplicate_tag(animal_id: UUID) -> ResponseReturnValue:
    """What became of the old one, what the new one costs, and how it comes."""
    animal, parts, look = mine(animal_id), gateways(), looking()
    in_force = issued(animal, look)[::-1]
    form = form_for(DuplicateTagForm)
    form.license_year.choices = [
        choice(str(kept.year), look.year_label(kept), f"Tag {kept.year}-{kept.number}") for kept in in_force
    ]
    if len(in_force) < 2:
        del form.license_year  # nothing to choose
    not_out = [kept for kept in in_force if kept.tag and kept.tag.state is TagState.TO_SEND]
    if not not_out:
        del form.insists
    if form.validate_on_submit():
        asked = TagAsked(
            animal_id=animal_id,
            loss=TagLoss(form.loss.data),
            told=form.told.data or None,
            delivery=Delivery(form.delivery.data),
            year=int(form.license_year.data) if form.license_year else None,
            insists=bool(form.insists and form.insists.data),
        )
        with form.refusals():
            with transaction() as db:
                order = request_duplicate_tag(
                    db, asked, person_id=resident().person_id, city=parts.city, clock=parts.clock
                )
            if order.total_cents:
                return see_other(url_for("pay.show", order_id=order.id))
            return see_other(url_for("dogs.show", animal_id=animal_id))
    fee = duplicate_tag_fee(parts.city.fees, on=parts.clock.today())
    coming = [(kept, tag_track(animal, kept, look)) for kept in not_out]
    return page(
        "dogs/duplicate_tag.html", form=form, animal=animal, in_force=in_force, coming=coming, fee=fee, look=look
    )
