"""Renew, or apply for a dog that is registered already: the whole household at once (90.04(B))."""

from uuid import UUID

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.forms.fields import choice
from portal.forms.renew import RenewForm
from portal.ordinance.citation import Rule
from portal.ordinance.fees import Fee, license_fee
from portal.ordinance.license_years import LicenseYear
from portal.schema.licenses import Delivery, LicenseBasis
from portal.services.animals.dogs_kept import AnimalKept
from portal.services.animals.my_dogs import animals_of
from portal.services.licensing.renew_licenses import RenewalAsked, basis_now, renew_licenses
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dogs.blueprint import blueprint, looking, mine
from portal.views.dogs.look import Look
from portal.views.dogs.tracks import certificate_track
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.license_years import late_fees, open_years, year_choice, years_lacked, years_wanted
from portal.views.work import gateways, reading, transaction


@blueprint.route("/<uuid:animal_id>/renew", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def renew(animal_id: UUID) -> ResponseReturnValue:
    """Which dogs, which year, and pay once."""
    parts, me, look = gateways(), resident(), looking()
    animal = mine(animal_id)
    years = open_years()
    dogs = [kept for kept in animals_of(reading(), person_id=me.person_id) if kept.is_dog]
    wanting = [kept for kept in dogs if years_wanted(kept, years)]
    form = form_for(RenewForm, data=_stored(animal, wanting, years))
    # What was sent may be a form sent before: the service knows it again, or says what is licensed already.
    dogs_shown, years_shown = (dogs, years) if form.is_submitted() else (wanting, years_lacked(wanting, years))
    form.animals.choices = [choice(str(kept.id), kept.name) for kept in dogs_shown]
    form.license_year.choices = [year_choice(year) for year in years_shown]
    if form.validate_on_submit():
        asked = RenewalAsked(
            animal_ids=tuple(UUID(chosen) for chosen in form.animals.data),
            year=int(form.license_year.data),
            delivery=Delivery(form.delivery.data),
        )
        with form.refusals():
            with transaction() as db:
                order_id = renew_licenses(
                    db,
                    asked,
                    account_id=me.account_id,
                    person_id=me.person_id,
                    submission_key=form.key,
                    city=parts.city,
                    clock=parts.clock,
                )
            return see_other(url_for("pay.show", order_id=order_id) if order_id else url_for("dogs.index"))
    if not wanting and not form.problems:
        return page("dogs/nothing_to_renew.html", animal=animal)
    free = [kept for kept in wanting if basis_now(reading(), kept.id) is not LicenseBasis.FEE]
    paying = [kept for kept in wanting if kept not in free]
    return page(
        "dogs/renew.html",
        form=form,
        animal=animal,
        certificates=[(kept, certificate_track(kept, look)) for kept in wanting],
        free=free,
        fees=[(kept, _fee(kept, look)) for kept in paying],
        late=late_fees(paying, years, person_id=me.person_id),
        rule=Rule.LICENSE_FEE,
    )


def _fee(kept: AnimalKept, look: Look) -> Fee:
    """What its license costs today: by whether it is altered, where a resolution says so (90.18)."""
    return license_fee(look.city.fees, on=look.on, is_altered=kept.is_altered)


def _stored(animal: AnimalKept, wanting: list[AnimalKept], years: tuple[LicenseYear, ...]) -> dict[str, object]:
    """Every dog that needs it ticked; the year that this one lacks, chosen when there is but one."""
    lacking = years_wanted(animal, years)
    return {
        "animals": [str(kept.id) for kept in wanting],
        "license_year": str(lacking[0].number) if len(lacking) == 1 else None,
        "delivery": animal.licenses[0].delivery.value if animal.licenses else "mail",
    }
