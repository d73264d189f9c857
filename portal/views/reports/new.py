"""What happened? Danger first; then one kind, what the city code says of it, and a button to begin (90.08, 90.10)."""

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.forms.sign_in import ButtonForm
from portal.ordinance.nuisances import SECTIONS, URGENT
from portal.ordinance.periods import QUARANTINE
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.reports.blueprint import blueprint
from portal.views.reports.progress import address, begin, draft_here, forget, kind_of
from portal.views.reports.status import KINDS


@blueprint.route("/new", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new() -> ResponseReturnValue:
    """Which of these? What was begun in this browser can be gone on with, or forgotten."""
    form = ButtonForm()
    if form.validate_on_submit():
        forget()
        return see_other(url_for("reports.new"))
    here = draft_here()
    begun = here.begun if here and not here.begun.sent else None
    return page(
        "reports/new/choose.html",
        form=form,
        kinds=KINDS,
        go_on=address(begun, begun.next_step) if begun else None,
    )


@blueprint.route("/new/<kind>", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_kind(kind: str) -> ResponseReturnValue:
    """What the section says and what helps an officer. A bite has its emergency numbers here."""
    chosen = kind_of(kind)
    form = ButtonForm()
    if form.validate_on_submit():
        return begin(chosen)
    return page(
        "reports/new/intro.html",
        form=form,
        kind=chosen,
        label=KINDS[chosen],
        section=SECTIONS[chosen],
        is_urgent=chosen in URGENT,
        quarantine_days=QUARANTINE.length,
    )
