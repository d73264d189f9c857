"""A designated dog that was seized: where it is kept, its security, and when it went home (90.13(E)(2), (J), (K))."""

from datetime import date
from uuid import UUID

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue

from portal.forms.desk_dangerous import SeizeForm, SeizureForm
from portal.ordinance.citation import Rule
from portal.schema.dangerous import DangerousDesignation
from portal.schema.dangerous_notices import SeizureSecurity
from portal.services.dangerous.seize_dog import Seized, note_seizure, seize_dog
from portal.services.desk.seen import expect_version, version_of
from portal.services.reports.rows import derived_key
from portal.views.answers import see_other
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import say
from portal.views.desk.entry import AS_IT_WAS, Entry, entry_page
from portal.views.desk.existing import existing
from portal.views.desk.facts import NOT_YET, row
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.words import day, money
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("seizures", __name__, url_prefix=PREFIX)

OWNER_FIRST = "Tell the owner first. The portal writes to nobody: their page says where the dog is and what to do."


@blueprint.route("/designations/<uuid:designation_id>/seizure", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def new(designation_id: UUID) -> ResponseReturnValue:
    """Enter it, after its owner was told."""
    designation = _designation(designation_id)
    form = SeizeForm(today=gateways().clock.today())
    back = url_for("designations.show", designation_id=designation_id)
    seized_on: date | None = form.seized_on.data
    if form.validate_on_submit() and seized_on:
        seized = Seized(
            key=derived_key(form.key, "seizure"),
            seized_on=seized_on,
            kept_at=form.kept_at.data,
            contact_name=form.contact_name.data,
            contact_phone=form.contact_phone.data,
            amount_cents=form.amount.cents,
        )
        with form.refusals(), transaction() as db:
            entered = seize_dog(
                db,
                seized,
                designation_id=designation_id,
                officer=member().email,
                city=gateways().city,
                clock=gateways().clock,
            )
            say(f"Entered. Security may be posted by {day(entered.show_by)}; later is taken, and marked.")
            return see_other(back)
    return entry_page(
        form,
        Entry(
            heading="A designated dog was seized",
            back=back,
            back_label="The designation",
            button="Enter it",
            rule=Rule.SECURITY,
            rows=(row("Reference", designation.reference), row("Dog", designation.dog)),
            notes=(OWNER_FIRST,),
        ),
    )


@blueprint.route("/seizures/<uuid:seizure_id>", methods=["GET", "POST"])
@open_to(Desk.OFFICER)
def show(seizure_id: UUID) -> ResponseReturnValue:
    """What security is asked, that it was posted, that the owner may have the dog back, that it went home."""
    seizure = existing(SeizureSecurity, seizure_id, "seizure")
    designation = _designation(seizure.designation_id)
    form, back = (
        SeizureForm(today=gateways().clock.today()),
        url_for("designations.show", designation_id=designation.id),
    )
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            expect_version(db, SeizureSecurity, seizure_id, form.seen.data or "")
            noted = note_seizure(
                db,
                seizure_id=seizure_id,
                officer=member().email,
                amount_cents=form.amount.cents,
                posted_on=form.posted_on.data,
                reclaim_told_on=form.reclaim_told_on.data,
                released_on=form.released_on.data,
                clock=gateways().clock,
            )
            say("Noted. The security came late." if form.posted_on.data and noted.is_late else "Noted.")
            return see_other(back)
    form.seen.data = version_of(reading(), SeizureSecurity, seizure_id)
    posted = f"{day(seizure.posted_on)}{', late' if seizure.is_late else ''}" if seizure.posted_on else NOT_YET
    return entry_page(
        form,
        Entry(
            heading=f"Seized on {day(seizure.seized_on)}",
            back=back,
            back_label="The designation",
            button="Note it",
            rule=Rule.SECURITY,
            rows=(
                row("Dog", designation.dog),
                row("Kept at", seizure.kept_at),
                row("Ask", f"{seizure.contact_name}, {seizure.contact_phone}"),
                row("Security", money(seizure.amount_cents) if seizure.amount_cents else NOT_YET),
                row("Shown to the owner as the last day", day(seizure.show_by)),
                row("Legal last day", day(seizure.legal_last_day)),
                row("Posted", posted),
                row("Owner heard they may reclaim it", day(seizure.reclaim_told_on) or NOT_YET),
                row("Went home", day(seizure.released_on) or NOT_YET),
            ),
            notes=(AS_IT_WAS,),
        ),
    )


def _designation(designation_id: UUID) -> DangerousDesignation:
    return existing(DangerousDesignation, designation_id, "designation")
