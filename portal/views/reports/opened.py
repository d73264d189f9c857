"""The reports that this browser may read: those whose private link was opened here, those of its sign-in (13.44)."""

from collections.abc import Iterator

from flask import session

from portal.services.refusal import NotTheirs
from portal.services.reports.follow_report import (
    MyReport,
    WayIn,
    WholeReport,
    my_report_called,
    my_reports,
    whole_report,
)
from portal.views.identity import TOKEN, current_resident
from portal.views.reports.progress import forget_sent
from portal.views.work import gateways, reading

OPENED = "report_links"
# A cookie holds them.
MOST_OPENED = 6
LONGEST_TOKEN = 100


def remember_report(reference: str, token: str) -> None:
    """Keep the link of a report in this browser, the newest last."""
    others = [pair for pair in _held() if pair[0] != reference]
    session[OPENED] = [*others, [reference, token[:LONGEST_TOKEN]]][-MOST_OPENED:]


def forget_report(reference: str) -> None:
    """This browser, which may be a library's, can't open it any more by a link."""
    session[OPENED] = [pair for pair in _held() if pair[0] != reference]
    forget_sent(reference)


def way_to(reference: str) -> WayIn:
    """What opens this report here: its link, or the sign-in. The database's function asks whether either is good."""
    return WayIn(link=next((token for held, token in _held() if held == reference), None), sign_in=_sign_in())


def opened_report(reference: str) -> MyReport:
    """One report of this browser's; any other does not exist for it."""
    return my_report_called(reading(), _some_way_to(reference), reference=reference, clock=gateways().clock)


def whole_opened_report(reference: str) -> WholeReport:
    """The same with all that belongs to it."""
    return whole_report(reading(), _some_way_to(reference), reference=reference, clock=gateways().clock)


def all_opened() -> list[MyReport]:
    """All of them, the newest first: one statement for each link held."""
    found = {one.id: one for way in _ways() for one in my_reports(reading(), way, clock=gateways().clock)}
    return sorted(found.values(), key=lambda report: report.created_at, reverse=True)


def _ways() -> Iterator[WayIn]:
    if sign_in := _sign_in():
        yield WayIn(sign_in=sign_in)
    yield from (WayIn(link=token) for _, token in _held())


def _sign_in() -> str | None:
    return session.get(TOKEN) if current_resident() else None


def _some_way_to(reference: str) -> WayIn:
    way = way_to(reference)
    if not (way.link or way.sign_in):
        raise NotTheirs("No such report")
    return way


def _held() -> list[list[str]]:
    held: list[list[str]] = session.get(OPENED, [])
    return held
