"""The busiest day of the year: every household is reminded to renew. How long it takes, how much memory, what it asks.

The worker's own job runs in a process of its own, so that its memory is seen alone; then once more on the day after,
as it does every hour when nothing is due.
"""

import json
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from datetime import time as time_of_day
from pathlib import Path

from sqlalchemy import create_engine, event, text

from bench.report import Figure, Report, table
from bench.stage import SECRET_KEY, Stage
from portal.composition import compose
from portal.gateways.clock import FixedClock
from portal.gateways.mail.door import FileMailer
from portal.ordinance.license_years import license_year_of
from portal.schema.roles import WORKER
from portal.settings import Settings
from portal.worker.parts import Parts
from portal.worker.reminders import send_reminders

DOGS = 100_000
DAYS_BEFORE = 30
MOST_SECONDS, MOST_SECONDS_IDLE, MOST_MB, MOST_QUERIES = 60.0, 5.0, 200.0, 0.05
# As if everybody had been licensed for long: a step that had passed before there was a license is not caught up.
LONG_LICENSED = (
    "UPDATE animal_control.license SET issued_at = issued_at - interval '300 days' WHERE issued_at IS NOT NULL",
    "UPDATE animal_control.keeper SET since = since - interval '300 days'",
    "UPDATE portal.draft SET updated_at = updated_at - interval '300 days'",
)
LETTERS = text("SELECT count(*) FROM portal.outgoing_message WHERE template = 'reminder_renewal'")


@dataclass(frozen=True)
class Run:
    """What one run of the job took."""

    letters: int
    seconds: float
    queries: int
    peak_mb: float


def measure(stage: Stage, report: Report, *, dogs: int) -> None:
    url = stage.postgres.url(stage.larger_database(dogs))
    _let_time_pass(url)
    first, again = (_run_alone(stage.folder, url, days_before=days) for days in (DAYS_BEFORE, DAYS_BEFORE - 1))
    rows = [(name, *_row(run)) for name, run in (("everybody is due", first), ("the day after", again))]
    table(f"Reminders among {dogs} dogs", ("run", "letters", "s", "queries", "peak MB"), rows)
    if not first.letters or again.letters:
        raise SystemExit(f"{first.letters} and {again.letters} letters: not the day that was to be measured")
    report.add(
        Figure(f"reminders: {first.letters} letters among {dogs} dogs", first.seconds, "s", at_most=MOST_SECONDS),
        Figure("reminders: queries a message", first.queries / first.letters, "", at_most=MOST_QUERIES),
        Figure("reminders: peak memory of the process", first.peak_mb, "MB", at_most=MOST_MB),
        Figure("reminders: when nothing is due", again.seconds, "s", at_most=MOST_SECONDS_IDLE),
    )


def _let_time_pass(url: str) -> None:
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in LONG_LICENSED:
            connection.execute(text(statement))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM (ANALYZE)"))
    engine.dispose()


def _run_alone(folder: Path, url: str, *, days_before: int) -> Run:
    command = [sys.executable, "-m", "bench.reminders", str(folder / "reminders"), url, str(days_before)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return Run(**json.loads(told))


def _row(run: Run) -> tuple[str, ...]:
    return str(run.letters), f"{run.seconds:.1f}", str(run.queries), f"{run.peak_mb:.0f}"


def run_job(folder: Path, url: str, days_before: int) -> Run:
    """The job as the worker does it, so many days before the license year ends."""
    settings = Settings.from_environment({"PORTAL_DATA": str(folder), "SECRET_KEY": SECRET_KEY})
    gateways = compose(settings, database_url=url, role=WORKER)
    ends_on = license_year_of(gateways.clock.today(), gateways.city.license.year_start).ends_on
    morning = datetime.combine(ends_on - timedelta(days=days_before), time_of_day(10), tzinfo=gateways.city.time_zone)
    gateways = replace(gateways, clock=FixedClock(morning, gateways.city.time_zone))
    mailer = FileMailer(folder=folder / "mail", sender=settings.mail_from, announce=str)
    parts = Parts(gateways, mailer, settings.base_url, SECRET_KEY)
    sent: list[str] = []
    event.listen(gateways.engine, "before_cursor_execute", lambda *told: sent.append(told[2][:6]))
    with gateways.engine.connect() as connection:
        before = connection.scalar(LETTERS) or 0
    begun, queries_before = time.perf_counter(), len(sent)
    send_reminders(parts, lambda: False)
    seconds, queries = time.perf_counter() - begun, len(sent) - queries_before
    with gateways.engine.connect() as connection:
        letters = (connection.scalar(LETTERS) or 0) - before
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return Run(letters, seconds, queries, peak_mb)


if __name__ == "__main__":
    print(json.dumps(asdict(run_job(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))))
