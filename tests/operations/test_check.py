"""`portal check`: each part is broken by itself, for real, and the check names it and says what to do."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from click.testing import CliRunner

from portal.cli import main
from portal.gateways.backups.age_files import AgeKey
from portal.operations.check_database import look_at_database, look_at_logins
from portal.operations.check_machine import look_at_backups, look_at_city, look_at_disk
from portal.operations.check_outside import (
    look_at_mail,
    look_at_processor,
    look_at_scanner,
    look_at_storage,
    look_at_texts,
)
from portal.operations.findings import Finding, Installation, Look, Weight
from portal.settings import Desk, Settings, SmsSettings, StripeSettings
from tests.support.practice import free_socket

Found = dict[str, list[Finding]]


@pytest.fixture
def look(settings: Settings, database) -> Callable[..., Found]:
    """`look(look_at_mail, mail_url=...)`: what is found where one thing is set otherwise, by how grave it is."""

    def look(at: Look, **otherwise: object) -> Found:
        found: Found = {weight.value: [] for weight in Weight}
        for finding in at(Installation(replace(settings, **otherwise), otherwise.get("database_url", database.url))):
            found[finding.weight.value].append(finding)
        return found

    return look


def one_wrong(found: Found) -> str:
    [finding] = found["wrong"]
    return f"{finding.said}. {finding.fix}"


def nobody_listens() -> int:
    with free_socket() as listener:
        return int(listener.getsockname()[1])


def test_a_healthy_database_has_nothing_wrong(look):
    found = look(look_at_database)
    assert found["wrong"] == []
    assert {finding.about for finding in found["ok"]} == {"database", "clock", "schema", "rights"}


def test_a_database_that_is_away_is_named_without_its_password(look):
    url = f"postgresql+psycopg://portal:hunter2@127.0.0.1:{nobody_listens()}/portal"
    told = one_wrong(look(look_at_database, database_url=url))
    assert "Connection refused" in told or "refused" in told
    assert "Start PostgreSQL" in told
    assert "hunter2" not in told


def test_a_right_too_many_and_a_right_too_few_are_named_and_nothing_is_changed(look, database):
    database.run("GRANT SELECT ON confidential.reporter TO portal_web")
    database.run("REVOKE INSERT ON animal_control.animal FROM portal_web")
    try:
        told = [one_wrong(look(look_at_database)) for _ in range(2)]
    finally:
        database.run("REVOKE SELECT ON confidential.reporter FROM portal_web")
        database.run("GRANT INSERT ON animal_control.animal TO portal_web")
    assert told[0] == told[1], "looking changed something"
    assert "too much: confidential.reporter: portal_web may SELECT" in told[0]
    assert "missing: animal_control.animal: portal_web may INSERT" in told[0]
    assert "Run portal migrate" in told[0]
    assert look(look_at_database)["wrong"] == []


def test_a_schema_that_was_not_migrated_is_named(look, cluster):
    url = cluster.empty_database()
    try:
        assert "It is empty, and this release needs" in one_wrong(look(look_at_database, database_url=url))
    finally:
        cluster.drop(url)


def test_a_login_that_may_not_take_a_role_is_named(look, database):
    database.run("CREATE ROLE outsider LOGIN")
    try:
        url = database.url.replace("postgres@", "outsider@")
        found = look(look_at_logins, database_url=url)
        assert len(found["wrong"]) == 3
        assert "No process can act as portal_web: " in found["wrong"][0].said
        assert "GRANT portal_web TO" in found["wrong"][0].fix
    finally:
        database.run("DROP ROLE outsider")


def test_a_desk_served_apart_by_the_same_login_is_advised_against(look):
    assert look(look_at_logins)["advice"] == []
    [advised] = look(look_at_logins, desk=Desk.OFF)["advice"]
    assert "can act as the desk" in advised.said


def test_a_store_that_takes_no_files_is_named(look, tmp_path):
    assert look(look_at_storage, storage_url=f"file:{tmp_path}/files")["wrong"] == []
    (tmp_path / "file").write_text("in the way")
    told = one_wrong(look(look_at_storage, storage_url=f"file:{tmp_path}/file"))
    assert "could not be kept there (NotADirectoryError" in told or "could not be kept there (" in told
    assert "correct STORAGE_URL" in told
    assert not [path for path in (tmp_path / "files").rglob("*") if path.is_file()], "the probe was left behind"


class Guard:
    """A mail server's list of who may log in."""

    def __call__(self, _server: object, _session: object, _envelope: object, _mechanism: str, data) -> AuthResult:
        return AuthResult(success=data.password == b"right", handled=False)  # the server says so


class Taken:
    """Letters that reached it."""

    def __init__(self) -> None:
        self.letters: list[bytes] = []

    async def handle_DATA(self, _server: object, _session: object, envelope) -> str:  # noqa: N802
        self.letters.append(envelope.content)
        return "250 OK"


