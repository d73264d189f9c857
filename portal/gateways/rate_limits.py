"""Limits on how often something may be tried, counted in the database and so shared between processes."""

import hmac
import time
from dataclasses import dataclass

from limits import RateLimitItem, RateLimitItemPerDay, RateLimitItemPerMinute
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter
from sqlalchemy import Engine, text

TAKE = """
    INSERT INTO {table} AS counted (key, count, expires_at)
    VALUES (:key, :amount, now() + make_interval(secs => :seconds))
    ON CONFLICT (key) DO UPDATE SET
        count = CASE WHEN counted.expires_at <= now() THEN :amount ELSE counted.count + :amount END,
        expires_at = CASE WHEN counted.expires_at <= now() THEN EXCLUDED.expires_at ELSE counted.expires_at END
    RETURNING count
    """
# By the database's clock alone: this machine's may be another.
READ = "SELECT count, extract(epoch FROM expires_at - now()) FROM {table} WHERE key = :key AND expires_at > now()"
CLEAR = "DELETE FROM {table} WHERE key = :key"
CLEAR_ALL = "DELETE FROM {table}"
# Where the public pages count, and where the desk does: neither looks at the other's.
PUBLIC, DESK = "portal.rate_limit", "portal.desk_rate_limit"


@dataclass(frozen=True)
class Limit:
    """So many times in a while, named for what it protects."""

    name: str
    item: RateLimitItem


class TooOften(Exception):
    """The limit is reached; trying again makes sense after so many seconds."""

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__(f"Too often; try again in {retry_after_seconds} s")
        self.retry_after_seconds = retry_after_seconds


