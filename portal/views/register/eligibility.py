"""Do I need a license? Answered before anyone is asked who they are (90.04(B), (C))."""

from flask import request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.register import AgeForm, SituationForm
from portal.forms.sign_in import ButtonForm
from portal.ordinance.licensing import Need, Situation, eligibility
from portal.services.registering.steps import next_place
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.register.blueprint import blueprint
from portal.views.register.progress import address, begin, begun, begun_animal, registration
from portal.views.work import gateways

# For these the age decides nothing.
AGELESS = frozenset({Situation.VISITING, Situation.DOG_SHOW, Situation.CAT})


@blueprint.route("", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def situation() -> ResponseReturnValue:
    """Which of these fits?"""
    form = SituationForm(data={"situation": begun().get("situation")})
    if form.validate_on_submit():
        begin(situation=form.situation.data)
        is_settled = Situation(form.situation.data) in AGELESS
        return see_other(url_for("register.answer" if is_settled else "register.age"))
    return page("register/situation.html", form=form)


@blueprint.route("/age", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def age() -> ResponseReturnValue:
    """How old is it, and did it move here?"""
    animal = begun_animal()
    if animal is None:
        return see_other(url_for("register.situation"))
    today = gateways().clock.today()
    stored = {"born_on": animal.born_on, "age": animal.age_months, "moved_from": animal.moved_from or "no"}
    form = AgeForm(data=stored, today=today)
    if form.validate_on_submit():
        begin(
            born_on=form.born_on.data.isoformat() if form.born_on.data else None,
            age_months=str(form.age.data) if form.age.data is not None else None,
            asked_on=today.isoformat(),
            moved_from=form.moved,
        )
        return see_other(url_for("register.answer"))
    return page("register/age.html", form=form)


@blueprint.route("/answer", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def answer() -> ResponseReturnValue:
    """What the ordinance says to that; whoever wants to go on can."""
    animal = begun_animal()
    if animal is None:
        return see_other(url_for("register.situation"))
    found = eligibility(animal.law_answers(), on=gateways().clock.today())
    form = ButtonForm()
    if form.validate_on_submit():
        begin(wants_license="no" if "later" in request.form else "yes")
        return see_other(url_for("register.resume"))
    return page("register/answer.html", form=form, found=found, animal=animal, Need=Need)


@blueprint.get("/resume")
@open_to(Access.RESIDENT)
def resume() -> ResponseReturnValue:
    """Go on where the answers stop, on whichever device."""
    found = registration()
    if not found.animals:
        return see_other(url_for("register.situation"))
    return see_other(address(next_place(found)))
