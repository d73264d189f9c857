"""The pound at the desk: what is there, what came in, whose it is, who was told, and what left (90.07)."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from flask import Blueprint, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from portal.forms.base import PortalForm
from portal.forms.desk import DecisionForm
from portal.forms.desk_officer import IdentifyForm, ImpoundForm, ReleaseForm, ToldForm
from portal.forms.desk_records import ReasonForm
from portal.ordinance.citation import Rule
from portal.schema.animals import Animal, AnimalState, Sex
from portal.schema.documents import DocumentKind
from portal.schema.impoundments import ImpoundBasis, Impoundment, ImpoundOutcome, OwnerTold
from portal.schema.notices import Size
from portal.services.desk.readings import Confidential, is_reading, note_reading, parties_of, readings_of
from portal.services.desk.searching import search
from portal.services.desk.seen import expect_version, version_of
from portal.services.pound.impound import Intake, Party, identify, note_owner_told, release, stays, take_in
from portal.services.pound.reclaiming import Reclaiming, reclaiming
from portal.services.reports.rows import derived_key
from portal.views.answers import page, see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import say
from portal.views.desk.entry import Entry, entry_page
from portal.views.desk.existing import existing
from portal.views.desk.facts import row
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.uploads import stored_file
from portal.views.words import day
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("pound", __name__, url_prefix=f"{PREFIX}/pound")

SEVERAL = "More than one animal fits. Type its tag with the year, or its whole microchip"
NOBODY = "No animal that is kept here fits"


@blueprint.get("")
@open_to(Desk.OFFICER)
def show_all() -> ResponseReturnValue:
    """Every animal that is there, those that came first first."""
    return page("desk/pound.html", lines=[(stay, _reclaiming(stay)) for stay in stays(reading())])


@blueprint.route("/new", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def new() -> ResponseReturnValue:
    """Write down an animal that came in; `?animal=` is the registered one it is."""
    animal = _registered(request.args.get("animal"))
    form = ImpoundForm(today=gateways().clock.today(), data=_known(animal) if animal else {})
    if form.validate_on_submit() and (answer := _take_in(form, animal)):
        return answer
    return entry_page(
        form,
        Entry(
            heading=f"{animal.name} comes to the pound" if animal else "An animal comes to the pound",
            back=url_for("pound.show_all"),
            back_label="The pound",
            button="Write it down",
            rule=Rule.IMPOUND_RECORDS,
            has_file=True,
        ),
    )


@blueprint.get("/<uuid:stay_id>")
@open_to(Desk.OFFICER)
def show(stay_id: UUID) -> ResponseReturnValue:
    """All that is written down of one animal, but whom it came from and went to."""
    stay = _stay(stay_id)
    animal = reading().get(Animal, stay.animal_id) if stay.animal_id else None
    return page("desk/stay.html", stay=stay, animal=animal, reclaiming=_reclaiming(stay))


@blueprint.route("/<uuid:stay_id>/parties", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def parties(stay_id: UUID) -> ResponseReturnValue:
    """First why, then whom it came from and went to (346.47)."""
    stay, form, clock = _stay(stay_id), ReasonForm(), gateways().clock
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            note_reading(db, stay, Confidential.PARTIES, why=form.why.data, member=member(), clock=clock)
            return see_other(url_for("pound.parties", stay_id=stay.id))
    if is_reading(reading(), stay.id, Confidential.PARTIES, member=member(), clock=clock):
        reads = readings_of(reading(), stay.id, Confidential.PARTIES)
        return page("desk/parties.html", stay=stay, parties=parties_of(reading(), stay.id), reads=reads)
    heading = "Whom it came from and went to"
    return page("desk/why.html", form=form, heading=heading, back=url_for("pound.show", stay_id=stay.id))


@blueprint.route("/<uuid:stay_id>/told", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def told(stay_id: UUID) -> ResponseReturnValue:
    """The owner was told (90.07(B))."""
    form = ToldForm(today=gateways().clock.today())
    if form.validate_on_submit():
        with form.refusals(), _deciding(stay_id, form) as db:
            how, on = OwnerTold(form.how.data), form.on.data
            note_owner_told(db, impoundment_id=stay_id, how=how, on=on, officer=member().email, clock=gateways().clock)
            return _noted(stay_id, "Noted that its owner was told.")
    return _entry_page(form, stay_id, "Its owner was told", "Note it", Rule.IMPOUND_NOTICE)


@blueprint.route("/<uuid:stay_id>/left", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def left(stay_id: UUID) -> ResponseReturnValue:
    """It left; its page on the portal is over, and its record stays (90.07(E))."""
    form = ReleaseForm(today=gateways().clock.today())
    if form.validate_on_submit() and _is_whole(form, "to_name", "to_address"):
        with form.refusals(), _deciding(stay_id, form) as db:
            release(
                db,
                impoundment_id=stay_id,
                outcome=ImpoundOutcome(form.outcome.data),
                on=form.on.data,
                to=_party(form.to_name.data, form.to_address.data),
                officer=member().email,
                clock=gateways().clock,
            )
            return _noted(stay_id, "It has left the pound.")
    return _entry_page(form, stay_id, "It left the pound", "Note it", Rule.IMPOUND_RECORDS)


@blueprint.route("/<uuid:stay_id>/animal", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def whose(stay_id: UUID) -> ResponseReturnValue:
    """Which registered animal it is; its keepers are written to besides."""
    form = IdentifyForm()
    if form.validate_on_submit():
        found = [dog for dog in search(reading(), form.animal.data).dogs if dog.state is AnimalState.KEPT]
        if len(found) != 1:
            form.refuse("animal", SEVERAL if found else NOBODY)
        else:
            with form.refusals(), _deciding(stay_id, form) as db:
                identify(db, impoundment_id=stay_id, animal_id=found[0].id, officer=member().email)
                return _noted(stay_id, f"It is {found[0].name}. Its keepers are written to.")
    return _entry_page(form, stay_id, "Which registered animal is it?", "This one", Rule.IMPOUND_NOTICE)


def _take_in(form: ImpoundForm, animal: Animal | None) -> ResponseReturnValue | None:
    """None when the form has to be shown again."""
    if not _is_whole(form, "from_name", "from_address"):
        return None
    photo = None
    if form.file.data:
        photo = stored_file(form, kind=DocumentKind.ANIMAL_PHOTO, sender=str(member().staff_id))
        if photo is None:
            return None
    intake = Intake(
        key=derived_key(form.key, "impoundment"),
        basis=ImpoundBasis(form.basis.data),
        seized_on=form.seized_on.data or gateways().clock.today(),
        sex=Sex(form.sex.data) if form.sex.data else None,
        size=Size(form.size.data) if form.size.data else None,
        microchip=form.microchip.data or None,
        tag_text=form.tag_text.data or None,
        animal_id=animal.id if animal else None,
        photo=photo,
        received_from=_party(form.from_name.data, form.from_address.data),
        **{name: form[name].data for name in ("species", "breed", "color", "age_text", "marks", "place", "area")},
    )
    with form.refusals(), transaction() as db:
        stay = take_in(db, intake, officer=member().email, clock=gateways().clock)
        return _noted(stay.id, "It is written down.")
    return None


def _noted(stay_id: UUID, sentence: str) -> ResponseReturnValue:
    say(sentence)
    return see_other(url_for("pound.show", stay_id=stay_id))


@contextmanager
def _deciding(stay_id: UUID, form: DecisionForm) -> Iterator[Session]:
    """The one transaction; the stay must be as it was seen."""
    with transaction() as db:
        expect_version(db, Impoundment, stay_id, form.seen.data or "")
        yield db


def _entry_page(form: DecisionForm, stay_id: UUID, heading: str, button: str, rule: str) -> ResponseReturnValue:
    stay = _stay(stay_id)
    form.seen.data = version_of(reading(), Impoundment, stay_id)
    looks = ", ".join(filter(None, (stay.species, stay.breed, stay.color, stay.marks)))
    rows = (row("Animal", looks), row("Came", day(stay.seized_on)))
    back = url_for("pound.show", stay_id=stay_id)
    return entry_page(
        form, Entry(heading=heading, back=back, back_label="The animal", button=button, rule=rule, rows=rows)
    )


def _is_whole(form: PortalForm, name: str, address: str) -> bool:
    """346.47 asks for both, so one without the other is asked for again."""
    if bool(form[name].data) == bool(form[address].data):
        return True
    form.refuse(address if form[name].data else name, "Enter both the name and the address, or neither")
    return False


def _party(name: str, address: str) -> Party | None:
    return Party(name, address) if name and address else None


def _known(animal: Animal) -> dict[str, str | None]:
    """What the register says of it, for the officer to look at."""
    return {
        "species": animal.species.value,
        "breed": animal.breed,
        "color": animal.color,
        "sex": animal.sex.value,
        "microchip": animal.microchip,
    }


def _registered(typed: str | None) -> Animal | None:
    try:
        key = UUID(typed) if typed else None
    except ValueError:
        return None
    return reading().get(Animal, key) if key else None


def _stay(stay_id: UUID) -> Impoundment:
    return existing(Impoundment, stay_id, "animal at the pound")


def _reclaiming(stay: Impoundment) -> Reclaiming:
    return reclaiming(
        stay.seized_on, needs_license=False, city=gateways().city, on=stay.left_on or gateways().clock.today()
    )
