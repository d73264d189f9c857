"""Anyone can check a license by the code on its proof: an officer in the street, without an account."""

from datetime import date

from flask import Blueprint, g, render_template, request, url_for
from flask.typing import ResponseReturnValue

from portal.forms.proof import ProofForm
from portal.gateways.rate_limits import PROOF_LOOKUPS
from portal.ordinance.license_years import license_year
from portal.services.dangerous.certify_dangerous_dog import check_certificate
from portal.services.licensing.check_proof import check_proof, read_proof_code
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.work import gateways, reading

blueprint = Blueprint("proof", __name__, url_prefix="/proof")


@blueprint.get("")
@open_to(Access.ANYONE)
def ask() -> ResponseReturnValue:
    """Type the code."""
    g.is_private = False
    if "code" not in request.args:
        return page("proof/ask.html", form=ProofForm(formdata=None))
    form = ProofForm(formdata=request.args)
    if form.validate():
        return see_other(url_for("proof.show", code=read_proof_code(form.code.data)))
    return render_template("proof/ask.html", form=form), 422


@blueprint.get("/<code>")
@open_to(Access.ANYONE)
def show(code: str) -> ResponseReturnValue:
    """In force, not in force, or no such license; the same for a certificate of registration (90.13(H)(1))."""
    gateways().limits.take(PROOF_LOOKUPS, request.remote_addr or "")
    proof, today = check_proof(reading(), code=code), gateways().clock.today()
    if proof is None:
        return _certificate(code, today)
    year = license_year(proof.year, gateways().city.license.year_start).label
    return page("proof/show.html", proof=proof, year=year, is_in_force=proof.is_in_force(today), today=today)


def _certificate(code: str, today: date) -> ResponseReturnValue:
    found = check_certificate(reading(), code=code)
    if found is None:
        return render_template("proof/none.html", is_error=True), 404
    return page("proof/certificate.html", found=found, is_in_force=found.is_in_force(today), today=today)
