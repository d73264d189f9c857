"""An upgrade without an interruption: the release before works on the newest schema, beside the newest release."""

import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path

import pytest
import requests
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, event, pool

from portal.gateways.clock import SystemClock
from portal.ordinance.license_years import years_open
from portal.schema import migrate
from portal.services.certificates.decide_certificate import accept_certificate
from tests.faults.test_portal_run import two_free_ports
from tests.support.cluster import Cluster
from tests.support.database import Database
from tests.support.owing import CITY, OFFICER, committed
from tests.support.practice import free_socket, wait_for
from tests.support.registering import DETAILS, SAMPLES, answer_eligibility, finish, tell_about, tell_owner_and_home
from tests.upgrades.releases import ROOT, is_in_history, previous, running, unpack
from tests.upgrades.walker import Walker

PREVIOUS = previous()
EMAIL = "pat@example.com"
CODE = re.compile(r"\b\d{6}\b")
LICENSE = "SELECT state FROM animal_control.license"
VACCINATION = "SELECT id FROM animal_control.vaccination"
TRACE = "Traceback (most recent call last)"

needs_history = pytest.mark.skipif(
    not is_in_history(PREVIOUS.commit),
    reason=f"this checkout has no history that holds {PREVIOUS.commit[:7]}: clone it whole (see previous.toml)",
)


@dataclass
class Upgrade:
    """The old pages and worker, and the new pages, over one database that has the newest schema."""

    old_url: str
    new_url: str
    practice_url: str
    database: Database
    folder: Path

    def code(self) -> str:
        """The code in the newest letter that the old worker sent."""

        def look() -> str | None:
            for path in (self.folder / "data" / "mail").glob("*.eml"):
                letter = message_from_bytes(path.read_bytes(), policy=policy.default)
                if EMAIL in str(letter["To"]) and (found := CODE.search(letter.get_body(("plain",)).get_content())):
                    return found[0]
            return None

        return wait_for(look, seconds=180)

    def stumbles(self) -> dict[str, str]:
        """What the programs could not bear."""
        logs = {path.stem: path.read_text(errors="replace") for path in self.folder.glob("*.log")}
        return {program: log[-4000:] for program, log in logs.items() if TRACE in log}


@pytest.fixture
def upgrade(cluster: Cluster, tmp_path: Path) -> Iterator[Upgrade]:
    url, port = cluster.fresh_database(), two_free_ports()
    with free_socket() as free:
        new_port = free.getsockname()[1]
    usual = {
        "DATABASE_URL": url,
        "SECRET_KEY": "one key for both releases that is long enough",
        "PORTAL_DATA": str(tmp_path / "data"),
        "BASE_URL": f"http://127.0.0.1:{port}",
        "STRIPE_API_BASE": f"http://127.0.0.1:{port + 1}",
    }
    old = {**usual, "PORT": str(port)}
    new = {**usual, "PORT": str(new_port), "BASE_URL": f"http://127.0.0.1:{new_port}"}
    code = unpack(PREVIOUS.commit, tmp_path)
    processes: dict[Path, subprocess.Popen[bytes]] = {}
    with ExitStack() as stack:
        for name, where, program, environment in (
            ("practice", code, "practice", old),
            ("old-web", code, "web", old),
            ("old-worker", code, "worker", old),
            ("new-web", ROOT, "web", new),
        ):
            log = tmp_path / f"{name}.log"
            processes[log] = stack.enter_context(running(where, program, environment=environment, log=log))
        engine = create_engine(url, poolclass=pool.NullPool)
        found = Upgrade(old["BASE_URL"], new["BASE_URL"], old["STRIPE_API_BASE"], Database(url, engine), tmp_path)
        for address in (found.old_url, found.new_url, found.practice_url):
            wait_for(lambda address=address: _answers(address) or _ended(processes), seconds=240)
        assert not (ended := _ended(processes)), ended
        yield found
    cluster.drop(url)


def _ended(processes: Mapping[Path, subprocess.Popen[bytes]]) -> list[str]:
    """What those said that could not be started."""
    return [log.read_text() for log, process in processes.items() if process.poll() is not None]


