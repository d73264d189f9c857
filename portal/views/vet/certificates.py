"""A clinic's certificates: file one, look at those it filed, withdraw one or put it right (90.04(D)(2))."""

from uuid import UUID

from flask import abort, request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.filing import FilingForm, answers_data, fresh_data
from portal.forms.sign_in import ButtonForm
from portal.forms.text import one_line
from portal.schema.clinics import FilingChannel, FilingState
from portal.services.clinics.change_filing import correct_filing, fill_in, withdraw_filing
from portal.services.clinics.file_for_clinic import file_for_clinic, filed_already
from portal.services.clinics.filing_answers import answers_of
from portal.services.clinics.filings_of_clinic import (
    Remembered,
    Told,
    Wanted,
    filing_of,
    filings_of,
    next_unread,
    pages_of,
    reference,
    remembered,
    thumbnail_of,
    told,
)
from portal.services.refusal import NotTheirs
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.clinic_identity import clinic
from portal.views.files import picture
from portal.views.kept_answers import form_for
from portal.views.vet.blueprint import blueprint
from portal.views.vet.filing_page import asked_and_told, filing_page
from portal.views.vet.read_before import read_data
from portal.views.work import gateways, reading, transaction

JUST_FILED, FILED_BEFORE = "just_filed", "filed_before"
LONGEST_SEARCH = 100


@blueprint.route("/certificates/new", methods=["GET", "POST"])
@open_to(Access.CLINIC)
def new_certificate() -> ResponseReturnValue:
    """File one; then the same page again, empty, for the next."""
    parts, staff = gateways(), clinic()
    known = remembered(reading(), clinic_id=staff.clinic_id)
    form = form_for(FilingForm, data=fresh_data(known, today=parts.clock.today()))
    answers, findings = asked_and_told(form)
    if answers is not None:
        key = f"page:{form.key}"
        with form.refusals(), transaction() as db:
            before = filed_already(db, answers, clinic_id=staff.clinic_id, clock=parts.clock)
            filed, _ = (
                (before, False)
                if before
                else file_for_clinic(
                    db,
                    answers,
                    clinic_id=staff.clinic_id,
                    filed_by=staff.email,
                    channel=FilingChannel.PAGE,
                    idempotency_key=key,
                    city=parts.city,
                    clock=parts.clock,
                )
            )
            session[FILED_BEFORE if filed.idempotency_key != key else JUST_FILED] = str(filed.id)
            return see_other(url_for("vet.new_certificate"))
    form.begin_at_first()
    is_folded = _was_filed_today(known) and not findings and form.is_same_as_before
    return filing_page("vet/certificates/new.html", form, known, findings, is_folded=is_folded, **_filed())


@blueprint.get("/certificates")
@open_to(Access.CLINIC)
def certificates() -> ResponseReturnValue:
    """The clinic's own filings, newest first."""
    wanted = _wanted()
    found = filings_of(reading(), clinic_id=clinic().clinic_id, wanted=wanted)
    return page("vet/certificates/index.html", found=found, wanted=wanted, kinds=tuple(Told))


@blueprint.get("/certificates/<uuid:filing_id>")
@open_to(Access.CLINIC)
def certificate(filing_id: UUID) -> ResponseReturnValue:
    """One filing, with what can be done about it."""
    filing = filing_of(reading(), clinic_id=clinic().clinic_id, filing_id=filing_id)
    pages = pages_of(reading(), filing)
    return page("vet/certificates/show.html", filing=filing, told=told(filing, None), pages=pages)


@blueprint.route("/certificates/<uuid:filing_id>/fill-in", methods=["GET", "POST"])
@open_to(Access.CLINIC)
def fill_in_certificate(filing_id: UUID) -> ResponseReturnValue:
    """What a file says, with its picture; then the next file."""
    parts, staff = gateways(), clinic()
    filing = filing_of(reading(), clinic_id=staff.clinic_id, filing_id=filing_id)
    if filing.state is not FilingState.UNREAD and request.method == "GET":
        return see_other(url_for("vet.certificate", filing_id=filing_id))
    known = remembered(reading(), clinic_id=staff.clinic_id)
    read = read_data(filing)
    form = form_for(FilingForm, data=read)  # nothing of another paper: what stands there is of this one
    answers, findings = asked_and_told(form)
    if answers is not None:
        with form.refusals():
            with transaction() as db:
                fill_in(db, staff, filing_id=filing_id, filing=answers, clock=parts.clock)
                another = next_unread(db, clinic_id=staff.clinic_id)
            if another:
                return see_other(url_for("vet.fill_in_certificate", filing_id=another))
            return see_other(url_for("vet.certificates"))
    pages = pages_of(reading(), filing)
    context = {"filing": filing, "pages": pages, "is_read": bool(read)}
    return filing_page("vet/certificates/fill_in.html", form, known, findings, **context)


