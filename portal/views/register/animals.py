"""What each animal is like, which license year, its picture; and every other dog kept there (90.04(B)(2), 90.09)."""

from dataclasses import replace
from uuid import UUID

from flask import request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.register import AnimalForm, AnotherForm, LicenseForm, OtherDogsForm, PhotoForm
from portal.forms.sign_in import ButtonForm
from portal.ordinance.fees import license_fee
from portal.schema.animals import Sex
from portal.schema.documents import DocumentKind
from portal.schema.licenses import Delivery
from portal.services.files.accept_upload import note_upload
from portal.services.registering.steps import Place, Step
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.license_years import open_years, year_choice
from portal.views.register.blueprint import blueprint
from portal.views.register.progress import animal_of, back_from, keep_and_go_on, keep_animal, other_chips, registration
from portal.views.uploads import stored_file
from portal.views.work import gateways, transaction

ALTERED = {"yes": True, "no": False, "unknown": None}


@blueprint.route("/animals/<uuid:animal_id>", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def about(animal_id: UUID) -> ResponseReturnValue:
    """Name, breed, color, sex."""
    found = registration()
    animal = animal_of(found, animal_id)
    stored = {
        **vars(animal),
        "animal_name": animal.name,
        "is_altered": {True: "yes", False: "no", None: "unknown" if animal.name else None}[animal.is_altered],
    }
    form = form_for(AnimalForm, data=stored, other_chips=other_chips(found, animal))
    if form.validate_on_submit():
        return keep_animal(
            animal_id,
            name=form.animal_name.data,
            breed=form.breed.data,
            color=form.color.data,
            sex=Sex(form.sex.data),
            is_altered=ALTERED[form.is_altered.data],
            microchip=form.microchip.data.replace(" ", "").replace("-", "") or None,
            is_declared_dangerous_elsewhere=form.is_declared_dangerous_elsewhere.data,
        )
    return page("register/about.html", form=form, animal=animal, back=back_from(found, Place(Step.ABOUT, animal_id)))


@blueprint.route("/animals/<uuid:animal_id>/license", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def license_year(animal_id: UUID) -> ResponseReturnValue:
    """Which year, named with its dates, and how the tag gets there (90.04(B)(5))."""
    found = registration()
    animal = animal_of(found, animal_id)
    years = open_years()
    stored = animal.license_year or (years[0].number if len(years) == 1 else None)
    form = form_for(LicenseForm, data={"license_year": str(stored or ""), "delivery": animal.delivery.value})
    form.license_year.choices = [year_choice(year) for year in years]
    if form.validate_on_submit():
        chosen = int(form.license_year.data)
        return keep_animal(animal_id, license_year=chosen, delivery=Delivery(form.delivery.data))
    city = gateways().city
    fee = license_fee(city.fees, on=gateways().clock.today(), is_altered=animal.is_altered)
    back = back_from(found, Place(Step.LICENSE, animal_id))
    return page("register/license.html", form=form, animal=animal, fee=fee, back=back)


@blueprint.route("/animals/<uuid:animal_id>/photo", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def photo(animal_id: UUID) -> ResponseReturnValue:
    """A picture, or none."""
    found = registration()
    animal = animal_of(found, animal_id)
    form = form_for(PhotoForm)
    skip = ButtonForm(prefix="skip")
    if "skip-go" in request.form:
        if skip.validate_on_submit():
            return keep_animal(animal_id, photo_is_asked=True)
    elif form.validate_on_submit() and (stored := stored_file(form, kind=DocumentKind.ANIMAL_PHOTO)):
        with transaction() as db:
            upload_id = note_upload(db, stored, account_id=resident().account_id).id
        return keep_animal(animal_id, photo_upload_id=upload_id, photo_is_asked=True)
    back = back_from(found, Place(Step.PHOTO, animal_id))
    return page("register/photo.html", form=form, skip=skip, animal=animal, back=back)


@blueprint.route("/animals", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def animals() -> ResponseReturnValue:
    """Another one?"""
    found = registration()
    form = form_for(AnotherForm)
    if form.validate_on_submit():
        if form.another.data:
            return see_other(url_for("register.situation"))
        return keep_and_go_on(lambda kept: replace(kept, is_animal_list_whole=True))
    return page("register/animals.html", form=form, registration=found)


@blueprint.route("/animals/<uuid:animal_id>/remove", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def remove(animal_id: UUID) -> ResponseReturnValue:
    """Leave an animal out of this registration again."""
    found = registration()
    animal = animal_of(found, animal_id)
    form = form_for(ButtonForm)
    if form.validate_on_submit():
        return keep_and_go_on(lambda kept: kept.without_animal(animal_id))
    return page("register/remove.html", form=form, animal=animal)


@blueprint.route("/others", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def other_dogs() -> ResponseReturnValue:
    """Every other dog kept there, whoever owns it."""
    found = registration()
    stored = None
    if found.others:
        others = found.others
        are_there = others.count > 0 or others.litter_born_on is not None
        stored = {**vars(others), "are_there": are_there, "count": str(others.count)}
    form = form_for(OtherDogsForm, data=stored, today=gateways().clock.today())
    if form.validate_on_submit():
        answers = form.others()
        return keep_and_go_on(lambda kept: replace(kept, others=answers))
    return page(
        "register/other_dogs.html", form=form, registration=found, back=back_from(found, Place(Step.OTHER_DOGS))
    )
