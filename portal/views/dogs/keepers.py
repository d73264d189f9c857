"""Who keeps an animal: invite another, see what they share, share, leave; and invite the owner of one given away."""

from uuid import UUID

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.forms.household import InviteForm, ShareForm
from portal.forms.sign_in import ButtonForm
from portal.gateways.rate_limits import INVITATIONS, INVITATIONS_MAILBOX
from portal.ordinance import periods
from portal.ordinance.citation import Rule
from portal.schema.departures import DepartureKind
from portal.schema.household import InvitationKind
from portal.services.animals.past_animals import past_animal_of
from portal.services.dangerous.tell_dangerous_notice import standing_designation
from portal.services.households.household import KeptBy, household_of, leave_animal, share_contact
from portal.services.households.invite_keeper import Inviter, invitations_of, invite, is_claimed, withdraw_invitation
from portal.services.refusal import NotTheirs
from portal.services.signing_in.sign_in import email_key
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dogs.blueprint import blueprint, mine
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.words import day
from portal.views.work import gateways, reading, transaction

SHARES_NOTHING = "Shares no name, phone or e‑mail address with you."


@blueprint.route("/<uuid:animal_id>/keepers", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def keepers(animal_id: UUID) -> ResponseReturnValue:
    """Who keeps it, who is invited, and one more e-mail address."""
    animal = mine(animal_id)
    form = form_for(InviteForm)
    if form.validate_on_submit() and _invited(form, animal_id, InvitationKind.CO_KEEPER):
        return see_other(url_for("dogs.keepers", animal_id=animal_id))
    household = household_of(reading(), animal_id=animal_id, person_id=resident().person_id)
    [me] = [one for one in household if one.is_me]
    return page(
        "dogs/keepers.html",
        form=form,
        animal=animal,
        lines=[_line(one) for one in household],
        share=ShareForm(formdata=None, data={"is_shared": me.shares_contact}),
        button=ButtonForm(formdata=None),
        account_id=resident().account_id,
        invitations=invitations_of(reading(), animal_id=animal_id, clock=gateways().clock),
    )


@blueprint.route("/<uuid:animal_id>/keepers/contact", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def contact(animal_id: UUID) -> ResponseReturnValue:
    """Let the other keepers see one's contact, or not any more."""
    mine(animal_id)
    form = ShareForm()
    if form.validate_on_submit():
        with transaction() as db:
            share_contact(
                db,
                animal_id=animal_id,
                person_id=resident().person_id,
                is_shared=form.is_shared.data,
                clock=gateways().clock,
            )
    return see_other(url_for("dogs.keepers", animal_id=animal_id))


@blueprint.route("/<uuid:animal_id>/invitations/<uuid:invitation_id>/withdraw", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def withdraw_invited(animal_id: UUID, invitation_id: UUID) -> ResponseReturnValue:
    """Take an invitation back; of an animal kept, or of one given away."""
    me = resident()
    household_of(reading(), animal_id=animal_id, person_id=me.person_id)
    form = ButtonForm()
    if form.validate_on_submit():
        with transaction() as db:
            withdraw_invitation(
                db,
                animal_id=animal_id,
                invitation_id=invitation_id,
                person_id=me.person_id,
                clock=gateways().clock,
            )
    return see_other(_back(animal_id))


@blueprint.route("/<uuid:animal_id>/leave", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def leave(animal_id: UUID) -> ResponseReturnValue:
    """I keep it no longer; somebody else does."""
    animal, form = mine(animal_id), form_for(ButtonForm)
    if form.validate_on_submit():
        with form.refusals():
            with transaction() as db:
                leave_animal(db, animal_id=animal_id, person_id=resident().person_id, clock=gateways().clock)
            return see_other(url_for("dogs.index"))
    designation = standing_designation(reading(), animal_id)
    return page("dogs/leave.html", form=form, animal=animal, designation=designation, periods=periods, Rule=Rule)


@blueprint.route("/<uuid:animal_id>/new-owner", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def new_owner(animal_id: UUID) -> ResponseReturnValue:
    """Invite whoever it was given to. The tag stays with the dog."""
    animal, departure = past_animal_of(reading(), person_id=resident().person_id, animal_id=animal_id)
    if departure.kind is not DepartureKind.GIVEN_AWAY:
        raise NotTheirs("It was not given away")
    form = form_for(InviteForm)
    if form.validate_on_submit() and _invited(form, animal_id, InvitationKind.NEW_OWNER):
        return see_other(url_for("dogs.new_owner", animal_id=animal_id))
    return page(
        "dogs/new_owner.html",
        form=form,
        animal=animal,
        button=ButtonForm(formdata=None),
        account_id=resident().account_id,
        invitations=invitations_of(reading(), animal_id=animal_id, clock=gateways().clock),
        is_claimed=is_claimed(reading(), animal_id),
    )


def _line(one: KeptBy) -> dict[str, str]:
    """One keeper as the others see them."""
    since = f"Since {day(one.since)}"
    if one.is_me:
        return {"question": "You", "answer": since}
    if one.contact is None:
        return {"question": "Another keeper", "answer": f"{since}. {SHARES_NOTHING}"}
    reached = (one.contact.phone, one.contact.email, since)
    return {"question": one.contact.name, "answer": ", ".join(part for part in reached if part)}


def _invited(form: InviteForm, animal_id: UUID, kind: InvitationKind) -> bool:
    """Whether the link is on its way; what keeps it back stands beside the answer."""
    me, parts = resident(), gateways()
    parts.limits.take(INVITATIONS, str(me.account_id))
    parts.limits.take(INVITATIONS_MAILBOX, email_key(form.email.data))
    inviter = Inviter(person_id=me.person_id, account_id=me.account_id)
    with form.refusals():
        with transaction() as db:
            invite(db, animal_id=animal_id, kind=kind, email=form.email.data, inviter=inviter, clock=parts.clock)
        return True
    return False


def _back(animal_id: UUID) -> str:
    try:
        past_animal_of(reading(), person_id=resident().person_id, animal_id=animal_id)
    except NotTheirs:
        return url_for("dogs.keepers", animal_id=animal_id)
    return url_for("dogs.new_owner", animal_id=animal_id)
