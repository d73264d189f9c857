"""What a resident keeps: the list, where each license stands, its proof for paper."""

from collections.abc import Iterator
from uuid import UUID

from flask import current_app, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from portal.forms.sign_in import ButtonForm
from portal.gateways.qr import qr_svg
from portal.ordinance.rabies import immunized_from
from portal.services.animals.dogs_kept import AnimalKept, LicenseKept
from portal.services.animals.my_dogs import animals_of, orders_owed
from portal.services.animals.past_animals import past_animal_of
from portal.services.refusal import NotTheirs
from portal.services.registering.keep_draft import draft_of
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dogs.blueprint import blueprint, looking, mine
from portal.views.dogs.look import Look
from portal.views.dogs.tracks import next_of, tracks
from portal.views.identity import resident
from portal.views.license_years import open_years, years_wanted
from portal.views.work import reading

QR_NAME = "Square code that opens the page to check this license"


@blueprint.get("")
@open_to(Access.RESIDENT)
def index() -> ResponseReturnValue:
    """Every animal, what to pay, what was begun."""
    me, look = resident(), looking()
    animals = animals_of(reading(), person_id=me.person_id)
    draft = draft_of(reading(), account_id=me.account_id)
    return page(
        "dogs/index.html",
        form=ButtonForm(),
        email=me.email,
        lines=[(animal, issued(animal, look), next_of(tracks(animal, look))) for animal in animals],
        owed=orders_owed(animals, person_id=me.person_id),
        draft=draft if draft and (draft.animals or draft.owner) else None,
        look=look,
    )


@blueprint.get("/<uuid:animal_id>")
@open_to(Access.RESIDENT)
def show(animal_id: UUID) -> ResponseReturnValue:
    """The four tracks. One that is gone has its farewell page: older links and letters lead here."""
    try:
        animal, look = mine(animal_id), looking()
    except NotTheirs:
        gone, _ = past_animal_of(reading(), person_id=resident().person_id, animal_id=animal_id)
        return see_other(url_for("dogs.farewell", animal_id=gone.id))
    accepted = animal.accepted
    counts_from = immunized_from(accepted.given_on, accepted.dose) if accepted and accepted.given_on else None
    return page(
        "dogs/show.html",
        animal=animal,
        tracks=tracks(animal, look),
        earlier=animal.licenses[1:],
        choices=list(_choices(animal, look)),
        is_proved=bool(issued(animal, look)),
        accepted=accepted,
        counts_from=counts_from,
        look=look,
    )


@blueprint.get("/<uuid:animal_id>/proof")
@open_to(Access.RESIDENT)
def proof(animal_id: UUID) -> ResponseReturnValue:
    """A sheet an officer can check: of the license in force, else of the one that begins next, or of the year asked."""
    animal, look = mine(animal_id), looking()
    licenses = {kept.year: kept for kept in reversed(issued(animal, look))}
    if not licenses:
        return see_other(url_for("dogs.show", animal_id=animal_id))
    shown = licenses.get(request.args.get("year", type=int) or 0) or next(iter(licenses.values()))
    address = f"{current_app.config['BASE_URL']}{url_for('proof.show', code=shown.proof_code)}"
    return page(
        "dogs/proof.html",
        animal=animal,
        license=shown,
        others=[kept for kept in licenses.values() if kept is not shown],
        look=look,
        good_to=look.good_to(animal.accepted) if animal.accepted else None,
        address=address,
        square_code=Markup(qr_svg(address, name=QR_NAME)),  # noqa: S704 - drawn by us, with nothing typed in it
    )


def _choices(animal: AnimalKept, look: Look) -> Iterator[dict[str, str]]:
    """What else can be done for this dog today."""
    if animal.is_designated:
        label, href = "Dangerous-dog registration", url_for("dangerous.show", animal_id=animal.id)
        yield {"label": label, "href": href, "detail": "What is due, when, and what shows it."}
    if issued(animal, look):
        if order_id := animal.new_tag_order_id:
            detail = "You asked for it. It is made once its fee is paid."
            yield {"label": "Pay for the new tag", "href": url_for("pay.show", order_id=order_id), "detail": detail}
        else:
            label, href = "Get a new tag", url_for("dogs.duplicate_tag", animal_id=animal.id)
            yield {"label": label, "href": href, "detail": "Lost or broken."}
        label, href = "Messages from finders", url_for("dogs.found", animal_id=animal.id)
        yield {"label": label, "href": href, "detail": f"From whoever read {animal.name}’s tag."}
    lacking = years_wanted(animal, open_years()) if animal.is_dog and animal.licenses else []
    for year in lacking[-1:]:
        yield {"label": f"License for {year.label}", "href": url_for("dogs.renew", animal_id=animal.id)}
    missing = url_for("notices.lost_new", pet=animal.id)
    yield {"label": f"{animal.name} is missing", "href": missing, "detail": "Everybody can see it in a minute."}
    yield {"label": f"Who keeps {animal.name}", "href": url_for("dogs.keepers", animal_id=animal.id)}
    if not animal.is_designated:
        label = f"Another picture of {animal.name}, or none" if animal.photo_id else f"Add a picture of {animal.name}"
        yield {"label": label, "href": url_for("dogs.photo", animal_id=animal.id)}
    label = f"Correct what is on record of {animal.name}"
    yield {"label": label, "href": url_for("dogs.details", animal_id=animal.id)}
    label = f"{animal.name} died, moved or has a new home"
    yield {"label": label, "href": url_for("dogs.gone", animal_id=animal.id)}


def issued(animal: AnimalKept, look: Look) -> list[LicenseKept]:
    """Licenses that are issued and not over, the newest first."""
    return [kept for kept in animal.licenses if kept.is_issued and kept.valid_until >= look.on]