@blueprint.route("/certificates/<uuid:filing_id>/correct", methods=["GET", "POST"])
@open_to(Access.CLINIC)
def correct_certificate(filing_id: UUID) -> ResponseReturnValue:
    """The same certificate as it should have been; the first is withdrawn."""
    parts, staff = gateways(), clinic()
    filing = filing_of(reading(), clinic_id=staff.clinic_id, filing_id=filing_id)
    form = form_for(FilingForm, data=answers_data(answers_of(filing)))
    answers, findings = asked_and_told(form)
    if answers is not None:
        with form.refusals(), transaction() as db:
            anew = correct_filing(
                db,
                staff,
                filing_id=filing_id,
                filing=answers,
                idempotency_key=f"page:{form.key}",
                city=parts.city,
                clock=parts.clock,
            )
            return see_other(url_for("vet.certificate", filing_id=anew.id))
    known = remembered(reading(), clinic_id=staff.clinic_id)
    pages = pages_of(reading(), filing)
    return filing_page("vet/certificates/correct.html", form, known, findings, filing=filing, pages=pages)


@blueprint.route("/certificates/<uuid:filing_id>/withdraw", methods=["GET", "POST"])
@open_to(Access.CLINIC)
def withdraw_certificate(filing_id: UUID) -> ResponseReturnValue:
    """Ask once, then take it back."""
    filing = filing_of(reading(), clinic_id=clinic().clinic_id, filing_id=filing_id)
    form = ButtonForm()
    if form.validate_on_submit():
        with transaction() as db:
            withdraw_filing(db, clinic(), filing_id=filing_id, clock=gateways().clock)
        return see_other(url_for("vet.certificate", filing_id=filing_id))
    return page("vet/certificates/withdraw.html", form=form, filing=filing, reference=reference(filing.id))


@blueprint.get("/certificates/<uuid:filing_id>/<int:number>.jpg")
@open_to(Access.CLINIC)
def certificate_picture(filing_id: UUID, number: int) -> ResponseReturnValue:
    """A page of its file; 0 is the thumbnail."""
    filing = filing_of(reading(), clinic_id=clinic().clinic_id, filing_id=filing_id)
    thumbnail = thumbnail_of(reading(), filing)
    if thumbnail is None:
        abort(404)
    return picture(thumbnail, [one.key for one in pages_of(reading(), filing)], number)


def _was_filed_today(known: Remembered) -> bool:
    """The first of a day shows its vaccine again: the vial may be another."""
    if known.last is None or known.last.attested_at is None:
        return False
    signed_on = known.last.attested_at.astimezone(gateways().city.time_zone).date()
    return signed_on == gateways().clock.today()


def _filed() -> dict[str, object]:
    """The certificate that was sent from this page a moment ago, told once, and whether it had been filed before."""
    if request.method != "GET":
        return {}
    new, before = session.pop(JUST_FILED, None), session.pop(FILED_BEFORE, None)
    if not (key := new or before):
        return {}
    try:
        filing = filing_of(reading(), clinic_id=clinic().clinic_id, filing_id=UUID(key))
    except NotTheirs:  # the mailbox files for another clinic now
        return {}
    return {"filed": (reference(filing.id), filing), "is_filed_before": new is None}


def _wanted() -> Wanted:
    state, after = request.args.get("state", ""), request.args.get("after", "")
    return Wanted(
        told=Told(state) if state in set(Told) else None,
        words=one_line(request.args.get("words", ""))[:LONGEST_SEARCH],
        after=_key(after),
    )


def _key(typed: str) -> UUID | None:
    try:
        return UUID(typed) if typed else None
    except ValueError:
        return None
