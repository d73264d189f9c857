"""A scan that came with answers at the counter: safe at once, so that another wrong answer does not lose it.

Staff have no account that an upload could be noted for, so the page itself carries along, sealed, where it lies.
"""

import json
from dataclasses import asdict
from datetime import datetime, timedelta

from portal.forms.desk_counter import AnimalAtCounterForm, CertificateAtCounterForm
from portal.gateways.sealing import BrokenSeal
from portal.schema.documents import DocumentKind
from portal.services.files.accept_upload import StoredUpload
from portal.views.desk.identity import member, sealing
from portal.views.uploads import stored_file
from portal.views.work import gateways

LASTS = timedelta(hours=12)  # less than the sweep leaves a file alone that no row mentions


def scan_of(form: AnimalAtCounterForm | CertificateAtCounterForm) -> StoredUpload | None:
    """What was chosen now, or else what came before; the page carries it on. What can't be read is told there."""
    scan = _opened(form.kept_scan.data or "")
    if form.is_submitted() and form.file.data and not form.csrf_token.errors:
        scan = stored_file(form, kind=DocumentKind.CERTIFICATE, sender=str(member().staff_id)) or scan
    form.kept_scan.data = _sealed(scan) if scan else ""
    form.scan_name = scan.original_name if scan else ""
    return scan


def _sealed(scan: StoredUpload) -> str:
    until = gateways().clock.now() + LASTS
    kept = {"scan": asdict(scan), "staff_id": str(member().staff_id), "until": until.isoformat()}
    return sealing().seal(json.dumps(kept))


def _opened(sealed: str) -> StoredUpload | None:
    """The scan, for whoever sent it; None where there is none, or where it may be swept by now."""
    try:
        kept = json.loads(sealing().open(sealed))
    except BrokenSeal:
        return None
    is_theirs = kept["staff_id"] == str(member().staff_id)
    if not is_theirs or datetime.fromisoformat(kept["until"]) <= gateways().clock.now():
        return None
    scan = kept["scan"]
    return StoredUpload(**{**scan, "kind": DocumentKind(scan["kind"]), "pages": tuple(scan["pages"])})
