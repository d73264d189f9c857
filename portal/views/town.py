"""The town's pages: fees, rules, privacy, accessibility. Open to everyone."""

from flask import Blueprint, g
from flask.typing import ResponseReturnValue

from portal.ordinance import periods
from portal.ordinance.citation import Rule
from portal.ordinance.fees import NoFeesInForce, in_force
from portal.ordinance.rabies import IMMUNIZED_AFTER
from portal.views.access import Access, open_to
from portal.views.answers import page
from portal.views.hours import opening_lines
from portal.views.work import gateways

blueprint = Blueprint("town", __name__)

# Counted up whenever the words of the notice change, so that it can be told which one a person was shown.
PRIVACY_VERSION = 4


@blueprint.get("/fees")
@open_to(Access.ANYONE)
def fees() -> ResponseReturnValue:
    """Each fee, what it is for, and which resolution set it."""
    g.is_private = False
    city, today = gateways().city, gateways().clock.today()
    try:
        now = in_force(city.fees, today)
    except NoFeesInForce:
        now = None
    coming = [table for table in city.fees if table.effective_from > today]
    return page("town/fees.html", now=now, coming=coming, Rule=Rule)


@blueprint.get("/rules")
@open_to(Access.ANYONE)
def rules() -> ResponseReturnValue:
    """The rules about licenses in plain words, each with its section."""
    g.is_private = False
    return page("town/rules.html", periods=periods, Rule=Rule, immunized_days=IMMUNIZED_AFTER.days)


@blueprint.get("/privacy")
@open_to(Access.ANYONE)
def privacy() -> ResponseReturnValue:
    """What we ask, why, and who sees it (Minn. Stat. 13.04 subd. 2)."""
    g.is_private = False
    return page("town/privacy.html", version=PRIVACY_VERSION)


@blueprint.get("/accessibility")
@open_to(Access.ANYONE)
def accessibility() -> ResponseReturnValue:
    """How far everyone can use this, and what to do where it falls short (28 CFR 35.200)."""
    g.is_private = False
    return page("town/accessibility.html", hours=opening_lines(gateways().city.police.hours))
