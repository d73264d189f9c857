"""Everything the portal holds about one person, to read and to take away (Minn. Stat. 13.04 subd. 3).

A fixed number of queries, each with the person in it. Nothing about other people: of an animal kept together the animal
is told, not who else keeps it or where they live; of a letter, what it was about; of a secret, only that it was sent.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import RowMapping, Select, and_, case, func, literal, or_, select, union
from sqlalchemy.orm import Session

from portal.schema.accounts import Account, SignIn
from portal.schema.animals import Animal, Keeper
from portal.schema.clinic_access import ClinicMember
from portal.schema.clinics import CertificateDemand, Clinic, VetRequest
from portal.schema.departures import Departure, FeeQuestion, OwnershipClaim
from portal.schema.drafts import Draft, Upload
from portal.schema.household import EmailChange, KeeperInvitation
from portal.schema.impoundments import PUBLIC_BASES, Impoundment
from portal.schema.licenses import License, Tag
from portal.schema.notices import PetNotice
from portal.schema.notices_private import NoticePrivate
from portal.schema.orders import Order, OrderLine, Payment
from portal.schema.outbox import OutgoingMessage
from portal.schema.people import HouseholdStatement, Person, Premises
from portal.schema.reminders import ReminderChoice
from portal.schema.tag_requests import TagRequest
from portal.schema.vaccinations import CertificateState, Vaccination
from portal.services.accounts.my_columns import Who, columns_of, kept_now, of_my_animals
from portal.services.accounts.my_dangerous_data import DESIGNATED

# What a letter was about. The rest of it may have been written by somebody else.
TOLD = ("animal", "animals", "reference", "total_cents", "year", "number", "good_until", "valid_until", "show_by")

Entry = dict[str, Any]


def my_data(session: Session, who: Who) -> dict[str, list[Entry]]:
    """By subject, what is held."""
    found = {subject: [dict(row) for row in session.execute(held(who)).mappings()] for subject, held in HELD.items()}
    found["letters"] = [_letter(row) for row in session.execute(_letters(who)).mappings()]
    return found


def _account(who: Who) -> Select[Any]:
    return columns_of(Account, "email created_at closed_at").where(Account.id == who.account_id)


def _person(who: Who) -> Select[Any]:
    return columns_of(
        Person, "kind name email phone phone_extension guardian_name guardian_contact mailing_address created_at"
    ).where(Person.id == who.person_id)


def _homes(who: Who) -> Select[Any]:
    """The home, and those that were stated before; never another keeper's."""
    stated = select(HouseholdStatement.premises_id).where(HouseholdStatement.person_id == who.person_id)
    home = select(Person.home_premises_id).where(Person.id == who.person_id)
    its_own = or_(Premises.id.in_(stated), Premises.id.in_(home))
    return (
        columns_of(Premises, "kind unit city state postal_code")
        .add_columns(Premises.line1.label("address"))
        .where(its_own)
    )


def _other_dogs(who: Who) -> Select[Any]:
    columns = "other_dogs description litter_born_on created_at"
    return columns_of(HouseholdStatement, columns).where(HouseholdStatement.person_id == who.person_id)


def _animals(who: Who) -> Select[Any]:
    columns = (
        "species name breed color sex is_altered born_on estimated_age_months microchip came_from state state_since"
    )
    mine = columns_of(Animal, columns).add_columns(Keeper.role, Keeper.since, Keeper.shares_contact)
    return mine.join(Keeper, Keeper.animal_id == Animal.id).where(*kept_now(who)).order_by(Animal.name)


def _animals_before(who: Who) -> Select[Any]:
    """Animals somebody else keeps now: only that, and when, this person kept them."""
    kept = columns_of(Animal, "name species").add_columns(Keeper.since, Keeper.until)
    before = kept.join(Keeper, Keeper.animal_id == Animal.id)
    return before.where(Keeper.person_id == who.person_id, Keeper.until.is_not(None))


