"""Written notices: a move, a new owner, a death; before it and once it has happened (90.13(H)(12), (14), (N)).

A dog that its keepers told is gone has its notice too: what was said of it then may be put in writing on any day after.
So has one that another keeps by now, of whoever gave it away.
"""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from flask import request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.dangerous_notices import NOTICE_FORMS, NoticeForm
from portal.ordinance import periods
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous_days import report_by
from portal.schema.dangerous_notices import DangerousNotice, NoticeKind
from portal.schema.departures import Departure
from portal.schema.people import Person
from portal.services.animals.past_animals import past_animal_of
from portal.services.dangerous.days_to_know import unconfirmed
from portal.services.dangerous.dog import DangerousDog
from portal.services.dangerous.handed_over import HandedOver, handed_over
from portal.services.dangerous.notice_wanted import WRITTEN
from portal.services.dangerous.tell_dangerous_notice import tell_dangerous_notice
from portal.services.owners.record_owner import answers_of_person
from portal.services.refusal import NotTheirs
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dangerous.blueprint import blueprint, designated, keeper_id
from portal.views.dogs.blueprint import looking, mine
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.work import gateways, reading, transaction

LABELS = {
    NoticeKind.MOVE: "{name} moves, or moved",
    NoticeKind.TRANSFER: "{name} gets a new owner, or got one",
    NoticeKind.DEATH: "{name} died",
}


@dataclass(frozen=True)
class Told:
    """A dog that is told of: one that is kept, or one that is gone with what became of it."""

    id: UUID
    name: str
    mail_to: str
    departure: Departure | None = None

    @property
    def kinds(self) -> tuple[NoticeKind, ...]:
        """What there is to tell of it; of one that is gone, what goes with that."""
        return (WRITTEN[self.departure.kind],) if self.departure else tuple(LABELS)

    @property
    def is_anothers(self) -> bool:
        """Whether it was given away to somebody who is recorded by now."""
        return self.departure is not None and self.departure.undone_at is not None

    @property
    def back(self) -> str:
        """The page it is told from."""
        if self.is_anothers:
            return url_for("dogs.past")
        return url_for("dogs.farewell" if self.departure else "dangerous.show", animal_id=self.id)


@blueprint.get("/dogs/<uuid:animal_id>/dangerous/tell")
@open_to(Access.RESIDENT)
def tell(animal_id: UUID) -> ResponseReturnValue:
    """What was told so far, and what there is to tell or to confirm."""
    animal, dog = _whose(animal_id)
    choices = [
        {
            "href": url_for("dangerous.tell_one", animal_id=animal_id, kind=kind.value),
            "label": LABELS[kind].format(name=animal.name),
        }
        for kind in animal.kinds
    ]
    today = gateways().clock.today()
    happened = {one.id for one in unconfirmed(dog.notices) if one.happens_on <= today}
    return page(
        "dangerous/tell.html",
        animal=animal,
        dog=dog,
        choices=choices,
        to_confirm=happened if dog.designation.is_dangerous else set(),
        periods=periods,
        Rule=Rule,
    )


