"""Reports about the same thing: put together under one, and taken apart again. No reporter is told of another."""

from collections.abc import Iterable
from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.orm import Session

from portal.forms.desk import OTHER, DecisionForm
from portal.forms.desk_merge import MergeForm, UnmergeForm
from portal.ordinance.finding import Refusal
from portal.schema.reports import Report
from portal.services.desk.seen import expect_version, last_happened, version_of
from portal.services.reports.merge_reports import (
    is_apart,
    may_be_merged,
    merge_report,
    report_meant,
    stands_in_the_way,
    unmerge_report,
)
from portal.views.answers import see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import say
from portal.views.desk.entry import Entry, entry_page
from portal.views.desk.facts import row
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.reports.status import KINDS
from portal.views.words import day
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("merging", __name__, url_prefix=f"{PREFIX}/reports")

NOTES = (
    "In the queue the two are one item from then on. Each reporter keeps their own page and gets an answer there; "
    "none is told of another.",
)
APART = ("It waits as it did before. What was answered meanwhile stays answered.",)


@blueprint.route("/<uuid:item_id>/merge", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def merge(item_id: UUID) -> ResponseReturnValue:
    """Go on with another report for this one too."""
    report = reading().get_one(Report, item_id)
    likely = may_be_merged(reading(), report)
    form = MergeForm.offering([(one, f"{KINDS[one.kind]}, {day(one.created_at)}") for one in likely])
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            expect_version(db, Report, item_id, form.seen.data or "")
            into = _meant(db, form)
            why, officer, clock = form.why.data, member().email, gateways().clock
            merge_report(db, report_id=item_id, into_id=into, why=why, officer=officer, clock=clock)
            say(f"{report.reference} goes under this report. Each reporter keeps their own page.")
            return see_other(url_for("reports.show", item_id=into))
    return _page(
        form,
        report,
        f"Merge {report.reference} into another report",
        "Merge it",
        NOTES,
        stands_in_the_way(reading(), report),
    )


@blueprint.route("/<uuid:item_id>/unmerge", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def unmerge(item_id: UUID) -> ResponseReturnValue:
    """Take it apart again."""
    report, form = reading().get_one(Report, item_id), UnmergeForm()
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            expect_version(db, Report, item_id, form.seen.data or "")
            unmerge_report(db, report_id=item_id, why=form.why.data, officer=member().email, clock=gateways().clock)
            say(f"{report.reference} is a report of its own again.")
            return see_other(url_for("reports.show", item_id=item_id))
    return _page(form, report, f"Take {report.reference} apart again", "Take it apart", APART, is_apart(report))


def _meant(db: Session, form: MergeForm) -> UUID:
    """The report that was chosen from the list, or the one with the reference."""
    if form.into.data != OTHER:
        return UUID(form.into.data)
    return report_meant(db, form.reference.data).id


def _page(
    form: DecisionForm, report: Report, heading: str, button: str, notes: tuple[str, ...], stopped: Iterable[Refusal]
) -> ResponseReturnValue:
    form.seen.data = version_of(reading(), Report, report.id)
    return entry_page(
        form,
        Entry(
            heading=heading,
            back=url_for("reports.show", item_id=report.id),
            back_label="The report",
            button=button,
            rows=(
                row("What", KINDS[report.kind]),
                row("Where", report.place_text),
                row("Reported", day(report.created_at)),
                row("Told", report.narrative),
            ),
            notes=notes,
            stopped=tuple(refusal.sentence for refusal in stopped),
            happened=last_happened(reading(), Report.__tablename__, report.id) if form.has_changed else None,
        ),
    )
