"""The processes as they run in public: every line of every one is JSON, and none tells of anybody."""

import json
import os
import subprocess
import sys
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection

import pytest
from sqlalchemy.orm import Session

from portal.services.messages.queue_message import queue_message
from tests.support.practice import free_socket, wait_for

MARK, CALLER, ID = "zaphod-marked", "203.0.113.7", "00112233445566778899aabbccddeeff"
# A busy machine takes its time to start them.
START_SECONDS = 200
PUBLIC = {
    "BASE_URL": "https://animals.example.gov",
    "SECRET_KEY": "a-key-for-tests-alone-that-is-long-enough",
    "STRIPE_SECRET_KEY": "sk_test_nothing",
    "STRIPE_WEBHOOK_SECRET": "whsec_nothing",
    "STRIPE_API_BASE": "http://127.0.0.1:9",
    "MAIL_URL": "smtp://127.0.0.1:9",
    "MAIL_FROM": "animals@example.gov",
    "TRUSTED_PROXIES": "1",
}


@pytest.fixture
def start(database, tmp_path):
    """Starts a command of the portal with the settings of a public address; the file its log goes to."""
    with ExitStack() as running:

        @contextmanager
        def ending(process):
            try:
                yield
            finally:
                process.terminate()
                process.wait(60)

        def begin(command, **more):
            environment = {**os.environ, **PUBLIC, "DATABASE_URL": database.url, "PORTAL_DATA": str(tmp_path), **more}
            path = tmp_path / f"{command}-{more.get('PORTAL_DESK', '')}.log"
            with path.open("wb") as log:
                process = subprocess.Popen([sys.executable, "-m", "portal.cli", command], env=environment, stderr=log)
            running.enter_context(ending(process))
            return path

        yield begin


@pytest.fixture
def queue_marked(gateways):
    """A letter to somebody, which the mail server that is not there does not take."""

    def queue(to):
        with Session(gateways.engine) as session, session.begin():
            told = {"code": "493027", "link": f"/sign-in/link/{MARK}", "minutes": 30}
            at = datetime.now(UTC) - timedelta(minutes=1)
            queue_message(session, to=to, template="sign_in", context=told, at=at, is_secret=True)

    return queue


def free_port():
    with free_socket() as listener:
        return listener.getsockname()[1]


def ask(port, path, method="GET", body=None):
    headers = {
        "Host": "animals.example.gov",
        "Cookie": f"portal={MARK}",
        "User-Agent": MARK,
        "Referer": f"https://animals.example.gov/{MARK}",
        "X-Forwarded-For": CALLER,
        "X-Forwarded-Proto": "https",
        "X-Request-ID": ID,
    }
    try:
        with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            connection.request(method, path, body, headers)
            return connection.getresponse().status
    except OSError:
        return None


def is_received_apart(port, log):
    """Send a form as large as a photo's; whether what receives those has answered one."""
    ask(port, f"/sign-in/link/{MARK}", "POST", body=MARK.encode() * 100_000)
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.endswith("}")]
    return any(line["process"] == "web-uploads" and "route" in line for line in lines)


@pytest.mark.timeout(600)
def test_every_line_of_web_desk_and_worker_is_json_and_tells_of_nobody(start, queue_marked):
    port = free_port()
    logs = {"web": start("web", PORT=str(port)), "worker": start("worker")}
    queue_marked(f"{MARK}@example.com")
    wait_for(lambda: ask(port, f"/sign-in/link/{MARK}"), seconds=START_SECONDS)
    ask(port, f"/reports/{MARK}?q={MARK}")
    ask(port, f"/desk/search?q={MARK}")
    wait_for(lambda: is_received_apart(port, logs["web"]), seconds=START_SECONDS)
    wait_for(lambda: "MailDeferred" in logs["worker"].read_text(), seconds=START_SECONDS)
    lines = {}
    for process, path in logs.items():
        assert MARK not in path.read_text()
        assert CALLER not in path.read_text()
        lines[process] = [json.loads(line) for line in path.read_text().splitlines()]
    assert {line["process"] for line in lines["worker"]} == {"worker"}
    assert {line["process"] for line in lines["web"]} == {"web", "web-uploads"}
    routes = [line["route"] for line in lines["web"] if line.get("method") == "GET"]
    assert routes == ["/sign-in/link/<token>", "/reports/<reference>", "/desk/search"]
    assert {line["request_id"] for line in lines["web"] if "route" in line} == {ID}
    assert {line["job"] for line in lines["worker"] if "letter" in line["message"]} == {"letters"}
