"""A designated dog: its designation, each requirement, the appointment for its photograph, its certificate (90.13)."""

from datetime import date
from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue

from portal.forms.desk import DecisionForm, PhotographForm
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import RowState
from portal.schema.animals import Animal
from portal.schema.dangerous import DangerousRegistration
from portal.services.dangerous.certify_dangerous_dog import certify
from portal.services.dangerous.decide_requirement import set_photograph
from portal.services.dangerous.dog import dangerous_dog_at_desk
from portal.services.dangerous.handed_over import last_handed_over
from portal.services.dangerous.notice_wanted import notice_wanted
from portal.services.desk.seen import expect_version, version_of
from portal.services.households.tell_gone import standing_departure
from portal.views.answers import page, see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import say
from portal.views.desk.entry import Entry, entry_page
from portal.views.desk.existing import existing
from portal.views.desk.facts import row
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.words import day, moment
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("dangerous_dogs", __name__, url_prefix=f"{PREFIX}/dangerous-dogs")

STATES = {
    RowState.NOT_YET: "plain",
    RowState.SENT: "warning",
    RowState.ACCEPTED: "good",
    RowState.SENT_BACK: "warning",
    RowState.WAIVED: "good",
    RowState.NOT_APPLICABLE: "good",
}


@blueprint.get("/<uuid:animal_id>")
@open_to(Desk.OFFICER)
def show(animal_id: UUID) -> ResponseReturnValue:
    """Everything that is asked of it, and where each stands."""
    city, clock = gateways().city, gateways().clock
    dog = dangerous_dog_at_desk(reading(), animal_id=animal_id, city=city, clock=clock)
    gone = standing_departure(reading(), animal_id) or last_handed_over(reading(), animal_id)
    wanted = notice_wanted(reading(), gone, city=city) if gone else None
    if gone and gone.undone_at and (wanted is None or wanted.given):
        gone = None  # another keeps it, and nothing is missing
    return page("desk/dangerous_dog.html", dog=dog, states=STATES, today=clock.today(), gone=gone, wanted=wanted)


@blueprint.route("/years/<uuid:year_id>/photograph", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def photograph(year_id: UUID) -> ResponseReturnValue:
    """When and where the dog is photographed; the keepers are told (90.13(H)(10))."""
    year, animal = _year(year_id)
    form, city = PhotographForm(), gateways().city
    on: date | None = form.day.data
    if form.validate_on_submit() and on and (at := form.time.instant(on, city.time_zone)):
        with form.refusals():
            with transaction() as db:
                expect_version(db, DangerousRegistration, year_id, form.seen.data or "")
                set_photograph(
                    db,
                    registration_id=year_id,
                    at=at.astimezone(city.time_zone),
                    place=form.place.data,
                    officer=member().email,
                    city=city,
                    clock=gateways().clock,
                )
            say("Set. The keepers are told by e-mail.")
            return see_other(url_for("dangerous_dogs.show", animal_id=animal.id))
    form.seen.data = version_of(reading(), DangerousRegistration, year_id)
    at_now = f"{moment(year.photograph_at)}, {year.photograph_place}" if year.photograph_at else "Not set yet"
    return entry_page(
        form,
        Entry(
            heading=f"Photograph of {animal.name}",
            back=url_for("dangerous_dogs.show", animal_id=animal.id),
            back_label=animal.name,
            button="Set the appointment",
            rule=Rule.DANGEROUS_PHOTOGRAPH,
            rows=(row("Appointment", at_now),),
        ),
    )


@blueprint.route("/years/<uuid:year_id>/certificate", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def certificate(year_id: UUID) -> ResponseReturnValue:
    """Issue the certificate, once every requirement is settled; the keepers are told."""
    year, animal = _year(year_id)
    form, city, clock = DecisionForm(), gateways().city, gateways().clock
    if form.validate_on_submit():
        seen = form.seen.data or ""
        with form.refusals():
            with transaction() as db:
                certified = certify(
                    db,
                    registration_id=year_id,
                    officer=member().email,
                    version=int(seen) if seen.isascii() and seen.isdigit() else 0,
                    city=city,
                    clock=clock,
                )
                until = certified.certificate_until
            say(f"The certificate is issued, good until {day(until)}. The keepers are told by e-mail.")
            return see_other(url_for("dangerous_dogs.show", animal_id=animal.id))
    # Its rows are locked before the year, so the year's own count says what was seen.
    form.seen.data = str(year.version)
    return entry_page(
        form,
        Entry(
            heading=f"Certificate of {animal.name}",
            back=url_for("dangerous_dogs.show", animal_id=animal.id),
            back_label=animal.name,
            button="Issue the certificate",
            rule=Rule.DANGEROUS_REGISTRATION,
            rows=(
                row("Year", f"{day(year.starts_on)} to {day(year.ends_on)}"),
                row("Sent by its owner", moment(year.sent_at) if year.sent_at else "Not yet"),
                row("Certificate", f"until {day(year.certificate_until)}" if year.certificate_until else "None yet"),
            ),
            notes=("It can be issued once every requirement is settled. Its keepers print it themselves.",),
        ),
    )


def _year(year_id: UUID) -> tuple[DangerousRegistration, Animal]:
    year = existing(DangerousRegistration, year_id, "year")
    return year, reading().get_one(Animal, year.animal_id)
