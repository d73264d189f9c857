"""A few notices of missing and found pets, so that the boards of a first run are not empty."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import NAMESPACE_URL, uuid5

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.composition import Gateways
from portal.schema.accounts import Account
from portal.schema.notices import Holding, NoticeKind, NoticeSpecies, Size, Temperament
from portal.services.notices.draft import Draft
from portal.services.notices.file_notice import Filer, file_notice
from portal.services.notices.in_progress import BegunNotice, MoreAnswers, PetAnswers, WhereAnswers
from portal.services.secrets import new_token

NOTHING_MORE = MoreAnswers()


@dataclass(frozen=True, kw_only=True)
class SampleNotice:
    """A notice of so many days ago; one of a missing pet is filed by the household with this mailbox."""

    pet: PetAnswers
    place: str
    latitude: float
    longitude: float
    days_ago: int
    more: MoreAnswers = NOTHING_MORE
    filed_by: str | None = None


NOTICES = (
    SampleNotice(
        filed_by="pat.larson@example.com",
        pet=PetAnswers(name="Biscuit", breed="beagle", color="brown and white", size=Size.MEDIUM),
        more=MoreAnswers(temperament=Temperament.FRIENDLY),
        place="Ambush Park",
        latitude=45.325,
        longitude=-95.613,
        days_ago=3,
    ),
    SampleNotice(
        filed_by="mai.nguyen@example.com",
        pet=PetAnswers(
            species=NoticeSpecies.CAT, name="Mướp", color="gray tabby", size=Size.SMALL, wears="a blue collar"
        ),
        more=MoreAnswers(temperament=Temperament.SHY, what_to_do="Please do not run after her. She comes for tuna."),
        place="13th Street North, near the school",
        latitude=45.319,
        longitude=-95.606,
        days_ago=1,
    ),
    SampleNotice(
        pet=PetAnswers(species=NoticeSpecies.CAT, color="gray, striped", size=Size.SMALL),
        place="Wisconsin Avenue at 14th Street",
        latitude=45.3165,
        longitude=-95.6025,
        days_ago=0,
    ),
)


def add_sample_notices(gateways: Gateways) -> None:
    """File those that are missing: each has its own key, and is filed once."""
    for number, sample in enumerate(NOTICES):
        with Session(gateways.engine) as session, session.begin():
            file_notice(
                session,
                Draft(_begun(number, sample, gateways)),
                _filer(session, sample),
                city=gateways.city,
                clock=gateways.clock,
            )


def _begun(number: int, sample: SampleNotice, gateways: Gateways) -> BegunNotice:
    is_lost = sample.filed_by is not None
    where = WhereAnswers(
        place=sample.place,
        latitude=sample.latitude,
        longitude=sample.longitude,
        on=gateways.clock.today() - timedelta(days=sample.days_ago),
        holding=None if is_lost else Holding.SIGHTED,
    )
    return BegunNotice(
        kind=NoticeKind.LOST if is_lost else NoticeKind.FOUND,
        key=uuid5(NAMESPACE_URL, f"sample notice {number}"),
        pet=sample.pet,
        where=where,
        more=sample.more,
    )


def _filer(session: Session, sample: SampleNotice) -> Filer:
    account = select(Account.id, Account.person_id).where(Account.email == sample.filed_by)
    found = session.execute(account).first()
    return Filer(token=new_token(), account_id=found[0], person_id=found[1]) if found else Filer(token=new_token())
