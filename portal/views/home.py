"""The front page: what people come for."""

from flask import Blueprint, g
from flask.typing import ResponseReturnValue

from portal.views.access import Access, open_to
from portal.views.answers import page

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
@open_to(Access.ANYONE)
def index() -> ResponseReturnValue:
    g.is_private = False
    return page("home/index.html")
