"""Keep the owner's record up to date with what they last told us (90.04(B)(2))."""

from sqlalchemy.orm import Session

from portal.schema.accounts import Account
from portal.schema.people import Person, Premises
from portal.services.draft_answers import HomeAnswers, OwnerAnswers


def record_owner(
    session: Session, account: Account, owner: OwnerAnswers, home: HomeAnswers, premises: Premises
) -> Person:
    """The person this mailbox acts for, made at the first registration."""
    person = session.get(Person, account.person_id) if account.person_id else None
    if person is None:
        person = Person(kind=owner.kind, name=owner.name)
        session.add(person)
    write_owner(person, owner)
    person.email = account.email
    person.home_premises_id = premises.id
    person.mailing_address = home.mailing_address
    session.flush()
    account.person_id = person.id
    return person


def write_owner(person: Person, owner: OwnerAnswers) -> None:
    """What the owner says of themselves; a guardian counts for somebody under 18 alone (90.04(A))."""
    person.kind = owner.kind
    person.name = owner.name
    person.phone = owner.phone
    person.phone_e164 = owner.phone_e164
    person.phone_extension = owner.phone_extension
    person.guardian_name = owner.guardian_name if owner.is_minor else None
    person.guardian_contact = owner.guardian_contact if owner.is_minor else None


def answers_of(session: Session, account: Account) -> tuple[OwnerAnswers, HomeAnswers] | None:
    """What we hold already, to start the next registration from; None before the first."""
    if account.person_id is None:
        return None
    return answers_of_person(session, session.get_one(Person, account.person_id))


def answers_of_person(session: Session, person: Person) -> tuple[OwnerAnswers, HomeAnswers] | None:
    """The same of a person; None for one whose home is not known."""
    home = session.get(Premises, person.home_premises_id) if person.home_premises_id else None
    if home is None:
        return None
    place = HomeAnswers(
        kind=home.kind,
        line1=home.line1,
        unit=home.unit,
        city=home.city,
        state=home.state,
        postal_code=home.postal_code,
        mailing_address=person.mailing_address,
    )
    return owner_of(person), place


def owner_of(person: Person) -> OwnerAnswers:
    """What they said of themselves."""
    return OwnerAnswers(
        kind=person.kind,
        name=person.name,
        phone=person.phone,
        phone_e164=person.phone_e164,
        phone_extension=person.phone_extension,
        is_minor=person.guardian_name is not None,
        guardian_name=person.guardian_name,
        guardian_contact=person.guardian_contact,
    )
