"""Another household joins a report: neither sees the other's, only an officer sees both (90.11(A))."""

from uuid import UUID

from flask import request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.choices import choice
from portal.forms.report_follow import JoinForm
from portal.forms.sign_in import ButtonForm
from portal.gateways.rate_limits import REPORT_CODES, REPORT_WORDS
from portal.services.reports.follow_report import MyReport
from portal.services.reports.join_report import invite_household, invited_to, join_report
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.reports.blueprint import blueprint
from portal.views.reports.opened import all_opened, opened_report, way_to
from portal.views.reports.status import KINDS
from portal.views.work import gateways, reading, transaction

NO_SUCH_CODE = "This code does not open anything. Check it, or ask for a new one: a code is good for 30 days"
OWN_CODE = "This code is of this report itself, or your report is joined already"


@blueprint.route("/<reference>/invite", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def invite(reference: str) -> ResponseReturnValue:
    """A code for another household, shown once."""
    report, form = opened_report(reference), ButtonForm()
    code = None
    if form.validate_on_submit():
        gateways().limits.take(REPORT_WORDS, str(report.id))
        with form.refusals(), transaction() as db:
            code = invite_household(db, way_to(reference), report_id=report.id, clock=gateways().clock)
    return page("reports/follow/invite.html", form=form, report=report, code=code)


@blueprint.route("/join", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def join() -> ResponseReturnValue:
    """Type the code, and say which of one's own reports joins."""
    mine = [report for report in all_opened() if report.is_open]
    form = JoinForm()
    form.report.choices = [choice(str(report.id), _called(report)) for report in mine]
    if len(mine) == 1 and not form.is_submitted():
        form.report.data = str(mine[0].id)
    if mine and form.validate_on_submit():
        report = next(one for one in mine if one.id == UUID(form.report.data))
        if _joined(form, report):
            return see_other(url_for("reports.show", reference=report.reference) + "#joined")
    return page("reports/follow/join.html", form=form, mine=mine)


def _joined(form: JoinForm, report: MyReport) -> bool:
    parts, code = gateways(), form.code.data
    parts.limits.take(REPORT_CODES, request.remote_addr or "")
    if invited_to(reading(), code=code, clock=parts.clock) is None:
        form.refuse("code", NO_SUCH_CODE)
        return False
    with transaction() as db:
        is_joined = join_report(db, way_to(report.reference), report_id=report.id, code=code, clock=parts.clock)
    if not is_joined:
        form.refuse("code", OWN_CODE)
    return is_joined


def _called(report: MyReport) -> str:
    return f"{KINDS[report.kind]}, {report.reference}"
