"""Written notices: a move, a new owner, a death; before it and once it has happened (90.13(H)(12), (14), (N))."""

from uuid import UUID

from flask import request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.dangerous_notices import NOTICE_FORMS, NoticeForm
from portal.ordinance import periods
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous_days import report_by
from portal.schema.dangerous_notices import DangerousNotice, NoticeKind
from portal.services.dangerous.days_to_know import unconfirmed
from portal.services.dangerous.dog import DangerousDog
from portal.services.dangerous.tell_dangerous_notice import tell_dangerous_notice
from portal.services.refusal import NotTheirs
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dangerous.blueprint import blueprint, designated, keeper_id
from portal.views.dogs.blueprint import looking, mine
from portal.views.kept_answers import form_for
from portal.views.work import gateways, transaction


@blueprint.get("/dogs/<uuid:animal_id>/dangerous/tell")
@open_to(Access.RESIDENT)
def tell(animal_id: UUID) -> ResponseReturnValue:
    """What was told so far, and what there is to tell or to confirm."""
    animal, dog = mine(animal_id), designated(animal_id)
    labels = {
        NoticeKind.MOVE: f"{animal.name} moves, or moved",
        NoticeKind.TRANSFER: f"{animal.name} gets a new owner, or got one",
        NoticeKind.DEATH: f"{animal.name} died",
    }
    choices = [
        {"href": url_for("dangerous.tell_one", animal_id=animal_id, kind=kind.value), "label": label}
        for kind, label in labels.items()
    ]
    today = gateways().clock.today()
    happened = {one.id for one in unconfirmed(dog) if one.happens_on <= today}
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
    animal, dog, parts = mine(animal_id), designated(animal_id), gateways()
    wanted = _known(kind)
    named = request.args.get("confirms")
    confirms = next((one for one in unconfirmed(dog) if one.kind is wanted and str(one.id) == named), None)
    form: NoticeForm = form_for(NOTICE_FORMS[wanted], today=parts.clock.today(), data=_before(confirms, animal.mail_to))
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
    animal, dog, look = mine(animal_id), designated(animal_id), looking()
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
    animal, dog = mine(animal_id), designated(animal_id)
    notice = _one(dog, notice_id)
    if notice.affidavit_asked_at is None:
        raise NotTheirs("Nobody asked for it")
    return page("dangerous/affidavit.html", animal=animal, dog=dog, told=notice, Rule=Rule)


def _known(kind: str) -> NoticeKind:
    try:
        return NoticeKind(kind)
    except ValueError:
        raise NotTheirs("No such notice") from None


def _one(dog: DangerousDog, notice_id: UUID) -> DangerousNotice:
    for notice in dog.notices:
        if notice.id == notice_id:
            return notice
    raise NotTheirs("No such notice")


def _before(confirms: DangerousNotice | None, mail_to: str) -> dict[str, object]:
    """What was told before is not asked again."""
    if confirms is None:
        return {"owner_address": mail_to}
    names = ("happens_on", "owner_name", "owner_address", "new_address", "leaves_city", "new_owner_name")
    more = ("new_owner_address", "new_owner_phone", "new_owner_was_told")
    return {name: getattr(confirms, name) for name in (*names, *more)}
