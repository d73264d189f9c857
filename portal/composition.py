"""The outside world as the portal uses it, put together once at the start."""

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine

from portal.city import City, load_city
from portal.gateways.clock import Clock, SystemClock
from portal.gateways.database.connections import connect
from portal.gateways.database.replica import Replica
from portal.gateways.payments.processor import PaymentProcessor
from portal.gateways.payments.stripe_checkout import STRIPE_API, STRIPE_CHECKOUT, StripeCheckout
from portal.gateways.rate_limits import DESK as COUNTS_OF_DESK
from portal.gateways.rate_limits import PUBLIC as COUNTS
from portal.gateways.rate_limits import RateLimits
from portal.gateways.scanning import Scanner, Scanning, scanner_from
from portal.gateways.storage.store import Storage
from portal.gateways.storage.url import storage_from
from portal.schema.roles import DESK, WEB
from portal.settings import Settings

CITIES = Path(__file__).parent / "city"


@dataclass(frozen=True)
class Gateways:
    """What a use case may need, each by its name."""

    city: City
    clock: Clock
    engine: Engine
    storage: Storage
    processor: PaymentProcessor
    limits: RateLimits
    replica: Replica | None = None
    scanner: Scanner | None = None

    @property
    def scanning(self) -> Scanning:
        """Who looks for viruses in what people send, and whether files may wait for it."""
        return Scanning(self.scanner, self.city.uploads.unscanned_files_wait)


def city_file(named: str) -> Path:
    """`benson` names a file of ours; anything with a suffix is a path."""
    return Path(named) if named.endswith(".toml") else CITIES / f"{named}.toml"


def processor_from(settings: Settings) -> PaymentProcessor:
    """Stripe, or the practice processor at its own address."""
    stripe = settings.stripe
    return StripeCheckout(
        secret_key=stripe.secret_key,
        webhook_secret=stripe.webhook_secret,
        api_base=stripe.api_base or STRIPE_API,
        checkout_origin=settings.practice_url if stripe.is_practice else STRIPE_CHECKOUT,
    )


def compose(settings: Settings, *, database_url: str, role: str, clock: Clock | None = None) -> Gateways:
    """The gateways of one process, acting in the database as `role`; by the machine's clock, if no other is given."""
    city = load_city(city_file(settings.city))
    engine = connect(database_url, role=role)
    return Gateways(
        city=city,
        clock=clock or SystemClock(city.time_zone),
        engine=engine,
        storage=storage_from(settings.storage_url),
        processor=processor_from(settings),
        limits=RateLimits(engine, secret_key=settings.secret_keys[0], table=COUNTS_OF_DESK if role == DESK else COUNTS),
        replica=replica_from(settings, engine) if role == WEB else None,
        scanner=scanner_from(settings.clamd_url),
    )


def replica_from(settings: Settings, primary: Engine) -> Replica | None:
    """The copy that public pages may read. The desk decides by what it reads, and reads what is newest."""
    return Replica(primary, settings.replica_url, role=WEB) if settings.replica_url else None
