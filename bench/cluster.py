"""`python -m bench.cluster`: PgBouncer in transaction mode, a streaming replica, and a primary that dies.

Real servers in a temporary folder: PostgreSQL from the portal's own package, PgBouncer from Debian (or PGBOUNCER).
`--only pooler replica failover` runs some of it, `--quick` is for a first impression.
"""

import argparse
import http.client
import json
import threading
import time
from dataclasses import dataclass, field
from statistics import median
from urllib.parse import urlencode
from uuid import uuid4

from bench.load import run
from bench.report import Figure, Report, percentile, table
from bench.servers import KEEPS_PREPARED, kill, made_login, pgbouncer, pooling, say, sockets_of, version_of
from bench.stage import DATABASE, Server, Stage, stage
from bench.throughput import measured_pages
from bench.visitor import get, open_form
from portal.gateways.database.connections import TIME_OUTS
from portal.gateways.postgres.embedded import EmbeddedPostgres
from portal.schema.roles import DESK, WEB
from tests.support.standby import copied

PARTS = ("pooler", "replica", "failover")
DURABLE = {"shared_buffers": "64MB"}
COMMITS = f"SELECT xact_commit FROM pg_stat_database WHERE datname = '{DATABASE}'"  # noqa: S608 - a name of ours
OUTAGE_SECONDS = 1.0
WRITERS = 8
ASKED = """
    SELECT json_object_agg(email, times)
    FROM (SELECT email, count(*) AS times FROM portal.sign_in_request GROUP BY email) AS asked
    """


def pooler(stage: Stage, report: Report, *, rounds: int, seconds: float) -> None:
    """The same pages directly and through the pooler, by turns."""
    program = pgbouncer()
    if program is None:
        print("PgBouncer is not here: install it, or name it in PGBOUNCER.")
        return
    url = stage.postgres.url(DATABASE)
    logins = {
        name: made_login(url, name, role=role, settings=TIME_OUTS[role].settings())
        for name, role in (("benson_web", WEB), ("benson_desk", DESK))
    }
    kinds = ["transaction"] + (["transaction-prepared"] if version_of(program) >= KEEPS_PREPARED else [])
    rows = []
    with pooling(program, stage.postgres, stage.folder, logins, server_connections=6) as port:
        for kind in kinds:
            address = f"@127.0.0.1:{port}/{DATABASE}?pooler={kind}"
            through = {
                "DATABASE_URL": f"postgresql://benson_web:benson_web{address}",
                "DESK_DATABASE_URL": f"postgresql://benson_desk:benson_desk{address}",
            }
            with stage.serving() as directly, stage.serving(more=through) as pooled:
                pages = measured_pages(stage, directly)
                for page in pages:
                    pairs = [
                        (run(directly.port, page, seconds=seconds), run(pooled.port, page, seconds=seconds))
                        for _ in range(rounds + 1)
                    ][1:]
                    ratio = 100 * median(its.requests_per_second / plain.requests_per_second for plain, its in pairs)
                    report.add(
                        Figure(f"{page.name}: through the pooler ({kind}), of directly", ratio, "%", at_least=70)
                    )
                    rows.append((kind, page.name, f"{ratio:.0f} %"))
                many = run(pooled.port, pages[2], seconds=seconds, connections=100)
                used = say(stage.postgres, "SELECT count(*) FROM pg_stat_activity WHERE usename LIKE 'benson_%'")
                rows.append((kind, "100 at once, connections to PostgreSQL", str(used)))
                rows.append((kind, "100 at once, answered", str(len(many.latencies))))
    table("PgBouncer " + ".".join(map(str, version_of(program))), ("", "page", "of directly"), rows)


def replica(stage: Stage, report: Report, *, seconds: float) -> None:
    """What the copy takes off the primary; and whether everybody sees what they wrote."""
    with copied(stage.postgres, stage.folder / "copy", settings=DURABLE) as copy:
        more = {"DATABASE_REPLICA_URL": copy.url(DATABASE).replace("+psycopg", "")}
        with stage.serving(more=more) as portal:
            pages = measured_pages(stage, portal)
            time.sleep(1.0)
            before = _reads(stage.postgres), _reads(copy)
            load = run(portal.port, pages[2], seconds=seconds)
            at_primary, at_copy = _reads(stage.postgres) - before[0], _reads(copy) - before[1]
            share = 100 * at_copy / (at_copy + at_primary)
            report.add(Figure("pages that only read: statements at the replica", share, "%", at_least=95))
            stale, checked = _own_writes(stage, portal, seconds=seconds)
            report.add(Figure("own answers not seen on the next page", stale, f"of {checked}", at_most=0))
            say(copy, "SELECT pg_wal_replay_pause()")
            stale, checked = _own_writes(stage, portal, seconds=seconds)
            report.add(Figure("the same while the replica stands still", stale, f"of {checked}", at_most=0))
            say(copy, "SELECT pg_wal_replay_resume()")
            time.sleep(1.0)
            kill(stage.folder / "copy")
            failed = _failures_for(portal, pages[2].path, pages[2].cookie, seconds=seconds)
            report.add(Figure("pages that failed as the replica was killed", failed, "", at_most=0))
            p99 = 1000 * percentile(load.latencies, 0.99)
            table(
                "Replica",
                ("", ""),
                [("requests a second", f"{load.requests_per_second:.0f}"), ("p99 ms", f"{p99:.0f}")],
            )


def _reads(server: EmbeddedPostgres) -> int:
    time.sleep(1.2)  # counts are told a second late
    return int(str(say(server, COMMITS)))