MAILBOX = Limit("sign-in-mailbox", RateLimitItemPerMinute(5, 15))
MAILBOX_A_DAY = Limit("sign-in-mailbox-day", RateLimitItemPerDay(30))
# A library, a school or a whole carrier can stand behind one address.
ADDRESS = Limit("sign-in-address", RateLimitItemPerMinute(60, 5))
DESIGNATION_CODES = Limit("designation-codes-account", RateLimitItemPerMinute(20, 60))
# A right that ends: a library of people may ask at once, and a machine still finds an end.
HEARING_REQUESTS = Limit("hearing-requests-address", RateLimitItemPerMinute(60, 60))
REQUIREMENT_LINKS = Limit("requirement-links-address", RateLimitItemPerMinute(30))
REQUIREMENT_LETTERS = Limit("requirement-letters-account", RateLimitItemPerDay(12))
REGISTRATION_SHEETS = Limit("registration-sheets-account", RateLimitItemPerMinute(20, 10))
CODE_FROM_ADDRESS = Limit("sign-in-code-address", RateLimitItemPerMinute(120, 5))
UPLOADS = Limit("uploads-account", RateLimitItemPerMinute(60, 10))
# A morning's certificates dropped at once; each is read by itself.
CLINIC_UPLOADS = Limit("uploads-clinic", RateLimitItemPerMinute(300, 10))
CLINIC_ASKS = Limit("clinic-asks-address", RateLimitItemPerDay(10))
CLINIC_ASKS_MAILBOX = Limit("clinic-asks-mailbox", RateLimitItemPerDay(3))
CLINIC_TABLES = Limit("tables-clinic", RateLimitItemPerMinute(20, 10))
CLINIC_LETTERS = Limit("letters-clinic", RateLimitItemPerDay(50))
VET_ASKS = Limit("vet-asks-account", RateLimitItemPerDay(12))
VET_ASKS_MAILBOX = Limit("vet-asks-mailbox", RateLimitItemPerDay(40))
VET_LINKS = Limit("vet-links-address", RateLimitItemPerMinute(30))
PROOF_LOOKUPS = Limit("proof-address", RateLimitItemPerMinute(30))
# One certificate after the other, and room to look at what became of them.
CLINIC_SOFTWARE = Limit("software-token", RateLimitItemPerMinute(120))
# Software whose token was taken back keeps asking; a scanner asks faster.
WRONG_TOKENS = Limit("software-wrong-token-address", RateLimitItemPerMinute(60, 5))
# Opening a tag's page asks nothing of the database; only sending does. See docs/decisions on looking up tags.
TAG_PAGES = Limit("tag-pages-address", RateLimitItemPerMinute(60))
TAG_SENDS = Limit("tag-sends-address", RateLimitItemPerMinute(5, 60))
TAG_SENDS_A_DAY = Limit("tag-sends-address-day", RateLimitItemPerDay(15))
# All of the city together, so that many addresses can't count through the tags together.
TAG_SENDS_OF_ALL = Limit("tag-sends-all", RateLimitItemPerMinute(120, 60))
TAG_TOLD = Limit("tag-told", RateLimitItemPerDay(12))
FINDER_MAILBOX = Limit("finder-mailbox", RateLimitItemPerDay(5))
RELAY_LINKS = Limit("relay-links-address", RateLimitItemPerMinute(30))
RELAY_WORDS = Limit("relay-words", RateLimitItemPerMinute(12, 10))
# Notices are seen by everybody; whoever misses a pet files one.
NOTICE_ANSWERS = Limit("notice-answers-address", RateLimitItemPerMinute(300, 10))
NOTICES = Limit("notices-address", RateLimitItemPerMinute(8, 60))
NOTICES_A_DAY = Limit("notices-address-day", RateLimitItemPerDay(25))
NOTICE_WORDS = Limit("notice-words-address", RateLimitItemPerMinute(10, 60))
# One owner is not flooded, however many addresses write.
NOTICE_TOLD = Limit("notice-told", RateLimitItemPerDay(60))
NOTICE_COMPLAINTS = Limit("notice-complaints-address", RateLimitItemPerMinute(10, 60))
NOTICE_LINKS = Limit("notice-links-address", RateLimitItemPerMinute(30))
FEE_QUESTIONS = Limit("fee-questions-address", RateLimitItemPerMinute(5, 60))
# Nobody is written to over and over, whoever the sender pretends to keep a dog with.
INVITATIONS = Limit("invitations-account", RateLimitItemPerDay(10))
INVITATIONS_MAILBOX = Limit("invitations-mailbox", RateLimitItemPerDay(5))
INVITATION_LINKS = Limit("invitation-links-address", RateLimitItemPerMinute(30))
EMAIL_CHANGES = Limit("email-changes-account", RateLimitItemPerDay(5))
EMAIL_CHANGES_MAILBOX = Limit("email-changes-mailbox", RateLimitItemPerDay(3))
DATA_LOOKS = Limit("my-data-account", RateLimitItemPerMinute(30, 10))
# Somebody says STOP, START and HELP in a day; two machines that answer each other say more.
TEXTS_IN = Limit("texts-in-phone", RateLimitItemPerDay(6))
# By address alone: a key made of a place or an animal would tell whether anybody reports it.
REPORT_ANSWERS = Limit("report-answers-address", RateLimitItemPerMinute(300, 10))
REPORTS = Limit("reports-address", RateLimitItemPerMinute(12, 60))
REPORTS_A_DAY = Limit("reports-address-day", RateLimitItemPerDay(40))
# A stranger's mailbox gets the letter that asks whether a report is its holder's so often, and no more.
REPORT_MAILBOX = Limit("report-mailbox", RateLimitItemPerDay(4))
# Software of many people sends with one key, and asks for all of them.
OPEN311_READS = Limit("open311-reads-address", RateLimitItemPerMinute(120))
OPEN311_SENDS = Limit("open311-sends-key", RateLimitItemPerMinute(60))
OPEN311_SENDS_A_DAY = Limit("open311-sends-key-day", RateLimitItemPerDay(2000))
OPEN311_SENDS_OF_ACCOUNT = Limit("open311-sends-account", RateLimitItemPerDay(30))
# For each sender apart, so that nobody learns from it what others sent under the same mailbox.
OPEN311_MAILBOX = Limit("open311-mailbox-of-sender", RateLimitItemPerDay(5))
# Each is set anew, which takes a fifth of a second; a library's printer stands behind one address too.
POSTERS = Limit("posters-address", RateLimitItemPerMinute(20))
KEPT_ANSWERS = Limit("kept-answers-address", RateLimitItemPerMinute(30, 5))
REPORT_LINKS = Limit("report-links-address", RateLimitItemPerMinute(30))
REPORT_WORDS = Limit("report-words", RateLimitItemPerMinute(20, 10))
REPORT_FILES = Limit("report-files-address", RateLimitItemPerMinute(30, 10))
REPORT_CODES = Limit("report-codes-address", RateLimitItemPerMinute(20, 60))
# A phone sends after each barking, and again when it has a signal.
REPORT_LOG = Limit("report-log-address", RateLimitItemPerMinute(60, 5))
# A police station stands behind one address. Six digits are few: whoever guesses at the second step is stopped early.
STAFF_ADDRESS = Limit("staff-address", RateLimitItemPerMinute(60, 15))
STAFF_MAILBOX = Limit("staff-mailbox", RateLimitItemPerMinute(5, 15))
STAFF_SECOND = Limit("staff-second-step", RateLimitItemPerMinute(6, 15))
STAFF_SECOND_A_DAY = Limit("staff-second-step-day", RateLimitItemPerDay(40))


