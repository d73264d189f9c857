"""The invented people of the sample data. Their telephone numbers and mailboxes can belong to nobody."""

from dataclasses import dataclass

from portal.ordinance.dangerous import Ground
from portal.ordinance.licensing import Situation
from portal.schema.animals import Sex
from portal.schema.licenses import Delivery


@dataclass(frozen=True, kw_only=True)
class SampleDog:
    name: str
    breed: str
    color: str
    sex: Sex
    age_months: int
    vaccinated_days_ago: int
    situation: Situation = Situation.RESIDENT_DOG
    delivery: Delivery = Delivery.MAIL
    is_certificate_waiting: bool = False
    dangerous_for: tuple[Ground, ...] = ()
    """What animal control designated it for; for most dogs nothing."""


@dataclass(frozen=True, kw_only=True)
class SampleHousehold:
    name: str
    email: str
    phone: str
    line1: str
    dogs: tuple[SampleDog, ...]
    unit: str | None = None


HOUSEHOLDS = (
    SampleHousehold(
        name="Pat Larson",
        email="pat.larson@example.com",
        phone="(320) 555-0142",
        line1="1200 Atlantic Avenue",
        dogs=(
            SampleDog(
                name="Pepper",
                breed="Labrador mix",
                color="black",
                sex=Sex.FEMALE,
                age_months=50,
                vaccinated_days_ago=210,
            ),
        ),
    ),
    SampleHousehold(
        name="Mai Nguyễn",
        email="mai.nguyen@example.com",
        phone="(320) 555-0163",
        line1="415 13th Street North",
        unit="Apt C",
        dogs=(
            SampleDog(
                name="Bánh Mì",
                breed="corgi",
                color="tan and white",
                sex=Sex.MALE,
                age_months=28,
                vaccinated_days_ago=95,
                delivery=Delivery.PICK_UP,
            ),
            SampleDog(
                name="Max",
                breed="beagle",
                color="tricolor",
                sex=Sex.MALE,
                age_months=80,
                vaccinated_days_ago=400,
            ),
        ),
    ),
    SampleHousehold(
        name="Sean O’Brien",
        email="sean.obrien@example.com",
        phone="(320) 555-0117 x12",
        line1="N8780 County Road 20",
        dogs=(
            SampleDog(
                name="Biscuit",
                breed="golden retriever",
                color="gold",
                sex=Sex.FEMALE,
                age_months=62,
                vaccinated_days_ago=300,
                situation=Situation.ASSISTANCE_DOG,
            ),
        ),
    ),
    SampleHousehold(
        name="Hodan Warsame",
        email="hodan.warsame@example.com",
        phone="320.555.0188",
        line1="123½ Main Street",
        dogs=(
            SampleDog(
                name="Luna",
                breed="husky",
                color="gray and white",
                sex=Sex.FEMALE,
                age_months=20,
                vaccinated_days_ago=12,
                is_certificate_waiting=True,
            ),
        ),
    ),
    SampleHousehold(
        name="Robin Haugen",
        email="robin.haugen@example.com",
        phone="(320) 555-0129",
        line1="308 19th Street South",
        dogs=(
            SampleDog(
                name="Duke",
                breed="mixed",
                color="brown",
                sex=Sex.MALE,
                age_months=74,
                vaccinated_days_ago=150,
                dangerous_for=(Ground.KILLED_ANIMAL,),
            ),
        ),
    ),
)
