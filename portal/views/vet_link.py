"""The page behind a keeper's request to a clinic: one animal, one certificate, no account (90.04(B)(3))."""

from flask import Blueprint, request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.vet_link import VetAnswerForm
from portal.gateways.rate_limits import VET_LINKS
from portal.schema.documents import DocumentKind
from portal.services.certificates.answer_vet_request import answer_request, look_at_request
from portal.services.files.accept_upload import StoredUpload
from portal.services.refusal import NotTheirs
from portal.services.secrets import token_hash
from portal.views.access import Access, open_to
from portal.views.answers import over, page, see_other
from portal.views.link_tokens import carry
from portal.views.uploads import stored_file
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("vet_link", __name__, url_prefix="/vet/ask")

TOKEN = "vet_link"  # noqa: S105 - the name of a cookie's entry


@blueprint.get("/<token>")
@open_to(Access.ANYONE)
def link(token: str) -> ResponseReturnValue:
    """The link of the message, or the square code. Opening it takes its token out of the address bar (V5)."""
    carry(TOKEN, token)
    return see_other(url_for("vet_link.answer"))


@blueprint.route("", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def answer() -> ResponseReturnValue:
    """What to fill in, and afterwards where it stands. A wrong, withdrawn or expired link shows the same page."""
    parts = gateways()
    parts.limits.take(VET_LINKS, request.remote_addr or "")
    token = session.get(TOKEN, "")
    seen = look_at_request(reading(), token=token, city=parts.city, clock=parts.clock)
    if seen is None:
        return over("vet_link/over.html")
    if seen.is_answered:
        return page("vet_link/sent.html", seen=seen)
    form = VetAnswerForm()
    if form.validate_on_submit():
        stored = _file_of(form, token)
        if not form.problems:
            with form.refusals(), transaction() as db:
                try:
                    answer_request(
                        db, token=token, answers=form.answers(), stored=stored, city=parts.city, clock=parts.clock
                    )
                except NotTheirs:  # taken back while it was filled in
                    return over("vet_link/over.html")
                return see_other(url_for("vet_link.answer"))
    return page("vet_link/answer.html", form=form, seen=seen)


def _file_of(form: VetAnswerForm, token: str) -> StoredUpload | None:
    """The photo or PDF, if one came with it."""
    if not form.file.data:
        return None
    return stored_file(form, kind=DocumentKind.CERTIFICATE, sender=token_hash(token))