def _answers(url: str) -> bool:
    try:
        return requests.get(f"{url}/health/live", timeout=5).status_code < 500
    except (requests.ConnectionError, requests.Timeout):
        return False


@needs_history
def test_a_letter_that_the_release_before_left_waiting_still_has_its_words():
    asked = ["git", "-C", ROOT, "ls-tree", "--name-only", PREVIOUS.commit, "portal/templates/messages/"]
    left = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    assert left
    assert [path for path in left if not (ROOT / path).is_file()] == []


@needs_history
@pytest.mark.timeout(600)
def test_while_the_newest_release_comes_up_the_one_before_takes_a_registration_to_its_license(upgrade):
    clock = SystemClock(CITY.time_zone)
    year, *_ = years_open(clock.today(), CITY.license.year_start, renewal_window_days=CITY.license.renewal_window_days)
    pat = Walker(upgrade.old_url)
    answer_eligibility(pat)
    pat.submit(email=EMAIL)
    pat.submit(code=upgrade.code())
    tell_owner_and_home(pat)
    tell_about(pat, year=str(year.number))
    given_on = (clock.today() - timedelta(days=200)).replace(day=1)  # there is one in every year
    details = {**DETAILS, "given_on": given_on, "due_on": given_on.replace(year=given_on.year + 3)}
    pat.submit(file=SAMPLES / "certificate-3-year.pdf").submit(details)
    finish(pat)
    assert pat.path.startswith("/pay/")

    with committed(upgrade.database.engine) as session:  # an officer at the new desk
        accept_certificate(
            session, vaccination_id=upgrade.database.value(VACCINATION), officer=OFFICER, city=CITY, clock=clock
        )
    _pay_by_card(pat)
    wait_for(lambda: upgrade.database.value(LICENSE) == "issued", seconds=180)

    beside = Walker(upgrade.new_url, browser=pat.browser)
    assert "Pepper" in beside.visit("/dogs").page.text, "signed in at the old release, not known to the new one"
    assert "Pepper" in pat.visit("/dogs").page.text
    assert upgrade.stumbles() == {}
    assert requests.get(f"{upgrade.new_url}/health/ready", timeout=60).status_code == 200
    old_is_ready = requests.get(f"{upgrade.old_url}/health/ready", timeout=60).status_code == 200
    assert old_is_ready or not PREVIOUS.says_it_is_ready


def _pay_by_card(pat: Walker) -> None:
    """Press “Pay by card” at the portal, and again at the practice processor."""
    form = next(form for form in pat.page.forms if form.action.endswith("/card"))
    headers = {"Origin": pat.url}
    answer = pat.browser.post(
        pat.url + form.action, data=form.filled({}, button=None), headers=headers, allow_redirects=False, timeout=60
    )
    assert answer.status_code == 303
    paid = requests.post(answer.headers["Location"], data={"way": "card"}, allow_redirects=False, timeout=60)
    assert paid.status_code == 303


# What the release before cannot bear, or what holds a table for as long as it is large.
TAKES_AWAY = re.compile(
    r"\bDROP (TABLE|COLUMN|FUNCTION|SCHEMA|TYPE)\b|\bRENAME (TO|COLUMN)\b|\bSET NOT NULL\b|\bALTER COLUMN \w+ TYPE\b"
    r"|\bADD COLUMN (?!.*\bDEFAULT\b)[^;]*\bNOT NULL\b",
    re.IGNORECASE,
)


def test_no_migration_since_then_takes_away_what_the_release_before_uses(cluster):
    """Expand, then contract: what is to go is named in previous.toml, a release after the last that used it."""
    scripts = ScriptDirectory(str(migrate.FOLDER))
    since = [script.revision for script in scripts.iterate_revisions(migrate.head(), PREVIOUS.schema)][::-1]
    url, found = cluster.empty_database(), []
    migrate.upgrade(url, PREVIOUS.schema)

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if TAKES_AWAY.search(statement):
            found.append((revision, " ".join(statement.split())[:200]))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        for revision in since:
            migrate.upgrade(url, revision)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
        cluster.drop(url)
    assert [one for one in found if one[0] not in PREVIOUS.contracting] == []