@blueprint.route("/dogs/<uuid:animal_id>/dangerous/tell/<kind>", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def tell_one(animal_id: UUID, kind: str) -> ResponseReturnValue:
    """One notice. It is taken on any day, and marked when it is late."""
    (animal, dog), parts = _whose(animal_id), gateways()
    wanted = _known(kind)
    if animal.is_anothers and wanted not in animal.kinds:
        raise NotTheirs("Another keeps this dog")
    named = request.args.get("confirms")
    confirms = next((one for one in unconfirmed(dog.notices) if one.kind is wanted and str(one.id) == named), None)
    form: NoticeForm = form_for(NOTICE_FORMS[wanted], today=parts.clock.today(), data=_before(confirms, animal))
    if form.validate_on_submit():
        with form.refusals():
            with transaction() as db:
                told = tell_dangerous_notice(
                    db,
                    form.told_notice(wanted, confirms_id=confirms.id if confirms else None),
                    animal_id=animal_id,
                    person_id=keeper_id(),
                    city=parts.city,
                    clock=parts.clock,
                )
                notice_id = told.id
            return see_other(url_for("dangerous.told", animal_id=animal_id, notice_id=notice_id))
    return page(
        "dangerous/tell_one.html",
        form=form,
        animal=animal,
        dog=dog,
        kind=wanted,
        confirms=confirms,
        periods=periods,
        Rule=Rule,
    )


@blueprint.get("/dogs/<uuid:animal_id>/dangerous/told/<uuid:notice_id>")
@open_to(Access.RESIDENT)
def told(animal_id: UUID, notice_id: UUID) -> ResponseReturnValue:
    """The receipt, and what comes next."""
    (animal, dog), look = _whose(animal_id), looking()
    notice = _one(dog, notice_id)
    return page(
        "dangerous/told.html",
        animal=animal,
        dog=dog,
        told=notice,
        is_before=notice.happens_on > look.civil(notice.created_at),
        confirm_by=report_by(notice.happens_on, look.city.calendar).show_by,
        periods=periods,
        Rule=Rule,
    )


@blueprint.get("/dogs/<uuid:animal_id>/dangerous/told/<uuid:notice_id>/affidavit")
@open_to(Access.RESIDENT)
def affidavit(animal_id: UUID, notice_id: UUID) -> ResponseReturnValue:
    """A form to print and to sign before a notary, only where animal control asked for it (347.52(c))."""
    animal, dog = _whose(animal_id)
    notice = _one(dog, notice_id)
    if notice.affidavit_asked_at is None:
        raise NotTheirs("Nobody asked for it")
    return page("dangerous/affidavit.html", animal=animal, dog=dog, told=notice, Rule=Rule)


def _whose(animal_id: UUID) -> tuple[Told, DangerousDog | HandedOver]:
    """A dog of this resident, one of theirs that is gone, or one they gave away; anyone else's is not found."""
    try:
        kept = mine(animal_id)
    except NotTheirs:
        return _gone(animal_id)
    return Told(kept.id, kept.name, kept.mail_to), designated(animal_id)


def _gone(animal_id: UUID) -> tuple[Told, DangerousDog | HandedOver]:
    person_id = resident().person_id
    try:
        gone, departure = past_animal_of(reading(), person_id=person_id, animal_id=animal_id)
    except NotTheirs:
        given = handed_over(reading(), person_id=person_id, animal_id=animal_id)
        return Told(given.animal.id, given.animal.name, _mail_to(), given.departure), given
    return Told(gone.id, gone.name, _mail_to(), departure), designated(animal_id)


def _mail_to() -> str:
    known = answers_of_person(reading(), reading().get_one(Person, keeper_id()))
    if known is None:
        return ""
    _, home = known
    return home.mailing_address or " ".join(filter(None, (home.line1, home.unit)))


def _known(kind: str) -> NoticeKind:
    try:
        return NoticeKind(kind)
    except ValueError:
        raise NotTheirs("No such notice") from None


def _one(dog: DangerousDog | HandedOver, notice_id: UUID) -> DangerousNotice:
    for notice in dog.notices:
        if notice.id == notice_id:
            return notice
    raise NotTheirs("No such notice")


def _before(confirms: DangerousNotice | None, animal: Told) -> dict[str, object]:
    """What was told before is not asked again."""
    if confirms is None:
        happened_on: date | None = animal.departure.happened_on if animal.departure else None
        return {"owner_address": animal.mail_to, "happens_on": happened_on}
    names = ("happens_on", "owner_name", "owner_address", "new_address", "leaves_city", "new_owner_name")
    more = ("new_owner_address", "new_owner_phone", "new_owner_was_told")
    return {name: getattr(confirms, name) for name in (*names, *more)}