def _vaccinations(who: Who) -> Select[Any]:
    columns = (
        "state given_on certificate_due_on ordinance_until dose product manufacturer lot duration_years rabies_tag "
        "veterinarian clinic_name weight decision_reason created_at decided_at"
    )
    of_it = of_my_animals(columns_of(Vaccination, columns), Vaccination.animal_id, who)
    return of_it.where(Vaccination.state != CertificateState.REPLACED)


def _licenses(who: Who) -> Select[Any]:
    columns = "year number state basis waiver_state valid_from valid_until delivery proof_code issued_at created_at"
    return of_my_animals(columns_of(License, columns), License.animal_id, who)


def _tags(who: Who) -> Select[Any]:
    tags = columns_of(Tag, "year number issue state delivery sent_at created_at")
    return of_my_animals(tags.join(License, License.id == Tag.license_id), License.animal_id, who)


def _tag_requests(who: Who) -> Select[Any]:
    return columns_of(TagRequest, "loss told delivery state created_at").where(TagRequest.asked_by == who.person_id)


def _departures(who: Who) -> Select[Any]:
    told = columns_of(Departure, "kind happened_on note undone_at created_at").add_columns(Animal.name)
    return told.join(Animal, Animal.id == Departure.animal_id).where(Departure.told_by == who.person_id)


def _claims(who: Who) -> Select[Any]:
    mine = columns_of(OwnershipClaim, "state reason decided_at created_at").add_columns(Animal.name)
    return mine.join(Animal, Animal.id == OwnershipClaim.animal_id).where(OwnershipClaim.claimed_by == who.person_id)


def _orders(who: Who) -> Select[Any]:
    columns = "reference state total_cents counter_chosen_at paid_at created_at"
    return columns_of(Order, columns).where(Order.person_id == who.person_id).order_by(Order.created_at)


def _fees(who: Who) -> Select[Any]:
    lines = columns_of(OrderLine, "description amount_cents resolution").add_columns(Order.reference)
    mine = lines.join(Order, Order.id == OrderLine.order_id).where(Order.person_id == who.person_id)
    return mine.order_by(Order.created_at, OrderLine.description)


def _payments(who: Who) -> Select[Any]:
    columns = "method state amount_cents refunded_cents receipt_number paid_at created_at"
    mine = columns_of(Payment, columns).add_columns(Order.reference)
    return mine.join(Order, Order.id == Payment.order_id).where(Order.person_id == who.person_id)


def _vet_requests(who: Who) -> Select[Any]:
    columns = "clinic_name clinic_email created_at expires_at withdrawn_at answered_at"
    return columns_of(VetRequest, columns).where(VetRequest.asked_by == who.person_id)


def _demands(who: Who) -> Select[Any]:
    columns = "demanded_on show_by legal_last_day presented_at is_late"
    return of_my_animals(columns_of(CertificateDemand, columns), CertificateDemand.animal_id, who)


def _at_the_pound(who: Who) -> Select[Any]:
    """Stays that stand on the portal's pages; of others the city tells itself (13.82)."""
    columns = "species breed color sex size age_text marks area seized_on left_on"
    shown = columns_of(Impoundment, columns).where(Impoundment.basis.in_(PUBLIC_BASES))
    return of_my_animals(shown, Impoundment.animal_id, who)


def _fee_questions(who: Who) -> Select[Any]:
    columns = "fee text contact answer answered_at created_at"
    return columns_of(FeeQuestion, columns).where(FeeQuestion.person_id == who.person_id)


def _invitations(who: Who) -> Select[Any]:
    mine = or_(KeeperInvitation.invited_by == who.account_id, KeeperInvitation.accepted_by == who.account_id)
    columns = "kind created_at expires_at accepted_at withdrawn_at"
    return columns_of(KeeperInvitation, columns).where(mine)


def _email_changes(who: Who) -> Select[Any]:
    columns = "old_email new_email old_confirmed_at new_confirmed_at expires_at ended_at created_at"
    return columns_of(EmailChange, columns).where(EmailChange.account_id == who.account_id)


