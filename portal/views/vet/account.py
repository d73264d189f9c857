"""What a clinic can do here, and asking for an account."""

from flask import request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.clinics import AskToJoinForm
from portal.gateways.rate_limits import CLINIC_ASKS, CLINIC_ASKS_MAILBOX
from portal.services.clinics.ask_as_clinic import ask_as_clinic
from portal.services.clinics.clinic_of import clinic_asked_for
from portal.services.clinics.filings_of_clinic import unread_count
from portal.services.signing_in.sign_in import email_key
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.clinic_identity import current_clinic
from portal.views.identity import current_resident
from portal.views.vet.blueprint import blueprint
from portal.views.work import gateways, reading, transaction

ASKED = "clinic_asked"


@blueprint.get("")
@open_to(Access.ANYONE)
def index() -> ResponseReturnValue:
    """The clinic's own pages; to everyone else what they are for."""
    if (staff := current_clinic()) is not None:
        unread = unread_count(reading(), clinic_id=staff.clinic_id)
        return page("vet/index.html", staff=staff, unread=unread)
    resident = current_resident()
    asked_for = clinic_asked_for(reading(), email_key=email_key(resident.email)) if resident else None
    return page("vet/welcome.html", resident=resident, asked_for=asked_for)


@blueprint.route("/ask-to-join", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def ask_to_join() -> ResponseReturnValue:
    """Which clinic, and who asks. A filled spam trap is noted for the city, never dropped."""
    resident = current_resident()
    form = AskToJoinForm(data={"asker_email": resident.email} if resident else None)
    if form.validate_on_submit():
        asking, limits = form.asking(), gateways().limits
        limits.take(CLINIC_ASKS, request.remote_addr or "")
        limits.take(CLINIC_ASKS_MAILBOX, email_key(asking.email))
        with transaction() as db:
            ask_as_clinic(db, asking, clock=gateways().clock)
        session[ASKED] = asking.asker_email
        return see_other(url_for("vet.asked"))
    return page("vet/ask_to_join.html", form=form)


@blueprint.get("/asked")
@open_to(Access.ANYONE)
def asked() -> ResponseReturnValue:
    """What happens next; the same whether we know the clinic or not."""
    if ASKED not in session:
        return see_other(url_for("vet.ask_to_join"))
    return page("vet/asked.html", email=session[ASKED])
