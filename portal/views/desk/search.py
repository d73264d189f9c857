"""Search: one box for dogs, people and addresses."""

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from portal.forms.desk_search import SearchForm
from portal.services.desk.searching import Found, search
from portal.views.desk.access import Desk, open_to
from portal.views.desk.prefix import PREFIX
from portal.views.work import reading

blueprint = Blueprint("search", __name__, url_prefix=f"{PREFIX}/search")


@blueprint.get("")
@open_to(Desk.CLERK)
def show() -> ResponseReturnValue:
    """Nothing typed shows the box alone."""
    form = SearchForm(formdata=request.args)
    is_asked = bool(form.q.data) and form.validate()
    found = search(reading(), form.q.data) if is_asked else Found()
    status = 422 if form.problems else 200
    return render_template("desk/search.html", form=form, found=found, is_asked=is_asked), status
