"""Keep the owner's record up to date with what they last told us (90.04(B)(2))."""

from sqlalchemy.orm import Session

from portal.schema.accounts import Account
from portal.schema.people import Person, Premises
from portal.services.draft_answers import HomeAnswers, OwnerAnswers
from portal.services.record_event import keeper, record_event

MAIL = "mailing_address"


def record_owner(
    session: Session, account: Account, owner: OwnerAnswers, home: HomeAnswers, premises: Premises
) -> Person:
    """The person this mailbox acts for, made at the first registration; later the feed says what it changed of them."""
    person = person_of(session, account)
    if person is None:
        person = Person(kind=owner.kind, name=owner.name)
        session.add(person)
        _write_all(person, account, owner, home, premises)
        session.flush()
        account.person_id = person.id
        return person
    before, lived_at = {**said_of(person), MAIL: person.mailing_address}, person.home_premises_id
    _write_all(person, account, owner, home, premises)
    session.flush()
    after = {**said_of(person), MAIL: person.mailing_address}
    if changed := [name for name, value in after.items() if before[name] != value]:
        record_event(session, "person.changed", person, actor=keeper(person.id), changed=changed)
    if person.home_premises_id != lived_at:
        record_event(session, "person.moved", person, actor=keeper(person.id))
    return person


def person_of(session: Session, account: Account) -> Person | None:
    """Whom this mailbox acts for; None before the first registration."""
    return session.get(Person, account.person_id) if account.person_id else None


def said_of(person: Person) -> dict[str, object]:
    """What a person is asked about themselves, and software that reads the feed may hold."""
    names = ("kind", "name", "phone", "guardian_name", "guardian_contact")
    return {name: getattr(person, name) for name in names}


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


def _write_all(person: Person, account: Account, owner: OwnerAnswers, home: HomeAnswers, premises: Premises) -> None:
    write_owner(person, owner)
    person.email = account.email
    person.home_premises_id = premises.id
    person.mailing_address = home.mailing_address
