"""Who owns the dog and where it lives (90.04(B)(2))."""

from dataclasses import replace
from typing import Any

from flask.typing import ResponseReturnValue

from portal.forms.register import HomeForm, OwnerForm
from portal.schema.people import PremisesKind
from portal.services.registering.steps import Place, Step
from portal.views.access import Access, open_to
from portal.views.answers import page
from portal.views.kept_answers import form_for
from portal.views.register.blueprint import blueprint
from portal.views.register.progress import back_from, keep_and_go_on, registration
from portal.views.work import gateways


@blueprint.route("/owner", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def owner() -> ResponseReturnValue:
    """Who owns the dog?"""
    found = registration()
    stored = None
    if found.owner:
        known = found.owner
        stored = {**vars(known), "owner_name": known.name, "is_adult": not known.is_minor}
    form = form_for(OwnerForm, data=stored)
    if form.validate_on_submit():
        answers, is_suspicious = form.owner(), form.is_suspicious
        return keep_and_go_on(
            lambda kept: replace(kept, owner=answers, is_suspicious=kept.is_suspicious or is_suspicious)
        )
    return page("register/owner.html", form=form, back=back_from(found, Place(Step.OWNER)))


@blueprint.route("/home", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def home() -> ResponseReturnValue:
    """Where does the dog live?"""
    found, city = registration(), gateways().city
    stored: dict[str, Any] = {"city": city.short_name, "state": city.state, "postal_code": city.zip_code}
    if found.home:
        stored = {**vars(found.home), "is_safe_at_home": found.home.kind is PremisesKind.SAFE_AT_HOME}
    form = form_for(HomeForm, data=stored)
    if form.validate_on_submit():
        answers = form.home()
        return keep_and_go_on(lambda kept: replace(kept, home=answers))
    return page("register/home.html", form=form, back=back_from(found, Place(Step.HOME)))
