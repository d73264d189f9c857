"""The rabies certificate of an animal being registered: the file, then what it says (90.04(D))."""

from functools import partial
from uuid import UUID

from flask import request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.certificates import CertificateDetailsForm, CertificateFileForm
from portal.forms.sign_in import ButtonForm
from portal.forms.vet_link import AskVetForm
from portal.ordinance.rabies import Assessment
from portal.schema.documents import DocumentKind
from portal.services.certificates.ask_vet import approved_clinics
from portal.services.certificates.file_certificate import assess_answers
from portal.services.clinics.find_filing import AlreadySent, already_sent
from portal.services.draft_answers import AnimalAnswers, CertificateAnswers, Registration
from portal.services.files.accept_upload import note_upload, upload_of
from portal.services.registering.steps import Place, Step
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.asking import count_ask
from portal.views.files import picture
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.reading_back import details_form, fills_in, nothing_new, read_back
from portal.views.register.blueprint import blueprint
from portal.views.register.progress import animal_of, back_from, keep_animal, other_chips, registration
from portal.views.uploads import stored_pages
from portal.views.work import gateways, reading, transaction


@blueprint.route("/animals/<uuid:animal_id>/certificate", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def certificate(animal_id: UUID) -> ResponseReturnValue:
    """A photo or PDF of it, the one a clinic sent, the sheet sent for another pet, or later."""
    found = registration()
    animal = animal_of(found, animal_id)
    sent = already_sent(reading(), found, animal, city=gateways().city)
    sheets = other_sheets(found, animal)
    form = form_for(CertificateFileForm)
    if instead := _instead(request.form.get("instead"), animal.certificate, sent, sheets):
        if ButtonForm().validate_on_submit():
            return keep_animal(animal_id, certificate=instead)
    elif form.validate_on_submit() and (stored := stored_pages(form, kind=DocumentKind.CERTIFICATE)):
        with transaction() as db:
            upload_id = note_upload(db, stored, account_id=resident().account_id).id
        return keep_animal(animal_id, certificate=animal.certificate.with_file(upload_id))
    back = back_from(found, Place(Step.CERTIFICATE, animal_id))
    return page("register/certificate.html", form=form, animal=animal, back=back, already_sent=sent, sheets=sheets)


@blueprint.route("/animals/<uuid:animal_id>/certificate/ask", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def ask_vet(animal_id: UUID) -> ResponseReturnValue:
    """Which clinic shall send it? It is asked once the registration is sent."""
    found = registration()
    animal = animal_of(found, animal_id)
    clinics = approved_clinics(reading())
    form = form_for(AskVetForm, clinics=clinics)
    if form.validate_on_submit():
        chosen = form.addressee
        names = {clinic.id: clinic.name for clinic in clinics}
        count_ask(resident().account_id, chosen.email)
        answers = animal.certificate.put_off(
            ask_clinic_id=chosen.clinic_id,
            ask_clinic_name=names[chosen.clinic_id] if chosen.clinic_id else chosen.name,
            ask_clinic_email=chosen.email,
        )
        return keep_animal(animal_id, certificate=answers)
    back = url_for("register.certificate", animal_id=animal_id)
    return page("register/ask_vet.html", form=form, animal=animal, back=back)


def other_sheets(found: Registration, animal: AnimalAnswers) -> list[AnimalAnswers]:
    """Other pets of this registration whose sheet was sent: it may be about this one too. Each sheet once."""
    sent = {one.certificate.upload_id: one for one in reversed(found.animals) if one.id != animal.id}
    sent.pop(None, None)
    return list(reversed(sent.values()))


def _instead(
    said: str | None, given: CertificateAnswers, sent: AlreadySent | None, sheets: list[AnimalAnswers]
) -> CertificateAnswers | None:
    """What another button than the one for a file says; None when it says nothing of this registration."""
    if said == "later":
        return given.put_off()
    if said == "clinic":
        return given.put_off(is_from_clinic=True) if sent else None
    upload_ids = (one.certificate.upload_id for one in sheets)
    return next((given.with_file(one) for one in upload_ids if one and str(one) == said), None)


@blueprint.route("/animals/<uuid:animal_id>/certificate/details", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def certificate_details(animal_id: UUID) -> ResponseReturnValue:
    """What it says, with the picture beside it."""
    found = registration()
    animal = animal_of(found, animal_id)
    if animal.certificate.upload_id is None:
        return see_other(url_for("register.certificate", animal_id=animal_id))
    upload = upload_of(reading(), account_id=resident().account_id, upload_id=animal.certificate.upload_id)
    form, paper = details_form(
        CertificateDetailsForm, animal.certificate, upload, other_chips=other_chips(found, animal)
    )
    if nothing_new(paper):
        return "", 204
    if not fills_in() and form.validate_on_submit():
        answers = form.certificate(animal.certificate)
        assessment = assess(animal, answers)
        for refusal in assessment.refusals:
            form.refuse(refusal.field, refusal.sentence)
        if not assessment.refusals:
            return keep_animal(animal_id, certificate=answers)
    back = back_from(found, Place(Step.CERTIFICATE_DETAILS, animal_id))
    shown = read_back(form, paper, animal_name=animal.name, microchip=animal.microchip, assess=partial(assess, animal))
    return page(
        "register/certificate_details.html", form=form, animal=animal, upload=upload, back=back, read_back=shown
    )


def assess(animal: AnimalAnswers, answers: CertificateAnswers) -> Assessment:
    """What the ordinance makes of the answers today."""
    parts = gateways()
    return assess_answers(animal, answers, on=parts.clock.today(), gate=parts.city.policy.vaccination_gate)


@blueprint.get("/pictures/<uuid:upload_id>/<int:number>.jpg")
@open_to(Access.RESIDENT)
def uploaded_picture(upload_id: UUID, number: int) -> ResponseReturnValue:
    """A page of a file of this draft; 0 is its thumbnail."""
    upload = upload_of(reading(), account_id=resident().account_id, upload_id=upload_id)
    return picture(upload.thumbnail_key, [page["key"] for page in upload.pages], number)