class DatabaseCounts(Storage):
    """Counts of the `limits` library in one table: one statement counts and reads, so it is exact among threads."""

    STORAGE_SCHEME = ["portal-database"]  # noqa: RUF012 - the library reads it from the class

    def __init__(self, engine: Engine, *, table: str) -> None:
        super().__init__(None)
        self._take, self._one, self._clear, self._all = (
            text(statement.format(table=table)) for statement in (TAKE, READ, CLEAR, CLEAR_ALL)
        )
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")

    @property
    def base_exceptions(self) -> type[Exception]:
        return Exception

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        with self._engine.connect() as connection:
            return int(connection.scalar(self._take, {"key": key, "amount": amount, "seconds": expiry}) or 0)

    def get(self, key: str) -> int:
        return self._read(key)[0]

    def get_expiry(self, key: str) -> float:
        return self._read(key)[1]

    def check(self) -> bool:
        with self._engine.connect() as connection:
            return connection.scalar(text("SELECT true")) is True

    def reset(self) -> int | None:
        with self._engine.connect() as connection:
            return connection.execute(self._all).rowcount

    def clear(self, key: str) -> None:
        with self._engine.connect() as connection:
            connection.execute(self._clear, {"key": key})

    def _read(self, key: str) -> tuple[int, float]:
        with self._engine.connect() as connection:
            row = connection.execute(self._one, {"key": key}).first()
        return (int(row[0]), time.time() + float(row[1])) if row else (0, time.time())


class RateLimits:
    """Counts attempts and says when there were too many."""

    def __init__(self, engine: Engine, *, secret_key: str, table: str = PUBLIC) -> None:
        self._limiter = FixedWindowRateLimiter(DatabaseCounts(engine, table=table))
        self._secret_key = secret_key.encode()

    def take(self, limit: Limit, who: str) -> None:
        """Count one attempt by `who`; raises TooOften.

        Mailboxes and addresses are stored as hashes, under a key that the database doesn't hold: there are so few
        addresses that who reported could be found by trying them all.
        """
        key = hmac.new(self._secret_key, who.encode("utf-8", "surrogatepass"), "sha256").hexdigest()[:32]
        if self._limiter.hit(limit.item, limit.name, key):
            return
        window = self._limiter.get_window_stats(limit.item, limit.name, key)
        raise TooOften(max(1, round(window.reset_time - time.time())))