@pytest.fixture
def mail_server() -> Iterator[tuple[str, Taken]]:
    with free_socket() as free:
        port = free.getsockname()[1]
    taken = Taken()
    controller = Controller(
        taken, hostname="127.0.0.1", port=port, authenticator=Guard(), auth_require_tls=False, auth_required=True
    )
    controller.start()
    yield f"127.0.0.1:{port}", taken
    controller.stop()


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
def test_a_mail_server_is_logged_into_and_sent_nothing(look, mail_server):
    host, taken = mail_server
    assert look(look_at_mail, mail_url=f"smtp://clerk:right@{host}")["wrong"] == []
    assert taken.letters == []
    told = one_wrong(look(look_at_mail, mail_url=f"smtp://clerk:hunter3@{host}"))
    assert "does not let us in" in told
    assert "Correct MAIL_URL" in told
    assert "hunter3" not in told


def test_a_mail_server_that_is_away_is_named(look):
    assert "cannot be used now" in one_wrong(look(look_at_mail, mail_url=f"smtp://127.0.0.1:{nobody_listens()}"))


@pytest.fixture
def processor() -> Iterator[ThreadingHTTPServer]:
    """Answers as Stripe does to who asks for events, by a clock of its own."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_ours = self.headers["Authorization"] == "Bearer sk_live_right"
            body = json.dumps({"object": "list", "data": [], "has_more": False, "url": "/v1/events"})
            if not is_ours:
                body = json.dumps({"error": {"type": "invalid_request_error", "message": "Invalid API Key"}})
            self.send_response_only(200 if is_ours else 401)
            self.send_header("Date", format_datetime(datetime.now(UTC) + self.server.ahead, usegmt=True))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.ahead = timedelta()
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def stripe_at(port: int, key: str = "sk_live_right") -> StripeSettings:
    return StripeSettings(key, "whsec", f"http://127.0.0.1:{port}", is_practice=False)


def test_the_processor_is_asked_with_our_key_and_for_its_clock(look, processor):
    port = processor.server_port
    found = look(look_at_processor, stripe=stripe_at(port))
    assert [finding.about for finding in found["ok"]] == ["payments", "clock"]
    told = one_wrong(look(look_at_processor, stripe=stripe_at(port, "sk_live_wrong")))
    assert told == "The processor does not take our key. Copy STRIPE_SECRET_KEY anew."
    processor.ahead = timedelta(minutes=3)
    told = one_wrong(look(look_at_processor, stripe=stripe_at(port)))
    assert "seconds behind the payment processor. Let both follow a time server" in told


def test_a_processor_that_does_not_answer_is_named(look):
    assert "does not answer" in one_wrong(look(look_at_processor, stripe=stripe_at(nobody_listens())))


def test_a_provider_of_texts_that_cannot_be_reached_is_named(look):
    sms = SmsSettings(f"http://127.0.0.1:{nobody_listens()}/send", "token", "secret", is_offered=True)
    assert "127.0.0.1 can't be reached (ConnectionRefusedError)" in one_wrong(look(look_at_texts, sms=sms))
    with socket.create_server(("127.0.0.1", 0)) as provider:
        sms = replace(sms, url=f"http://127.0.0.1:{provider.getsockname()[1]}/send")
        assert look(look_at_texts, sms=sms)["wrong"] == []


def test_a_city_file_that_cannot_be_used_is_named(look, tmp_path):
    broken = tmp_path / "ours.toml"
    broken.write_text("[city]\nname = 3\n")
    assert "ours.toml can't be used" in one_wrong(look(look_at_city, city=str(broken)))
    assert not any(look(look_at_scanner, city=str(broken)).values())  # told once


def test_disks_are_looked_at_where_things_are_kept(look, tmp_path):
    found = look(look_at_disk, data=tmp_path / "not" / "there" / "yet")
    assert "GB are free at" in [*found["ok"], *found["advice"], *found["wrong"]][0].said


def test_backups_need_a_key_that_is_one(look):
    assert look(look_at_backups, backup_recipients=(AgeKey.new().public,))["ok"]
    assert look(look_at_backups)["advice"]
    assert "is no public key of age" in one_wrong(look(look_at_backups, backup_recipients=("age1oops",)))


def test_at_the_console_it_ends_with_one_when_something_is_wrong_and_with_none_otherwise(database, tmp_path):
    def portal_check(*arguments: str, **more: str):
        environment = {"DATABASE_URL": database.url, "PORTAL_DATA": str(tmp_path), "STORAGE_URL": f"file:{tmp_path}/f"}
        return CliRunner().invoke(main, ["check", *arguments], env={**environment, **more})

    ended = portal_check()
    assert (ended.exit_code, ended.output.splitlines()[-1]) == (0, "Nothing is wrong.")
    mail_url = f"smtp://127.0.0.1:{nobody_listens()}"
    ended = portal_check("--json", MAIL_URL=mail_url)
    told = json.loads(ended.output)
    assert (ended.exit_code, told["ok"]) == (1, False)
    assert [finding["about"] for finding in told["findings"] if finding["weight"] == "wrong"] == ["mail"]
    ended = portal_check(SECRET_KEY="short")
    assert ended.exit_code == 1
    assert "SECRET_KEY must have at least 32 characters" in ended.output
