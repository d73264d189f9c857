"""The page behind an invitation to keep an animal: its name and species, and a button for who is invited."""

from flask import Blueprint, request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.base import PortalForm
from portal.forms.household import NewKeeperForm
from portal.forms.sign_in import ButtonForm
from portal.gateways.rate_limits import INVITATION_LINKS
from portal.schema.departures import ClaimState
from portal.schema.household import InvitationKind
from portal.services.households.accept_invitation import (
    Invited,
    NewKeeper,
    accept_invitation,
    accepted_before,
    claim_made,
    has_record,
    is_invited,
    look_at_invitation,
)
from portal.services.refusal import NotTheirs
from portal.services.signing_in.live_sign_in import Resident
from portal.views.access import Access, open_to
from portal.views.answers import over, page, see_other
from portal.views.identity import INVITATION, current_resident, resident
from portal.views.kept_answers import form_for
from portal.views.link_tokens import carry
from portal.views.work import gateways, reading, transaction

blueprint = Blueprint("invitations", __name__, url_prefix="/invitations")


@blueprint.get("/<token>")
@open_to(Access.ANYONE)
def link(token: str) -> ResponseReturnValue:
    """The link of the message. Opening it takes its token out of the address bar and accepts nothing (A1, V5)."""
    carry(INVITATION, token)
    return see_other(url_for("invitations.answer"))


@blueprint.route("", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def answer() -> ResponseReturnValue:
    """What it is about; sign in, say who you are if the city does not know, say yes. A wrong link opens nothing."""
    parts, token, me = gateways(), session.get(INVITATION, ""), current_resident()
    parts.limits.take(INVITATION_LINKS, request.remote_addr or "")
    seen = look_at_invitation(reading(), token=token, clock=parts.clock)
    if seen is None:
        return _over(token, me)
    if me is None and request.method == "POST":
        return see_other(url_for("sign_in.ask", next=url_for("invitations.answer")))
    if me is None:
        return page("invitations/sign_in.html", seen=seen)
    if not is_invited(reading(), seen, account_id=me.account_id):
        return page("invitations/elsewhere.html", seen=seen, form=ButtonForm(formdata=None), email=me.email)
    return _accept(seen, token, me)


def _accept(seen: Invited, token: str, me: Resident) -> ResponseReturnValue:
    parts = gateways()
    is_known = has_record(reading(), account_id=me.account_id)
    city = {"city": parts.city.short_name, "state": parts.city.state, "postal_code": parts.city.zip_code}
    form: PortalForm = form_for(ButtonForm) if is_known else form_for(NewKeeperForm, data=city)
    if form.validate_on_submit():
        who: NewKeeper | None = form.new_keeper() if isinstance(form, NewKeeperForm) else None
        with form.refusals(), transaction() as db:
            try:
                kind = accept_invitation(db, token=token, account_id=me.account_id, new_keeper=who, clock=parts.clock)
            except NotTheirs:  # taken back while it was filled in, or sent twice
                return _over(token, me)
        return _accepted(kind)
    return page("invitations/accept.html", seen=seen, form=form, is_known=is_known)


def _over(token: str, me: Resident | None) -> ResponseReturnValue:
    """The link opens nothing; whoever said yes with it before is shown the same again."""
    kind = accepted_before(reading(), token=token, account_id=me.account_id) if me else None
    return _accepted(kind) if kind else over("invitations/over.html")


def _accepted(kind: InvitationKind) -> ResponseReturnValue:
    claimed = kind is InvitationKind.NEW_OWNER
    return see_other(url_for("invitations.waiting") if claimed else url_for("dogs.index"))


@blueprint.get("/waiting")
@open_to(Access.RESIDENT)
def waiting() -> ResponseReturnValue:
    """A new owner has said yes; the city looks at it, or says what it decided."""
    made = claim_made(reading(), token=session.get(INVITATION, ""), account_id=resident().account_id)
    if made and made[0].state is not ClaimState.WAITING:
        claim, animal = made
        return page("invitations/decided.html", claim=claim, animal=animal)
    return page("invitations/waiting.html")
