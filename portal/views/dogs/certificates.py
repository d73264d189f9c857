"""The rabies certificate of a registered animal: what was sent, and another in its place (90.04(D))."""

from functools import partial
from uuid import UUID

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.forms.dogs import NewCertificateForm, ReadCertificateForm
from portal.ordinance.finding import Finding, for_the_person
from portal.schema.documents import DocumentKind
from portal.services.animals.chips import chips_of
from portal.services.certificates.add_certificate import Sender, add_certificate, assess_for, kept_animal
from portal.services.certificates.paper import with_paper
from portal.services.certificates.sent import certificates_sent
from portal.services.certificates.sheets_sent import sheets_sent
from portal.services.draft_answers import CertificateAnswers
from portal.services.files.accept_upload import note_upload, upload_of
from portal.services.files.kept_pictures import certificate_pictures
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dogs.blueprint import blueprint, looking, mine
from portal.views.files import picture
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.reading_back import details_form, fills_in, nothing_new, read_back
from portal.views.uploads import stored_pages
from portal.views.work import gateways, reading, transaction


@blueprint.route("/<uuid:animal_id>/certificate", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def certificate(animal_id: UUID) -> ResponseReturnValue:
    """What was sent so far, and a photo or PDF of the next."""
    animal, me = mine(animal_id), resident()
    form = form_for(NewCertificateForm)
    if form.validate_on_submit() and (stored := stored_pages(form, kind=DocumentKind.CERTIFICATE)):
        with transaction() as db:
            upload_id = note_upload(db, stored, account_id=me.account_id).id
        return see_other(url_for("dogs.certificate_details", animal_id=animal_id, upload_id=upload_id))
    sent = certificates_sent(reading(), person_id=me.person_id, animal_id=animal_id)
    look = looking()
    good_to = look.good_to(animal.accepted) if animal.accepted else None
    sheets = sheets_sent(
        reading(), account_id=me.account_id, person_id=me.person_id, animal_id=animal_id, clock=gateways().clock
    )
    return page("dogs/certificate.html", form=form, animal=animal, sent=sent, good_to=good_to, look=look, sheets=sheets)


@blueprint.route("/<uuid:animal_id>/certificate/<uuid:upload_id>", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def certificate_details(animal_id: UUID, upload_id: UUID) -> ResponseReturnValue:
    """What it says, with its picture. What the rules say to that comes before it is sent; anyone can go on."""
    me, parts = resident(), gateways()
    animal = kept_animal(reading(), person_id=me.person_id, animal_id=animal_id)
    upload = upload_of(reading(), account_id=me.account_id, upload_id=upload_id)
    unread = CertificateAnswers(upload_id=upload_id)
    other_chips = chips_of(reading(), person_id=me.person_id, besides=animal_id)
    form, paper = details_form(ReadCertificateForm, unread, upload, other_chips=other_chips)
    if nothing_new(paper):
        return "", 204
    findings: tuple[Finding, ...] = ()
    if not fills_in() and form.validate_on_submit():
        answers = form.certificate(unread)
        assessment = with_paper(
            assess_for(animal, answers, city=parts.city, clock=parts.clock),
            paper,
            animal_name=animal.name,
            microchip=animal.microchip,
            answers=answers,
        )
        for refusal in assessment.refusals:
            form.refuse(refusal.field, refusal.sentence)
        # What the form has noticed already beside the answer is not told a second time.
        findings = tuple(one for one in for_the_person(assessment.findings) if not form.has_noticed(one.sentence))
        if not assessment.refusals and form.has_been_told(findings):
            with form.refusals(), transaction() as db:
                add_certificate(
                    db,
                    sender=Sender(me.person_id, me.account_id),
                    animal_id=animal_id,
                    answers=answers,
                    submission_key=form.key,
                    city=parts.city,
                    clock=parts.clock,
                )
                return see_other(url_for("dogs.show", animal_id=animal_id))
    shown = read_back(
        form,
        paper,
        animal_name=animal.name,
        microchip=animal.microchip,
        assess=partial(assess_for, animal, city=parts.city, clock=parts.clock),
    )
    return page(
        "dogs/certificate_details.html", form=form, animal=animal, upload=upload, findings=findings, read_back=shown
    )


@blueprint.get("/<uuid:animal_id>/certificates/<uuid:certificate_id>/<int:number>.jpg")
@open_to(Access.RESIDENT)
def certificate_page(animal_id: UUID, certificate_id: UUID, number: int) -> ResponseReturnValue:
    """A page of a certificate that was sent; 0 is its thumbnail."""
    keys = certificate_pictures(
        reading(), person_id=resident().person_id, animal_id=animal_id, certificate_id=certificate_id
    )
    return picture(keys.thumbnail_key, keys.page_keys, number)
