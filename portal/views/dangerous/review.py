"""Ask to look at a designation again: from six months after it, then once a year; earlier is kept (90.13(P))."""

from uuid import UUID

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.forms.dangerous import ReviewForm
from portal.ordinance import periods
from portal.ordinance.citation import Rule
from portal.services.dangerous.days_to_know import review_day
from portal.services.dangerous.request_review import request_review
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dangerous.blueprint import blueprint, designated, keeper_id
from portal.views.dangerous.files import kept_file, upload_here
from portal.views.dogs.blueprint import looking, mine
from portal.views.kept_answers import form_for
from portal.views.work import gateways, reading, transaction


@blueprint.route("/dogs/<uuid:animal_id>/dangerous/review", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def review(animal_id: UUID) -> ResponseReturnValue:
    """What has changed, and what shows it; and what came of earlier requests."""
    animal, dog, parts, look = mine(animal_id), designated(animal_id), gateways(), looking()
    form = form_for(ReviewForm)
    is_valid = form.validate_on_submit()
    if form.is_submitted():
        kept_file(form)
    if is_valid and not form.problems:
        with transaction() as db:
            request_review(
                db,
                form.asked(upload_here(db, form.upload_id.data)),
                animal_id=animal_id,
                person_id=keeper_id(),
                city=parts.city,
                clock=parts.clock,
            )
        return see_other(url_for("dangerous.review", animal_id=animal_id))
    return page(
        "dangerous/review.html",
        form=form,
        animal=animal,
        dog=dog,
        review=review_day(dog),
        upload=upload_here(reading(), form.upload_id.data),
        look=look,
        periods=periods,
        Rule=Rule,
    )
