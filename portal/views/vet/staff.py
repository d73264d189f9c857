"""Who may file for the clinic."""

from uuid import UUID

from flask import url_for
from flask.typing import ResponseReturnValue

from portal.forms.clinics import NewMemberForm
from portal.forms.sign_in import ButtonForm
from portal.gateways.rate_limits import CLINIC_LETTERS
from portal.services.clinics.staff import add_member, member_of, members_of, remove_member
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.clinic_identity import clinic
from portal.views.kept_answers import form_for
from portal.views.vet.blueprint import blueprint
from portal.views.work import gateways, reading, transaction


@blueprint.route("/staff", methods=["GET", "POST"])
@open_to(Access.CLINIC)
def staff() -> ResponseReturnValue:
    """The members, and another mailbox."""
    form = form_for(NewMemberForm)
    if form.validate_on_submit():
        gateways().limits.take(CLINIC_LETTERS, str(clinic().clinic_id))
        with transaction() as db:
            add_member(db, clinic(), email=form.email.data, clock=gateways().clock)
        return see_other(url_for("vet.staff"))
    members = members_of(reading(), clinic_id=clinic().clinic_id)
    return page("vet/staff.html", form=form, staff=clinic(), members=members)


@blueprint.route("/staff/<uuid:member_id>/remove", methods=["GET", "POST"])
@open_to(Access.CLINIC)
def remove_staff(member_id: UUID) -> ResponseReturnValue:
    """Ask once, then remove the mailbox."""
    member = member_of(reading(), clinic_id=clinic().clinic_id, member_id=member_id)
    form = ButtonForm()
    if form.validate_on_submit():
        with form.refusals(), transaction() as db:
            remove_member(db, clinic(), member_id=member_id, clock=gateways().clock)
            return see_other(url_for("vet.staff"))
    return page("vet/remove_staff.html", form=form, member=member)
