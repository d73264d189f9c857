"""A dog with its keepers, licenses, certificates and history; an officer sees demands, pound and designations too."""

from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue

from portal.forms.desk_counter import CertificateAtCounterForm
from portal.ordinance.citation import Rule
from portal.schema.animals import Animal
from portal.schema.staff import StaffRole
from portal.services.certificates.good_to import vaccination_good_to
from portal.services.desk.records import dog_record
from portal.services.files.accept_upload import StoredUpload
from portal.services.registering.certificate_at_counter import take_certificate
from portal.services.reports.rows import derived_key
from portal.views.answers import page, see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import may_see, say
from portal.views.desk.entry import Entry, entry_page
from portal.views.desk.existing import existing
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.desk.scans import scan_of
from portal.views.words import day
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("dogs", __name__, url_prefix=f"{PREFIX}/dogs")


@blueprint.get("/<uuid:animal_id>")
@open_to(Desk.CLERK)
def show(animal_id: UUID) -> ResponseReturnValue:
    """Everything about it that the role may see."""
    is_officer = may_see(member(), StaffRole.OFFICER)
    record = dog_record(reading(), animal_id, for_officer=is_officer)
    return page("desk/dog.html", record=record, is_officer=is_officer)


@blueprint.route("/<uuid:animal_id>/certificate", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def certificate(animal_id: UUID) -> ResponseReturnValue:
    """Its keeper brings the certificate to the counter."""
    animal = existing(Animal, animal_id, "animal")
    form = CertificateAtCounterForm(today=gateways().clock.today())
    is_valid = form.validate_on_submit()
    scan = scan_of(form)
    if is_valid and not form.problems and (answer := _take(form, animal, scan)):
        return answer
    entry = Entry(
        heading=f"The certificate of {animal.name} at the counter",
        back=url_for("dogs.show", animal_id=animal.id),
        back_label=animal.name,
        button="Take it",
        rule=Rule.CERTIFICATE,
        has_file=True,
    )
    return entry_page(form, entry)


def _take(form: CertificateAtCounterForm, animal: Animal, scan: StoredUpload | None) -> ResponseReturnValue | None:
    """None when the form has to be shown again."""
    city, clock = gateways().city, gateways().clock
    with form.refusals(), transaction() as db:
        taken = take_certificate(
            db,
            animal.id,
            form.certificate(is_shown=True),
            scan=scan,
            key=derived_key(form.key, "certificate"),
            officer=member().email,
            city=city,
            clock=clock,
        )
        good_to = vaccination_good_to(taken, city)
        is_over = good_to is not None and good_to < clock.today()
        counts = (
            f"It was good to {day(good_to)}, so no license is issued on it." if is_over else "It counts from now on."
        )
        say(f"Taken. {counts}")
        return see_other(url_for("dogs.show", animal_id=taken.animal_id))
    return None