def _own_writes(stage: Stage, portal: Server, *, seconds: float) -> tuple[int, int]:
    """Answer a step with another name each time, and look whether the next page has it: not seen, and tried."""
    page = next(one for one in measured_pages(stage, portal) if one.name == "register step, sent")
    stale = checked = 0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        name = f"Dog{uuid4().hex[:10]}"
        body = page.body.replace("Biscuit", name)
        line = http.client.HTTPConnection("127.0.0.1", portal.port, timeout=30)
        form = {"Host": f"localhost:{portal.port}", "Content-Type": "application/x-www-form-urlencoded"}
        line.request("POST", page.path, body, form | {"Cookie": page.cookie})
        answer = line.getresponse()
        answer.read()
        written = [told.partition(";")[0] for told in answer.headers.get_all("Set-Cookie", []) if "written=" in told]
        seen = get(portal.port, page.path, cookie="; ".join([page.cookie, *written]), accepted="identity")
        checked += 1
        stale += name.encode() not in seen.body
    return stale, checked


def _failures_for(portal: Server, path: str, cookie: str, *, seconds: float) -> int:
    until, failed = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        failed += get(portal.port, path, cookie=cookie).status != 200
    return failed


@dataclass
class Told:
    """What the people who wrote were told: who was accepted, and when somebody was not."""

    accepted: list[str] = field(default_factory=list)
    refused_at: list[float] = field(default_factory=list)
    answered_at: list[float] = field(default_factory=list)


def failover(report: Report, *, is_synchronous: bool, seconds: float, dogs: int) -> None:
    """People write, the primary's machine loses power, the copy becomes the primary; what was accepted is counted."""
    kind = "synchronous" if is_synchronous else "asynchronous"
    with stage(dogs=dogs) as place:
        copy = copied(place.postgres, place.folder / "copy", settings=DURABLE)
        with copy:
            if is_synchronous:
                say(place.postgres, "ALTER SYSTEM SET synchronous_standby_names = 'copy'")
                say(place.postgres, "SELECT pg_reload_conf()")
            hosts = f"{sockets_of(place.postgres)},{sockets_of(copy)}"
            both = f"postgresql://postgres@/{DATABASE}?host={hosts}&port=5432,5432&target_session_attrs=read-write"
            with place.serving(more={"DATABASE_URL": both, "TRUSTED_PROXIES": "1"}) as portal:
                told, stop = Told(), threading.Event()
                writers = [threading.Thread(target=_ask_on, args=(portal, told, stop)) for _ in range(WRITERS)]
                for writer in writers:
                    writer.start()
                time.sleep(seconds)
                died = time.monotonic()
                kill(place.folder / "postgres")
                time.sleep(OUTAGE_SECONDS)
                say(copy, "SELECT pg_promote()")
                time.sleep(seconds)
                stop.set()
                for writer in writers:
                    writer.join()
            kept = say(copy, ASKED, DATABASE)
    found = kept if isinstance(kept, dict) else json.loads(str(kept))
    lost = [email for email in told.accepted if email not in found]
    doubled = [email for email in told.accepted if found.get(email, 0) > 1]
    back = min((at for at in told.answered_at if at > died + OUTAGE_SECONDS), default=float("inf"))
    rows = [
        ("accepted", str(len(told.accepted))),
        ("refused with a page that says so", str(len(told.refused_at))),
        (
            "seconds from the death to the next accepted",
            f"{back - died:.1f}, {OUTAGE_SECONDS:g} of them until promoted",
        ),
    ]
    rows.append(("accepted and lost", str(len(lost))))
    table(f"Failover, {kind} replication", ("", ""), rows)
    if is_synchronous:  # without, the last moments may be lost: the figure is above
        report.add(Figure(f"failover, {kind}: accepted and lost", len(lost), f"of {len(told.accepted)}", at_most=0))
    report.add(Figure(f"failover, {kind}: doubled", len(doubled), "", at_most=0))
    report.add(Figure(f"failover, {kind}: seconds until the next was accepted", back - died, "s", at_most=10))


def _ask_on(portal: Server, told: Told, stop: threading.Event) -> None:
    """Ask for a code again and again, each time for another mailbox and from another address."""
    cookie, token = open_form(portal.port, "/sign-in", cookie="")
    while not stop.is_set():
        email = f"{uuid4().hex}@example.com"
        headers = {
            "Host": f"localhost:{portal.port}",
            "Cookie": cookie,
            "Content-Type": "application/x-www-form-urlencoded",
            "X-Forwarded-For": ".".join(str(1 + byte % 250) for byte in uuid4().bytes[:4]),
        }
        line = http.client.HTTPConnection("127.0.0.1", portal.port, timeout=60)
        line.request("POST", "/sign-in", urlencode({"csrf_token": token, "email": email}), headers)
        answer = line.getresponse()
        answer.read()
        line.close()
        now = time.monotonic()
        if answer.status == 303:
            told.accepted.append(email)
            told.answered_at.append(now)
        else:
            told.refused_at.append(now)
            time.sleep(0.1)


def main() -> None:
    """Run the parts, print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    options.add_argument("--quick", action="store_true")
    asked = options.parse_args()
    rounds, seconds, dogs = (2, 1.0, 300) if asked.quick else (5, 3.0, 3000)
    report = Report()
    if {"pooler", "replica"} & set(asked.only):
        with stage(dogs=dogs) as place:
            if "pooler" in asked.only:
                pooler(place, report, rounds=rounds, seconds=seconds)
            if "replica" in asked.only:
                replica(place, report, seconds=2 * seconds)
    if "failover" in asked.only:
        for is_synchronous in (True, False):
            failover(report, is_synchronous=is_synchronous, seconds=3 * seconds, dogs=300)
    report.print()


if __name__ == "__main__":
    main()
