"""The picture of a registered animal is shown, replaced or taken away by who keeps it (90.04(B)(2))."""

from uuid import UUID

from flask import request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.dogs import PetPhotoForm
from portal.forms.sign_in import ButtonForm
from portal.schema.documents import DocumentKind
from portal.services.animals.change_photo import change_photo
from portal.services.files.accept_upload import StoredUpload, note_upload
from portal.services.files.kept_pictures import animal_pictures
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dogs.blueprint import blueprint, mine
from portal.views.files import picture as stored_picture
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.uploads import stored_file
from portal.views.work import gateways, reading, transaction


@blueprint.route("/<uuid:animal_id>/photo", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def photo(animal_id: UUID) -> ResponseReturnValue:
    """Another one, or none. The city has its own of a designated dog."""
    animal = mine(animal_id)
    form, remove = form_for(PetPhotoForm), ButtonForm(prefix="remove")
    if "remove-go" in request.form:
        if remove.validate_on_submit():
            with remove.refusals():
                return _show(animal_id, None)
    elif form.validate_on_submit() and (stored := stored_file(form, kind=DocumentKind.ANIMAL_PHOTO)):
        with form.refusals():
            return _show(animal_id, stored)
    return page("dogs/photo.html", form=remove if remove.problems else form, photo=form, remove=remove, animal=animal)


@blueprint.get("/<uuid:animal_id>/picture.jpg")
@open_to(Access.RESIDENT)
def picture(animal_id: UUID) -> ResponseReturnValue:
    """Its photo, small."""
    keys = animal_pictures(reading(), person_id=resident().person_id, animal_id=animal_id)
    return stored_picture(keys.thumbnail_key, keys.page_keys, 0)


def _show(animal_id: UUID, stored: StoredUpload | None) -> ResponseReturnValue:
    me = resident()
    with transaction() as db:
        upload = note_upload(db, stored, account_id=me.account_id) if stored else None
        change_photo(db, upload, animal_id=animal_id, person_id=me.person_id, city=gateways().city)
    return see_other(url_for("dogs.show", animal_id=animal_id))
