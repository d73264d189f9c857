"""File certificates by software, read one's own back, add the paper, take one back (90.04(D)(2))."""

import shutil
from dataclasses import asdict, replace
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, cast
from uuid import UUID

from flask import request, url_for
from flask.typing import ResponseReturnValue

from portal.api.blueprint import blueprint, problems
from portal.api.schemas import EXAMPLE, Filed, Listed, Paging, Sent, Stated
from portal.forms.filing import counted_due
from portal.gateways.file_refusal import FileRefused, TryAgainLater
from portal.gateways.rate_limits import CLINIC_UPLOADS
from portal.ordinance.certificates import VaccineType
from portal.schema.clinics import ClinicFiling
from portal.schema.documents import DocumentKind
from portal.services.clinics.change_filing import withdraw_filing
from portal.services.clinics.file_by_software import KeyUsedOtherwise, attach_file, file_by_software, filings_after
from portal.services.clinics.filing_answers import FilingAnswers, answers_of
from portal.services.clinics.filings_of_clinic import filing_of, told
from portal.services.files.accept_upload import StoredUpload, store_upload
from portal.services.refusal import Refused
from portal.views.access import Access, open_to
from portal.views.clinic_software import software
from portal.views.problems import FieldProblem, problem
from portal.views.work import gateways, let_go_of_reading, reading, transaction

IN_MEMORY_BYTES = 1 << 20
FILE_TYPES = ("image/jpeg", "image/png", "image/heic", "image/webp", "application/pdf", "application/octet-stream")
NOT_A_FORM = (
    "Send the bytes of the file as they are, as application/octet-stream or with their own type, not as a form."
)
BYTES = {"type": "string", "format": "binary"}
LOCATION = {"Location": {"description": "Where the certificate is read back.", "schema": {"type": "string"}}}
KEY_USED = "This Idempotency-Key was sent before with another certificate."


@blueprint.post("/certificates")
@open_to(Access.CLINIC_API)
@blueprint.arguments(Stated, example=EXAMPLE)
@blueprint.arguments(Sent, location="headers")
@blueprint.response(201, Filed, headers=LOCATION)
@blueprint.alt_response(200, schema=Filed, description="Received before under this key", success=True)
@problems(409, 413, 415)
def file_certificate(stated: dict[str, Any], sent: dict[str, Any]) -> ResponseReturnValue:
    """File a certificate

    The same Idempotency-Key with the same body gives the same certificate again, so a request that got no answer can
    be sent once more. Received means that we have it; whether we know the owner or the animal is not told.
    """
    parts, who = gateways(), software()
    try:
        with transaction() as db:
            filing, is_new = file_by_software(
                db, _answers(stated), software=who, key=sent["key"], city=parts.city, clock=parts.clock
            )
            body = _shown(filing)
    except KeyUsedOtherwise:
        return problem(409, KEY_USED)
    except Refused as refused:
        return problem(422, errors=[FieldProblem(one.field or "", one.sentence) for one in refused.refusals])
    where = url_for("certificates.certificate", filing_id=filing.id)
    return body, 201 if is_new else 200, {"Location": where}


@blueprint.get("/certificates")
@open_to(Access.CLINIC_API)
@blueprint.arguments(Paging, location="query")
@blueprint.response(200, Listed)
@problems()
def certificates(wanted: dict[str, Any]) -> dict[str, Any]:
    """List your clinic’s certificates, newest first"""
    limit = wanted["limit"]
    found = filings_after(reading(), clinic_id=software().clinic_id, after=wanted.get("after"), limit=limit)
    shown = [_shown(filing) for filing in found[:limit]]
    return {"certificates": shown, "next_after": shown[-1]["id"] if len(found) > limit else None}


@blueprint.get("/certificates/<uuid:filing_id>")
@open_to(Access.CLINIC_API)
@blueprint.response(200, Filed)
@problems(404)
def certificate(filing_id: UUID) -> dict[str, Any]:
    """Read one of your clinic’s certificates"""
    return _shown(filing_of(reading(), clinic_id=software().clinic_id, filing_id=filing_id))


@blueprint.delete("/certificates/<uuid:filing_id>")
@open_to(Access.CLINIC_API)
@blueprint.response(200, Filed)
@problems(404)
def withdraw_certificate(filing_id: UUID) -> dict[str, Any]:
    """Withdraw a certificate

    It stays in your list as withdrawn. Withdrawing twice is withdrawing once.
    """
    with transaction() as db:
        return _shown(withdraw_filing(db, software().staff, filing_id=filing_id, clock=gateways().clock))


@blueprint.put("/certificates/<uuid:filing_id>/file")
@open_to(Access.CLINIC_API)
@blueprint.doc(requestBody={"required": True, "content": {kind: {"schema": BYTES} for kind in FILE_TYPES}})
@blueprint.response(200, Filed)
@problems(404, 409, 413, 415, 422, 503)
def put_file(filing_id: UUID) -> ResponseReturnValue | dict[str, Any]:
    """Add the paper as a photo or a PDF

    Send the bytes as they are. The same file again changes nothing; another file is refused.
    """
    if request.mimetype and request.mimetype not in FILE_TYPES and not request.mimetype.startswith("image/"):
        return problem(415, NOT_A_FORM)
    filing_of(reading(), clinic_id=software().clinic_id, filing_id=filing_id)
    gateways().limits.take(CLINIC_UPLOADS, str(software().clinic_id))
    try:
        stored = _stored()
        with transaction() as db:
            filing = attach_file(db, stored, software=software(), filing_id=filing_id, clock=gateways().clock)
            return _shown(filing)
    except TryAgainLater:
        raise  # 503: nothing is wrong with the file
    except FileRefused as refused:
        return problem(422, refused.sentence)
    except Refused as no:
        return problem(409, no.refusals[0].sentence)


def _stored() -> StoredUpload:
    parts = gateways()
    let_go_of_reading()
    with SpooledTemporaryFile(max_size=IN_MEMORY_BYTES) as content:
        shutil.copyfileobj(request.stream, content)
        content.seek(0)
        return store_upload(
            cast(BinaryIO, content),
            name="certificate",
            kind=DocumentKind.CERTIFICATE,
            storage=parts.storage,
            largest_bytes=parts.city.uploads.max_file_bytes,
            scanning=parts.scanning,
        )


def _answers(stated: dict[str, Any]) -> FilingAnswers:
    """As the ordinance reads it; a due date that is left out is counted, as on the clinic's page."""
    kept = {name: value for name, value in stated.items() if value != ""}
    answers = FilingAnswers(**{**kept, "vaccine_type": VaccineType(stated["vaccine_type"])})
    if answers.due_on is not None:
        return answers
    return replace(answers, due_on=counted_due(answers.given_on, dose=answers.dose, years=answers.duration_years))


def _shown(filing: ClinicFiling) -> dict[str, Any]:
    """In the clinic's words: what it sent, and where it stands."""
    line = told(filing, None)
    return {
        **asdict(answers_of(filing)),
        "id": line.id,
        "reference": line.reference,
        "state": line.told,
        "reason": line.reason,
        "received_at": line.sent_at,
        "has_file": filing.document_id is not None,
    }
