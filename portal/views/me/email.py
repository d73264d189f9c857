"""A new mailbox: both the old and the new say yes, each by a link of its own."""

from flask import request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.me import NewEmailForm
from portal.forms.sign_in import ButtonForm
from portal.gateways.rate_limits import EMAIL_CHANGES, EMAIL_CHANGES_MAILBOX, INVITATION_LINKS
from portal.services.accounts.change_email import (
    ask_for_email_change,
    confirm_email_change,
    email_change_of,
    give_up_email_change,
    look_at_email_change,
)
from portal.services.clinics.staff import clinics_filed_for
from portal.services.refusal import NotTheirs
from portal.services.signing_in.sign_in import email_key
from portal.views.access import Access, open_to
from portal.views.answers import over, page, see_other
from portal.views.identity import TOKEN, current_resident, resident
from portal.views.kept_answers import form_for
from portal.views.link_tokens import carry
from portal.views.me.blueprint import blueprint
from portal.views.work import gateways, reading, transaction

LINK = "email_change"


@blueprint.route("/email", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def email() -> ResponseReturnValue:
    """Which mailbox? Or that one is being changed, and who has still to say yes."""
    me, parts = resident(), gateways()
    form = form_for(NewEmailForm)
    if form.validate_on_submit():
        parts.limits.take(EMAIL_CHANGES, str(me.account_id))
        parts.limits.take(EMAIL_CHANGES_MAILBOX, email_key(form.new_email.data))
        with form.refusals():
            with transaction() as db:
                ask_for_email_change(db, account_id=me.account_id, new_email=form.new_email.data, clock=parts.clock)
            return see_other(url_for("me.email"))
    changing = email_change_of(reading(), account_id=me.account_id, clock=parts.clock)
    return page(
        "me/email.html",
        form=form,
        button=ButtonForm(formdata=None),
        email=me.email,
        changing=changing,
        clinics=clinics_filed_for(reading(), email=me.email),
    )


@blueprint.route("/email/give-up", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def give_up_email() -> ResponseReturnValue:
    """Leave the mailbox as it is."""
    form = ButtonForm()
    if form.validate_on_submit():
        with transaction() as db:
            give_up_email_change(db, account_id=resident().account_id, clock=gateways().clock)
    return see_other(url_for("me.email"))


@blueprint.get("/email/<token>")
@open_to(Access.ANYONE)
def email_link(token: str) -> ResponseReturnValue:
    """The link of one of the two messages. Opening it takes its token out of the address bar; the button says yes."""
    carry(LINK, token)
    return see_other(url_for("me.confirm_email"))


@blueprint.route("/email/confirm", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def confirm_email() -> ResponseReturnValue:
    """Say yes for the mailbox the link was sent to."""
    parts, token, me = gateways(), session.get(LINK, ""), current_resident()
    parts.limits.take(INVITATION_LINKS, request.remote_addr or "")
    seen = look_at_email_change(reading(), token=token, clock=parts.clock)
    if seen is None:
        return over("me/email_over.html")
    form = ButtonForm()
    if not seen.has_own_account and form.validate_on_submit():
        stays = session.get(TOKEN) if me and me.account_id == seen.account_id else None
        with form.refusals():
            try:
                with transaction() as db:
                    is_changed = confirm_email_change(db, token=token, stays=stays, clock=parts.clock)
            except NotTheirs:  # given up meanwhile
                return over("me/email_over.html")
            return see_other(url_for("me.email_changed" if is_changed else "me.confirm_email"))
    return page("me/email_confirm.html", form=form, seen=seen)


@blueprint.get("/email/changed")
@open_to(Access.ANYONE)
def email_changed() -> ResponseReturnValue:
    """Both have said yes."""
    return page("me/email_changed.html")
