"""Tags in a batch: labels for the envelopes, then marked as mailed; others are handed over at the counter."""

from flask import Blueprint, Response, render_template, url_for
from flask.typing import ResponseReturnValue

from portal.forms.desk import TagsForm
from portal.gateways.paper.labels import Label, labels_pdf
from portal.schema.licenses import Delivery
from portal.services.desk.send_tags import send_tags
from portal.services.desk.tags import TagToSend, tags_to_send
from portal.views.answers import see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import say
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, let_go_of_reading, reading, transaction

blueprint = Blueprint("tags", __name__, url_prefix=f"{PREFIX}/tags")


@blueprint.route("", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def mail() -> ResponseReturnValue:
    """The tags to mail, oldest first."""
    return _batch(Delivery.MAIL, "desk/tags.html")


@blueprint.route("/counter", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def counter() -> ResponseReturnValue:
    """The tags that are picked up."""
    return _batch(Delivery.PICK_UP, "desk/tags_counter.html")


@blueprint.post("/labels")
@open_to(Desk.CLERK)
def labels() -> ResponseReturnValue:
    """Labels for the tags that are ticked, in the order of the list. Nothing changes."""
    form = TagsForm()
    if not form.validate_on_submit():
        return see_other(url_for("tags.mail"))
    wanted = [one for one in _to_send(Delivery.MAIL) if one.tag_id in set(form.tag_ids)]
    let_go_of_reading()
    pdf = labels_pdf([Label(one.address, one.number) for one in wanted], title="Labels for tags", skipped=form.skip)
    return Response(pdf, mimetype="application/pdf", headers={"Content-Disposition": "attachment; filename=labels.pdf"})


def _batch(delivery: Delivery, template: str) -> ResponseReturnValue:
    form = TagsForm()
    if form.validate_on_submit():
        with form.refusals():
            with transaction() as db:
                sent = send_tags(db, form.tag_ids, officer=member().email, clock=gateways().clock)
            done = "marked as mailed" if delivery is Delivery.MAIL else "handed over"
            say(f"{len(sent)} {'tag' if len(sent) == 1 else 'tags'} {done}.")
            return see_other(url_for("tags.mail" if delivery is Delivery.MAIL else "tags.counter"))
    waiting = _to_send(delivery)
    ticked = set(form.tag_ids) if form.is_submitted() else {one.tag_id for one in waiting}
    status = 409 if form.has_changed else 422 if form.is_submitted() and form.problems else 200
    today = gateways().clock.today()
    return render_template(
        template, form=form, waiting=waiting, ticked=ticked, today=today, is_error=status == 409
    ), status


def _to_send(delivery: Delivery) -> list[TagToSend]:
    return tags_to_send(reading(), delivery=delivery, city=gateways().city)
