"""Keys of one letter can be turned off: they get in the way of speech input (WCAG 2.1.4)."""

from flask import Blueprint, request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.sign_in import ButtonForm
from portal.views.answers import own_path, page, see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import KEYS_OFF
from portal.views.desk.prefix import PREFIX

blueprint = Blueprint("keys", __name__, url_prefix=f"{PREFIX}/keys")


@blueprint.route("", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def show() -> ResponseReturnValue:
    """Every key, and the switch."""
    form = ButtonForm()
    if form.validate_on_submit():
        session[KEYS_OFF] = not session.get(KEYS_OFF, False)
        return see_other(own_path(request.args.get("next"), fallback=url_for("keys.show")))
    return page("desk/keys.html", form=form)
