"""A pet is missing, or somebody found one: a page a question, kept on the way, then shown as everybody will see it."""

from datetime import datetime
from uuid import UUID

from flask import request
from flask.typing import ResponseReturnValue

from portal.forms.fields import choice
from portal.forms.notices import (
    FoundMoreForm,
    FoundPetForm,
    FoundWhereForm,
    LostMoreForm,
    LostPetForm,
    LostWhereForm,
    WhichPetForm,
)
from portal.forms.sign_in import ButtonForm
from portal.gateways.file_refusal import FileRefused
from portal.gateways.storage.store import FileMissing, StorageUnavailable
from portal.ordinance.found_animals import report_by
from portal.schema.animals import Animal
from portal.schema.notices import NoticeKind
from portal.services.files.kept_pictures import animal_pictures
from portal.services.notices.draft import Draft
from portal.services.notices.in_progress import BegunNotice, NoticePhoto, Step
from portal.services.notices.pets_to_miss import begun_for, pets_to_miss
from portal.services.notices.photo import copy_notice_photo
from portal.services.refusal import NotTheirs
from portal.views.access import Access, open_to
from portal.views.answers import page
from portal.views.identity import current_resident, resident
from portal.views.kept_answers import form_for
from portal.views.notices.blueprint import KIND, blueprint
from portal.views.notices.progress import answering, back_from, begin, keep_and_go_on, start
from portal.views.work import gateways, let_go_of_reading, reading

ANOTHER = "another"


@blueprint.route("/lost/new", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def lost_new() -> ResponseReturnValue:
    """Which pet? What the city knows of a registered one is filled in, its picture too."""
    pets = {str(pet.id): pet for pet in pets_to_miss(reading(), person_id=resident().person_id)}
    asked = request.args.get("pet")
    form = form_for(WhichPetForm, data={"pet": asked if asked in pets else None if pets else ANOTHER})
    form.pet.choices = [choice(key, pet.name) for key, pet in pets.items()] + [choice(ANOTHER, "Another pet")]
    if form.validate_on_submit():
        pet = pets.get(form.pet.data)
        return begin(_begun_for(pet) if pet else Draft(BegunNotice(kind=NoticeKind.LOST)))
    return page("notices/lost_new.html", form=form, has_pets=bool(pets))


@blueprint.route("/found/new", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def found_new() -> ResponseReturnValue:
    """Danger and the two hours first; then the button to begin."""
    form = ButtonForm()
    if form.validate_on_submit():
        return begin(Draft(BegunNotice(kind=NoticeKind.FOUND)))
    return page("notices/found_new.html", form=form)


@blueprint.route(f"{KIND}/new/pet", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_pet(kind: str) -> ResponseReturnValue:
    """What it looks like."""
    if (draft := answering(kind)) is None:
        return start(kind)
    begun = draft.begun
    form = (LostPetForm if begun.kind is NoticeKind.LOST else FoundPetForm)(data=vars(begun.pet))
    if form.validate_on_submit():
        answer = form.answers()
        return keep_and_go_on(lambda kept: kept.with_answer(Step.PET, pet=answer))
    return page("notices/pet.html", form=form, begun=begun, back=back_from(begun, Step.PET))


@blueprint.route(f"{KIND}/new/where", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_where(kind: str) -> ResponseReturnValue:
    """Where and when; of a found one also how it is held, which starts the two hours (90.11(B))."""
    if (draft := answering(kind)) is None:
        return start(kind)
    begun, parts = draft.begun, gateways()
    zone, now, today = parts.city.time_zone, parts.clock.now(), parts.clock.today()
    is_lost = begun.kind is NoticeKind.LOST
    said = {"on": today} | (vars(begun.where) if begun.where else {})
    if begun.where and begun.where.confined_at:
        said["since"] = f"{begun.where.confined_at.astimezone(zone):%H:%M}"
    form = (LostWhereForm if is_lost else FoundWhereForm)(data=said, today=today)
    if form.validate_on_submit():
        answer = form.answers(now=now, zone=zone, before=begun.where)
        if answer:
            return keep_and_go_on(lambda kept: kept.with_answer(Step.WHERE, where=answer))
    return page("notices/where.html", form=form, begun=begun, back=back_from(begun, Step.WHERE))


@blueprint.route(f"{KIND}/new/more", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_more(kind: str) -> ResponseReturnValue:
    """What to do when it is seen; and what is kept apart."""
    if (draft := answering(kind)) is None:
        return start(kind)
    begun = draft.begun
    said = vars(begun.more) | {"show_phone": bool(begun.more.shown_phone)}
    form = (LostMoreForm if begun.kind is NoticeKind.LOST else FoundMoreForm)(data=said)
    if form.validate_on_submit():
        answer, is_suspicious = form.answers(), form.is_suspicious

        def told(kept: BegunNotice) -> BegunNotice:
            return kept.with_answer(Step.MORE, more=answer, is_suspicious=kept.is_suspicious or is_suspicious)

        return keep_and_go_on(told)
    return page(
        "notices/more.html",
        form=form,
        begun=begun,
        report_by=report_by_of(begun),
        now=gateways().clock.now(),
        is_signed_in=current_resident() is not None,
        back=back_from(begun, Step.MORE),
    )


def report_by_of(begun: BegunNotice) -> datetime | None:
    """Until when the police are told, of an animal that was taken in."""
    confined_at = begun.where.confined_at if begun.where else None
    return report_by(confined_at).due_at if confined_at else None


def _begun_for(pet: Animal) -> Draft:
    return Draft(begun_for(pet), _photo_of(pet.id) if pet.photo_id else None)


def _photo_of(animal_id: UUID) -> NoticePhoto | None:
    """A copy of its picture, which goes with the notice; the record keeps its own."""
    parts = gateways()
    try:
        keys = animal_pictures(reading(), person_id=resident().person_id, animal_id=animal_id).page_keys
        let_go_of_reading()
        return copy_notice_photo(keys[0], storage=parts.storage) if keys else None
    except (NotTheirs, FileMissing, StorageUnavailable, FileRefused):
        return None
