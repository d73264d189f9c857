"""One dog from the first question to its license, over HTTP, at a portal that runs: in a container, on a server.

    python -m bench.one_dog http://localhost:8000 --mail var/mail
    python -m bench.one_dog https://animals.example.gov --to 127.0.0.1:443 --smtp 2525

The code to sign in is read from the portal's folder of letters, or taken in as its mail server. The certificate is a
photo of a sheet, the card a practice one; every certificate that waits is accepted at the console: for a trial only.
With --forge it tells what becomes of forged addresses behind a proxy.
"""

import argparse
import random
import re
import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from bench.certificate_photos import as_form, drawn, invented, photographed, sheet
from bench.site import Site, Visitor
from bench.soak.files import Files
from bench.soak.pace import Outcomes, Pace
from bench.soak.people import FORM, Crowd, register
from bench.soak.place import Mailbox

NUMBER = re.compile(r"[Nn]umber (\d+)")
ATTEMPTS, TAKEN_OF_AN_ADDRESS = 70, 60
HOUR = 3600


class OnePhoto(Files):
    """A photo of a certificate, whatever is asked for."""

    def certificate(self) -> tuple[str, bytes]:
        chance = random.Random(90)  # noqa: S311
        return "certificate.jpg", photographed(drawn(sheet(as_form(invented(chance)))), chance)


class Letters(Mailbox):
    """Looks for the letter as long as it is waited for."""

    def code(self, email: str) -> str:
        until = time.monotonic() + 60
        while email not in self._codes and time.monotonic() < until:
            self.look()
            time.sleep(0.5)
        return self._codes.pop(email, "")


@dataclass
class Alone(Crowd):
    """Nobody else is there; the browser stays, so that what it holds in the end can be looked at."""

    visitor: Visitor = field(kw_only=True)

    def browser(self, **_: str) -> Visitor:
        return self.visitor


@contextmanager
def mail_server(port: int | None, folder: Path) -> Iterator[None]:
    """Puts every letter that comes into the folder."""
    if port is None:
        yield
        return
    from aiosmtpd.controller import Controller

    class Postman:
        async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
            unfinished = folder / f"{time.monotonic_ns()}.part"
            unfinished.write_bytes(envelope.content)
            unfinished.rename(unfinished.with_suffix(".eml"))
            return "250 OK"

    controller = Controller(Postman(), hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield
    finally:
        controller.stop()


def visitor(site: Site, **more: Any) -> Visitor:
    pace = Pace(rate=1000, seconds=HOUR)
    pace.begin()
    return Visitor(site.port, pace, Outcomes(), site=site, **more)


def accept_certificates(console: str) -> None:
    """As the officer: everything that waits."""
    command = shlex.split(console)
    waiting = subprocess.run([*command, "certificate", "list"], capture_output=True, text=True, check=True).stdout
    for line in waiting.splitlines()[1:]:
        subprocess.run([*command, "certificate", "accept", line.split()[0], "--officer", "Trial"], check=True)


def one_dog(site: Site, mail: Path, console: str) -> str:
    """The number of the license that was issued."""
    who, files = visitor(site), OnePhoto.make()
    crowd = Alone(None, who.pace, who.outcomes, Letters(mail), files, visitor=who)  # type: ignore[arg-type]
    random.seed(3)  # pays by card, and sends a photo of the dog
    register(crowd)
    if not crowd.outcomes.deeds["card payments"]:
        raise SystemExit("This person paid at the counter")
    accept_certificates(console)
    dogs = [one for one in who.visit("/dogs").links("/dogs/") if len(one) > 30]
    found = NUMBER.search(who.visit(dogs[0]).text)
    if found is None:
        raise SystemExit("The dog has no license")
    return found[1]


def taken(site: Site, source: str) -> int:
    """How many of 70 attempts to sign in are taken, sent from one address, each claiming another."""
    who = visitor(site, source=source)
    token = next(form.values["csrf_token"] for form in who.visit("/sign-in").forms() if form.asks("email"))
    count = 0
    for number in range(ATTEMPTS):
        who.said = _claiming(f"203.0.113.{number}")
        body = urlencode({"csrf_token": token, "email": f"forged-{number}-{time.time_ns()}@example.com"}).encode()
        count += who._once("POST", "/sign-in", body, FORM, "form").status == 303
    return count


def _claiming(address: str) -> dict[str, str]:
    return {
        "X-Forwarded-For": f"{address}, {address}",
        "X-Real-IP": address,
        "Forwarded": f"for={address}",
        "X-Forwarded-Proto": "http",
        "X-Forwarded-Host": "elsewhere.example",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--to", help="the machine to ask, HOST:PORT, whatever the name of the site says")
    parser.add_argument("--mail", type=Path, help="the folder in which the portal keeps letters")
    parser.add_argument("--smtp", type=int, help="be the mail server at this port")
    parser.add_argument("--console", default="portal", help="the command that is the portal's console")
    parser.add_argument("--forge", action="store_true", help="forge addresses instead, from 127.0.0.1 and 127.0.0.2")
    given = parser.parse_args()
    site = Site.at(given.url, given.to)
    with tempfile.TemporaryDirectory() as folder:
        mail = given.mail or Path(folder)
        with mail_server(given.smtp, mail):
            if given.forge:
                first, second = taken(site, "127.0.0.1"), taken(site, "127.0.0.2")
                print(f"Of {ATTEMPTS} attempts with forged addresses {first} were taken from one address,", end=" ")
                print(f"then {second} from another; each may make {TAKEN_OF_AN_ADDRESS}.")
                return
            begun = time.monotonic()
            print(f"License {one_dog(site, mail, given.console)}, after {time.monotonic() - begun:.1f} s.")


if __name__ == "__main__":
    main()
