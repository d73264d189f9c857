"""Pictures out of the file store: always our own JPEG, never the bytes somebody sent."""

from collections.abc import Sequence

from flask import Response, abort, send_file
from flask.typing import ResponseReturnValue

from portal.gateways.storage.store import FileMissing
from portal.views.work import gateways

JPEG = "image/jpeg"
SANDBOX = "default-src 'none'; sandbox"


def picture(thumbnail_key: str, page_keys: Sequence[str], number: int) -> ResponseReturnValue:
    """Page `number` from 1, or the thumbnail for 0; 404 for any other, and for a file that is gone."""
    if number > len(page_keys):
        abort(404)
    try:
        content = gateways().storage.open(page_keys[number - 1] if number else thumbnail_key)
    except FileMissing:
        abort(404)
    response: Response = send_file(content, mimetype=JPEG, conditional=False, etag=False)
    response.headers["Content-Security-Policy"] = SANDBOX
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response
