"""The notices that this browser may manage: those of its sign-in, and those whose private link was opened here."""

from dataclasses import replace

from flask import session
from flask.typing import ResponseReturnValue

from portal.schema.notices import PetNotice
from portal.services.notices.holder import WayToNotice, own_notice
from portal.views.access import sign_in_first
from portal.views.identity import current_resident
from portal.views.notices.blueprint import blueprint
from portal.views.work import reading

OPENED = "notice_links"
# A cookie holds them.
MOST_OPENED = 4
LONGEST_TOKEN = 100


def remember_notice(reference: str, token: str) -> None:
    """Keep the link of a notice in this browser, the newest last."""
    others = [pair for pair in _held() if pair[0] != reference]
    session[OPENED] = [*others, [reference, token[:LONGEST_TOKEN]]][-MOST_OPENED:]


def forget_notice(reference: str) -> None:
    """This browser, which may be a library's, can't open it any more by a link."""
    session[OPENED] = [pair for pair in _held() if pair[0] != reference]


def way_to(reference: str) -> WayToNotice:
    """What opens this notice here: the sign-in, or its link."""
    return replace(sign_in_way(), link=link_to(reference))


def sign_in_way() -> WayToNotice:
    """What the sign-in of this browser opens, if there is one."""
    me = current_resident()
    return WayToNotice(account_id=me.account_id, person_id=me.person_id) if me else WayToNotice()


def link_to(reference: str) -> str | None:
    """The token of its link, if it was opened here."""
    return next((token for held, token in _held() if held == reference), None)


class NobodyHere(Exception):
    """Nobody is signed in, and the notice's link was not opened here: whoever has a letter about it signs in first."""


def opened_notice(reference: str) -> PetNotice:
    """One notice of this browser's; any other does not exist for it."""
    if current_resident() is None and link_to(reference) is None:
        raise NobodyHere
    return own_notice(reading(), way_to(reference), reference=reference)


@blueprint.errorhandler(NobodyHere)
def nobody_here(_: NobodyHere) -> ResponseReturnValue:
    """The same for every reference, so that none can be told from another."""
    return sign_in_first()


def _held() -> list[list[str]]:
    held: list[list[str]] = session.get(OPENED, [])
    return held
