"""The reports that this browser may read: those whose private link was opened here, those of its sign-in (13.44)."""

from collections.abc import Iterator

from flask import session

from portal.services.follow_report import MyReport, WayIn, WholeReport, my_report_called, my_reports, whole_report
from portal.services.refusal import NotTheirs
from portal.views.reports.ways import LINK, hold, let_go, way_in
from portal.views.work import gateways, reading

OPENED = "report_links"
MOST_OPENED = 6  # a cookie holds them


def remember_report(reference: str, token: str) -> None:
    """Keep the link of a report in this browser, the newest last."""
    others = [pair for pair in _held() if pair[0] != reference]
    session[OPENED] = [*others, [reference, token]][-MOST_OPENED:]
    hold(token)


def forget_report(reference: str) -> None:
    """This browser, which may be a library's, can't open it any more by a link."""
    forgotten = way_to(reference).link
    session[OPENED] = [pair for pair in _held() if pair[0] != reference]
    if session.get(LINK) == forgotten:
        let_go()


def way_to(reference: str) -> WayIn:
    """What opens this report here: its own link, else the newest one, or the sign-in."""
    newest = way_in()
    link = next((token for held, token in _held() if held == reference), newest.link)
    return WayIn(link=link, sign_in=newest.sign_in)


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
    newest = way_in()
    if newest.link or newest.sign_in:
        yield newest
    yield from (WayIn(link=token) for _, token in _held() if token != newest.link)


def _some_way_to(reference: str) -> WayIn:
    way = way_to(reference)
    if not (way.link or way.sign_in):
        raise NotTheirs("No such report")
    return way


def _held() -> list[list[str]]:
    held: list[list[str]] = session.get(OPENED, [])
    return held
