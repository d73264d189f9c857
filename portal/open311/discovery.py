"""Where the interface is, which kinds of report it takes, and what each asks: the same for everybody."""

from typing import Any

from flask import current_app, g
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from portal.open311.blueprint import ADDRESS, ENDING, blueprint
from portal.open311.questions import definition
from portal.ordinance.nuisances import SECTIONS, Nuisance
from portal.views.access import Access, open_to
from portal.views.georeport import told
from portal.views.work import gateways

# Raise it whenever a service or a definition changes: software refreshes what it keeps.
CHANGESET = "2026-11-30 00:00"
SPECIFICATION = "http://wiki.open311.org/GeoReport_v2"
GROUP = "animals"
NAMES = {
    Nuisance.BARKING: "Barking dog",
    Nuisance.DAMAGE: "Damage by an animal",
    Nuisance.CHASING: "Animal that chases people, vehicles or animals",
    Nuisance.BITE: "Animal bite",
    Nuisance.LITTER: "Dog feces",
    Nuisance.AT_LARGE: "Animal at large",
    Nuisance.NEGLECT: "Neglected animal",
    Nuisance.DEAD_ANIMAL: "Dead animal",
    Nuisance.STRAY: "Stray animal",
    Nuisance.OTHER: "Other trouble with an animal",
}
KEYWORDS = {
    Nuisance.BARKING: "barking, crying, howling, noise",
    Nuisance.DAMAGE: "damage, lawn, garden, property",
    Nuisance.CHASING: "chasing, attack, aggressive",
    Nuisance.BITE: "bite, attack, rabies, quarantine",
    Nuisance.LITTER: "feces, waste, cleanup",
    Nuisance.AT_LARGE: "loose, running, unleashed",
    Nuisance.NEGLECT: "neglect, cruelty, food, water, shelter",
    Nuisance.DEAD_ANIMAL: "dead, carcass, roadkill",
    Nuisance.STRAY: "stray, lost, found",
    Nuisance.OTHER: "other",
}


@blueprint.get(f"/discovery{ENDING}")
@open_to(Access.OPEN311)
def discover(ending: str) -> ResponseReturnValue:
    """Service discovery (https://wiki.open311.org/Service_Discovery)."""
    police = gateways().city.police
    reached = f"{police.name}, {police.phone}" + (f", {police.email}" if police.email else "")
    endpoint = {
        "specification": SPECIFICATION,
        "url": f"{current_app.config['BASE_URL']}{ADDRESS}",
        "changeset": CHANGESET,
        "type": "test" if current_app.config["IS_PRACTICE"] else "production",
        "formats": ["text/xml", "application/json"],
    }
    return _public(
        "discovery",
        {
            "changeset": CHANGESET,
            "contact": reached,
            "key_service": f"Ask for a key: {reached}",
            "endpoints": [endpoint],
        },
    )


@blueprint.get(f"/services{ENDING}")
@open_to(Access.OPEN311)
def services(ending: str) -> ResponseReturnValue:
    """GET Service List."""
    return _public("services", [_service(kind) for kind in Nuisance])


@blueprint.get(f"/services/<code>{ENDING}")
@open_to(Access.OPEN311)
def service(code: str, ending: str) -> ResponseReturnValue:
    """GET Service Definition."""
    return _public("service_definition", definition(kind_of(code)))


def kind_of(code: str) -> Nuisance:
    """The kind a service code stands for; raises NotFound."""
    if code not in list(Nuisance):
        raise NotFound
    return Nuisance(code)


def _service(kind: Nuisance) -> dict[str, Any]:
    return {
        "service_code": kind.value,
        "service_name": NAMES[kind],
        "description": f"{SECTIONS[kind].says}.",
        "metadata": True,
        "type": "realtime",
        "keywords": KEYWORDS[kind],
        "group": GROUP,
    }


def _public(root: str, content: Any) -> ResponseReturnValue:
    g.is_private = False
    return told(root, content)
