"""A certificate: the sheet beside what was read from it; accept it, send it back, keep it, undo it (90.04(D)(2))."""

from uuid import UUID

from flask import Blueprint, abort, url_for
from flask.typing import ResponseReturnValue

from portal.forms.desk import SendBackForm
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.certificates.decide_certificate import (
    accept_certificate,
    is_in_question,
    keep_certificate,
    licenses_issued_on,
    send_certificate_back,
    undo_acceptance,
)
from portal.services.desk.certificates import CERTIFICATES
from portal.services.desk.console import certificate_view
from portal.services.desk.history import history_of
from portal.views.answers import see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import say
from portal.views.desk.identity import member
from portal.views.desk.items import decided, deciding, item_page
from portal.views.desk.prefix import PREFIX
from portal.views.files import picture
from portal.views.work import gateways, reading

blueprint = Blueprint("certificates", __name__, url_prefix=f"{PREFIX}/certificates")

UNDO = "undo"
REASONS = (
    ("unreadable", "We can’t read the dates on the picture. Please send a sharper one, or the PDF from your clinic."),
    ("cut_off", "A part of the certificate is not on the picture. Please send the whole sheet."),
    ("another_animal", "The certificate seems to be for another animal. Please send the one for this animal."),
    ("no_certificate", "This is not a rabies certificate. Please ask your veterinary clinic for it."),
    ("not_signed", "The certificate names no veterinarian. Please ask your veterinary clinic for a complete one."),
    ("dates_differ", "The dates you typed are not those on the certificate. Please check them and send it again."),
)


@blueprint.route("/<uuid:item_id>", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def show(item_id: UUID) -> ResponseReturnValue:
    """Look and decide."""
    form = SendBackForm.offering(REASONS)
    if form.validate_on_submit():
        with form.refusals():
            if form.decision.data == UNDO:
                return _undo(form, item_id)
            said = _decide(form, item_id)
            return decided(CERTIFICATES, said)
    view = certificate_view(reading(), item_id)
    is_open = view.vaccination.state is CertificateState.SUBMITTED or is_in_question(view.vaccination)
    return item_page(
        "desk/certificate.html",
        CERTIFICATES,
        Vaccination,
        item_id,
        form,
        view=view,
        is_open=is_open,
        issued=licenses_issued_on(reading(), item_id),
        history=history_of(reading(), {"vaccination": [item_id]}, for_officer=False),
    )


def _undo(form: SendBackForm, item_id: UUID) -> ResponseReturnValue:
    """Back to its page, which waits in no queue."""
    with deciding(CERTIFICATES, Vaccination, item_id, form) as db:
        undo_acceptance(db, vaccination_id=item_id, officer=member().email, reason=form.said, clock=gateways().clock)
    say("It does not count any more. The keepers are told by e-mail.")
    return see_other(url_for("certificates.show", item_id=item_id))


def _decide(form: SendBackForm, item_id: UUID) -> str:
    officer, city, clock = member().email, gateways().city, gateways().clock
    with deciding(CERTIFICATES, Vaccination, item_id, form) as db:
        pressed = form.pressed("accept", "keep", "send_back")
        if pressed == "accept":
            accept_certificate(db, vaccination_id=item_id, officer=officer, city=city, clock=clock)
            return "Accepted. The keepers are told by e-mail."
        if pressed == "keep":
            keep_certificate(db, vaccination_id=item_id, officer=officer, clock=clock)
            return "It stands."
        send_certificate_back(db, vaccination_id=item_id, officer=officer, reason=form.said, clock=clock)
        return "Sent back. The keepers are told by e-mail."


@blueprint.get("/<uuid:item_id>/page/<int:number>")
@open_to(Desk.CLERK)
def sheet(item_id: UUID, number: int) -> ResponseReturnValue:
    """A page of the sheet as a picture."""
    document = certificate_view(reading(), item_id).document
    if document is None:
        abort(404)
    return picture(document.thumbnail_key, [one.key for one in document.pages], number)
