"""“This looks wrong”: a question about a fee reaches the city, and holds a late fee meanwhile (90.18)."""

from flask import Blueprint, request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.fee_question import FeeQuestionForm
from portal.forms.text import one_line
from portal.gateways.rate_limits import FEE_QUESTIONS
from portal.services.orders.ask_about_fee import Asked, ask_about_fee, own_reference
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.identity import current_resident
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("fee_questions", __name__, url_prefix="/fees/question")


@blueprint.route("", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def ask() -> ResponseReturnValue:
    """About one of the city's fees, or about an order of one's own."""
    parts, me = gateways(), current_resident()
    wanted = one_line(request.args.get("order", ""))
    if wanted and me is None:
        return see_other(url_for("sign_in.ask", next=request.full_path))
    order = own_reference(reading(), wanted, person_id=me.person_id) if wanted and me else None
    form = FeeQuestionForm(data={"fee": request.args.get("fee", "")})
    if order:
        del form.fee  # the order says it
    if form.validate_on_submit():
        parts.limits.take(FEE_QUESTIONS, request.remote_addr or "")
        asked = Asked(
            fee=order or form.fee.data,
            text=form.text.data,
            # Someone who keeps no dog yet is known by the mailbox they signed in with alone.
            contact=form.contact.data or (me.email if me and me.person_id is None else None),
            is_suspicious=form.is_suspicious,
        )
        with transaction() as db:
            ask_about_fee(
                db, asked, key=form.key, person_id=me.person_id if me else None, city=parts.city, clock=parts.clock
            )
        return see_other(url_for("fee_questions.sent"))
    return page("fee_questions/ask.html", form=form, order=order, me=me, here=request.full_path.rstrip("?"))


@blueprint.get("/sent")
@open_to(Access.ANYONE)
def sent() -> ResponseReturnValue:
    """The city has it."""
    return page("fee_questions/sent.html")
