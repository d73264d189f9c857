"""Name, phone and address: shown, and changed a page each (90.04(B)(2))."""

from typing import Any
from uuid import UUID

from flask import request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.fields import choice
from portal.forms.household import DetailsForm, MoveForm
from portal.ordinance import periods
from portal.schema.accounts import Account
from portal.schema.animals import Animal
from portal.schema.people import PremisesKind
from portal.services.accounts.change_email import email_change_of
from portal.services.dangerous.notice_wanted import designated_now
from portal.services.draft_answers import HomeAnswers, OwnerAnswers
from portal.services.owners.change_record import Moving, change_owner, move, moving_with
from portal.services.owners.record_owner import answers_of
from portal.services.owners.record_seen import mark_of
from portal.services.refusal import NotTheirs
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.me.blueprint import blueprint
from portal.views.work import gateways, reading, transaction


@blueprint.get("")
@open_to(Access.RESIDENT)
def index() -> ResponseReturnValue:
    """Everything about oneself, each with a way to change it."""
    me = resident()
    known = answers_of(reading(), reading().get_one(Account, me.account_id))
    owner, home = known or (None, None)
    changing = email_change_of(reading(), account_id=me.account_id, clock=gateways().clock)
    return page("me/index.html", owner=owner, home=home, email=me.email, changing=changing)


@blueprint.route("/details", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def details() -> ResponseReturnValue:
    """Name, phone, and who answers for a keeper under 18."""
    owner, _ = _known()
    stored = {**vars(owner), "owner_name": owner.name, "is_adult": not owner.is_minor, "seen": mark_of(owner)}
    form = form_for(DetailsForm, data=stored)
    if form.validate_on_submit():
        me, clock = resident(), gateways().clock
        with form.refusals(), transaction() as db:
            change_owner(db, form.owner(), person_id=me.person_id, clock=clock, seen=form.seen.data)
            return see_other(url_for("me.index"))
        form.seen.data = mark_of(owner)  # now they see it: sent again, their answers count
    return page("me/details.html", form=form)


@blueprint.route("/address", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def address() -> ResponseReturnValue:
    """Where one lives with one's animals, and where mail goes. What that means is told before it is sent."""
    me, clock = resident(), gateways().clock
    _, home = _known()
    moving = moving_with(reading(), person_id=me.person_id)
    stored: dict[str, Any] = {
        **vars(home),
        "is_safe_at_home": home.kind is PremisesKind.SAFE_AT_HOME,
        "animals": [str(one.animal.id) for one in moving],
        "seen": mark_of(home),
    }
    form = form_for(MoveForm, data=stored)
    form.animals.choices = [choice(str(one.animal.id), one.animal.name, _lives(one)) for one in moving]
    if all(one.is_at_home for one in moving):
        del form.animals  # all of them, as ever
    if form.validate_on_submit():
        chosen = [UUID(animal_id) for animal_id in form.animals.data] if form.animals else None
        with form.refusals():
            with transaction() as db:
                seen = form.seen.data
                finding = move(db, form.home(), person_id=me.person_id, clock=clock, animal_ids=chosen, seen=seen)
            is_told = finding is not None and not finding.is_for_staff
            return see_other(url_for("me.moved", kennel=1 if is_told else None))
        form.seen.data = mark_of(home)
    return page("me/address.html", form=form, moving=moving, designated=_designated(moving), periods=periods)


@blueprint.get("/moved")
@open_to(Access.RESIDENT)
def moved() -> ResponseReturnValue:
    """The new address, who moved along, and what follows."""
    _, home = _known()
    moving = [one for one in moving_with(reading(), person_id=resident().person_id) if one.is_at_home]
    is_kennel, designated = "kennel" in request.args, _designated(moving)
    return page("me/moved.html", home=home, moving=moving, designated=designated, is_kennel=is_kennel)


def _designated(moving: list[Moving]) -> list[Animal]:
    """90.13(N): of these animal control is told in writing before they move."""
    return designated_now(reading(), [one.animal.id for one in moving])


def _lives(one: Moving) -> str:
    return "" if one.is_at_home else "Lives at another address now"


def _known() -> tuple[OwnerAnswers, HomeAnswers]:
    """What is on record; a person who registered nothing has nothing to change."""
    known = answers_of(reading(), reading().get_one(Account, resident().account_id))
    if known is None:
        raise NotTheirs("Nothing is on record yet")
    return known