def _sign_ins(who: Who) -> Select[Any]:
    mine = columns_of(SignIn, "created_at expires_at ended_at").where(SignIn.account_id == who.account_id)
    return mine.order_by(SignIn.created_at)


def _drafts(who: Who) -> Select[Any]:
    begun = and_(Draft.account_id == who.account_id, Draft.submitted_at.is_(None))
    return columns_of(Draft, "answers updated_at created_at").where(begun)


def _files(who: Who) -> Select[Any]:
    columns = "kind original_name media_type size_bytes created_at"
    return columns_of(Upload, columns).where(Upload.account_id == who.account_id)


def _reminders(who: Who) -> Select[Any]:
    columns = "stopped_at sms_phone sms_consented_at sms_consent_text sms_stopped_at"
    return columns_of(ReminderChoice, columns).where(ReminderChoice.account_id == who.account_id)


def _clinics(who: Who) -> Select[Any]:
    member = columns_of(ClinicMember, "email created_at").add_columns(Clinic.name)
    mine = member.join(Clinic, Clinic.id == ClinicMember.clinic_id)
    return mine.where(ClinicMember.email_key == who.email_key, ClinicMember.until.is_(None))


def _letters(who: Who) -> Select[Any]:
    """To the mailbox of now and to those before; never what another account was sent while a mailbox was its own."""
    columns = "channel template context is_secret created_at sent_at failed_at"
    to, at = OutgoingMessage.recipient, OutgoingMessage.created_at
    before = select(EmailChange.old_email).where(EmailChange.account_id == who.account_id)
    left_next = select(EmailChange.account_id).where(EmailChange.old_email == to, EmailChange.ended_at >= at)
    left_next_by = left_next.order_by(EmailChange.ended_at).limit(1).scalar_subquery()
    sent = columns_of(OutgoingMessage, columns).where(
        to.in_(union(select(literal(who.email)), before.where(EmailChange.old_email.is_not(None)))),
        func.coalesce(left_next_by, case((to == who.email, who.account_id))) == who.account_id,
    )
    return sent.order_by(at)


def _notices(who: Who) -> Select[Any]:
    columns = "reference kind state species name breed color marks wears what_to_do place_text happened_on shown_phone"
    mine = columns_of(PetNotice, columns).add_columns(
        NoticePrivate.withheld_mark, NoticePrivate.chip, PetNotice.created_at
    )
    return mine.join(NoticePrivate, NoticePrivate.notice_id == PetNotice.id).where(
        NoticePrivate.account_id == who.account_id
    )


HELD: dict[str, Callable[[Who], Select[Any]]] = {
    "account": _account,
    "person": _person,
    "homes": _homes,
    "other_dogs_stated": _other_dogs,
    "animals": _animals,
    "animals_kept_before": _animals_before,
    "vaccinations": _vaccinations,
    "licenses": _licenses,
    "tags": _tags,
    "duplicate_tags_asked_for": _tag_requests,
    "animals_told_gone": _departures,
    "animals_taken_over": _claims,
    "orders": _orders,
    "fees": _fees,
    "payments": _payments,
    "certificates_asked_of_vets": _vet_requests,
    "certificates_demanded": _demands,
    "at_the_pound": _at_the_pound,
    "questions_about_fees": _fee_questions,
    "notices": _notices,
    "invitations": _invitations,
    "changes_of_mailbox": _email_changes,
    "sign_ins": _sign_ins,
    "registration_begun": _drafts,
    "files_not_filed_yet": _files,
    "reminders": _reminders,
    "clinics_filed_for": _clinics,
    **DESIGNATED,
}


def _letter(row: RowMapping) -> Entry:
    told = {} if row["is_secret"] else {name: row["context"][name] for name in TOLD if name in row["context"]}
    sent = {"letter": row["template"], "by": row["channel"], "written_at": row["created_at"], "sent_at": row["sent_at"]}
    return {**sent, **told}
