"""An officer demands a dog's certificate, and notes that the paper was shown (90.04(D)(2))."""

from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue

from portal.forms.desk_officer import DemandForm, ShownForm
from portal.ordinance.citation import Rule
from portal.schema.animals import Animal
from portal.schema.clinics import CertificateDemand
from portal.services.certificates.demand_certificate import demand_certificate, show_to_officer
from portal.services.desk.seen import expect_version, version_of
from portal.services.reports.rows import derived_key
from portal.views.answers import see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import say
from portal.views.desk.entry import Entry, entry_page
from portal.views.desk.existing import existing
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.words import day
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("demands", __name__, url_prefix=PREFIX)


@blueprint.route("/dogs/<uuid:animal_id>/demand", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def new(animal_id: UUID) -> ResponseReturnValue:
    """Demand it; the keepers are told by which day to show it."""
    animal = _animal(animal_id)
    form = DemandForm(today=gateways().clock.today())
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            demand = demand_certificate(
                db,
                animal_id=animal.id,
                officer=member().email,
                demanded_on=form.demanded_on.data,
                key=derived_key(form.key, "demand"),
                city=gateways().city,
                clock=gateways().clock,
            )
            say(f"Demanded. The keepers are told to show it by {day(demand.show_by)}; later is taken, and marked.")
            return see_other(url_for("dogs.show", animal_id=animal.id))
    return entry_page(form, _entry(animal, f"Demand the certificate of {animal.name}", "Demand it"))


@blueprint.route("/demands/<uuid:demand_id>/shown", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def shown(demand_id: UUID) -> ResponseReturnValue:
    """The paper itself was shown."""
    demand = existing(CertificateDemand, demand_id, "demand")
    animal, form = _animal(demand.animal_id), ShownForm(today=gateways().clock.today())
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            expect_version(db, CertificateDemand, demand_id, form.seen.data or "")
            noted = show_to_officer(
                db,
                demand_id=demand_id,
                officer=member().email,
                shown_on=form.shown_on.data,
                clock=gateways().clock,
            )
            say("Noted as shown, late." if noted.is_late else "Noted as shown.")
            return see_other(url_for("dogs.show", animal_id=animal.id))
    form.seen.data = version_of(reading(), CertificateDemand, demand_id)
    return entry_page(form, _entry(animal, f"The certificate of {animal.name} was shown", "Note it"))


def _animal(animal_id: UUID) -> Animal:
    return existing(Animal, animal_id, "animal")


def _entry(animal: Animal, heading: str, button: str) -> Entry:
    back = url_for("dogs.show", animal_id=animal.id)
    return Entry(heading=heading, back=back, back_label=animal.name, button=button, rule=Rule.CERTIFICATE)
