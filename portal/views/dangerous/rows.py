"""One requirement: what proves it, what was sent, and sending more (90.13(H))."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from flask import render_template, url_for
from flask.typing import ResponseReturnValue

from portal.forms.dangerous_evidence import EVIDENCE_FORMS, NOTHING_TO_SEND, EvidenceForm
from portal.forms.sign_in import ButtonForm
from portal.ordinance import dangerous_evidence as figures
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import Requirement
from portal.ordinance.fees import DANGEROUS_DOG_CAP_CENTS, dangerous_dog_fee
from portal.services.animals.chips import chips_of
from portal.services.dangerous.dog import DangerousDog
from portal.services.dangerous.requirement_history import evidence_pictures, history_of
from portal.services.dangerous.requirement_rows import RowView
from portal.services.dangerous.send_evidence import EvidenceSent, send_evidence
from portal.services.refusal import ChangedMeanwhile, NotTheirs
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dangerous.blueprint import blueprint, designated
from portal.views.dangerous.files import kept_file, upload_here
from portal.views.dangerous.lines import line_of
from portal.views.files import picture as stored_picture
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.work import gateways, let_go_of_reading, reading, transaction


@blueprint.route("/dogs/<uuid:animal_id>/dangerous/rows/<requirement>", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def row(animal_id: UUID, requirement: str) -> ResponseReturnValue:
    """What it asks, what was sent, and more to send. Whoever was slower is told what changed, and loses nothing."""
    dog = designated(animal_id)
    kept = dog.row(_known(requirement))
    kind = EVIDENCE_FORMS.get(kept.requirement)
    if kind is None:
        return _page(dog, kept, None)
    stored = {**(asdict(kept.measures) if kept.measures else {}), "seen": kept.stored.version}
    form = form_for(kind, data=stored, **_known_chips(kept, animal_id))
    is_valid = form.validate_on_submit()
    if form.is_submitted():
        kept_file(form)
    if is_valid and not form.problems and not form.has_something():
        form.refuse("files", NOTHING_TO_SEND)
    if is_valid and not form.problems:
        try:
            _send(kept, form, animal_id)
        except ChangedMeanwhile:
            return _changed(animal_id, kept.requirement, form)
        return see_other(url_for("dangerous.show", animal_id=animal_id))
    return _page(dog, kept, form)


@blueprint.get("/dogs/<uuid:animal_id>/dangerous/evidence/<uuid:evidence_id>/<int:number>.jpg")
@open_to(Access.RESIDENT)
def picture(animal_id: UUID, evidence_id: UUID, number: int) -> ResponseReturnValue:
    """A page of what was sent; 0 is its thumbnail."""
    thumbnail, pages = evidence_pictures(
        reading(), person_id=resident().person_id, animal_id=animal_id, evidence_id=evidence_id
    )
    return stored_picture(thumbnail, pages, number)


def _known_chips(kept: RowView, animal_id: UUID) -> dict[str, Any]:
    """The numbers of their other animals, where one is asked for."""
    if kept.requirement is not Requirement.MICROCHIP:
        return {}
    return {"other_chips": chips_of(reading(), person_id=resident().person_id, besides=animal_id)}


def _send(kept: RowView, form: EvidenceForm, animal_id: UUID) -> None:
    parts = gateways()
    with transaction() as db:
        sent = EvidenceSent(
            key=form.key,
            measures=form.measures(kept.requirement),
            file=upload_here(db, form.upload_id.data),
            version=form.seen.data,
        )
        send_evidence(
            db,
            sent,
            animal_id=animal_id,
            requirement_id=kept.stored.id,
            person_id=resident().person_id,
            city=parts.city,
            clock=parts.clock,
        )


def _changed(animal_id: UUID, requirement: Requirement, form: EvidenceForm) -> ResponseReturnValue:
    """The page as it is now with what was typed in it; pressed once more, it is sent."""
    let_go_of_reading()  # what was read before the row changed is of no use now
    dog = designated(animal_id)
    kept = dog.row(requirement)
    form.seen.data = kept.stored.version
    return _page(dog, kept, form, is_stale=True)


def _page(
    dog: DangerousDog, kept: RowView, form: EvidenceForm | None, *, is_stale: bool = False
) -> ResponseReturnValue:
    shown: dict[str, Any] = {
        "animal": dog.animal,
        "dog": dog,
        "kept": kept,
        "requirement": kept.requirement,
        "line": line_of(dog, kept),
        "Rule": Rule,
    }
    if form is None:
        fee = dangerous_dog_fee(gateways().city.fees, on=gateways().clock.today())
        return page(
            "dangerous/row_read.html",
            button=ButtonForm(formdata=None),
            fee=fee,
            cap_cents=DANGEROUS_DOG_CAP_CENTS,
            **shown,
        )
    shown |= {
        "history": history_of(reading(), kept.stored.id),
        "upload": upload_here(reading(), form.upload_id.data),
        "figures": figures,
        "is_stale": is_stale,
    }
    if is_stale:
        return render_template("dangerous/row.html", form=form, is_error=True, **shown), 409
    return page("dangerous/row.html", form=form, **shown)


def _known(requirement: str) -> Requirement:
    try:
        return Requirement(requirement)
    except ValueError:
        raise NotTheirs("No such requirement") from None
