"""What each kind of person does from beginning to end."""

import json
import random
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

from bench.soak.browser import Browser
from bench.soak.files import Files
from bench.soak.forms import FIRST
from bench.soak.pace import Outcomes, Pace
from bench.soak.place import Mailbox, Place, desk_key, new_email
from bench.stage import SECRET_KEY
from bench.visitor import signed
from portal.views.desk.identity import SEEN
from portal.views.desk.identity import TOKEN as STAFF
from portal.views.identity import TOKEN

STREETS = ("Idaho Ave", "Kansas Ave", "Atlantic Ave", "Pacific Ave", "Wisconsin Ave", "13th St N", "Montana Ave")
KINDS = ("barking", "at_large", "damage", "litter", "other")
PAID_WITHIN_SECONDS = 30
# The city as a whole takes 120 messages about tags an hour.
TAG_MESSAGES = 90
MAILBOXES = 200
TAKEN_BY_ANOTHER = 409
IS_HOME = 404
PHOTOS_OF_REPORTS = 0.33
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass
class Crowd:
    """Who there is, and what they know of each other's doings."""

    place: Place
    pace: Pace
    outcomes: Outcomes
    mailbox: Mailbox
    files: Files
    tag_messages: int = 0
    registered: deque[str] = field(default_factory=deque)
    filings: list[tuple[str, str]] = field(default_factory=list)
    at_the_desk: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(2))

    def browser(self, **more: str) -> Browser:
        return Browser(self.place.port, self.pace, self.outcomes, **more)

    def resident(self) -> Browser:
        """Somebody who signed in the other day."""
        token = random.choice(self.place.residents)
        browser = self.browser()
        browser.cookies["portal"] = signed({TOKEN: token}, secret_key=SECRET_KEY)
        return browser

    def staff(self) -> Browser:
        token = random.choice(self.place.staff)
        browser = self.browser()
        browser.cookies["desk"] = signed({STAFF: token, SEEN: int(time.time())}, secret_key=desk_key())
        return browser


def today() -> date:
    return datetime.now(UTC).date()


def look_around(crowd: Crowd) -> None:
    """Somebody wants to know what it costs and what the rules are."""
    browser = crowd.browser()
    browser.visit("/")
    for file in browser.links("/static/")[:2]:
        browser.ask("GET", file, kind="file")
    for path in random.sample(("/fees", "/rules", "/privacy", "/register", "/proof", "/lost", "/tags", "/vet"), 4):
        browser.visit(path)
    browser.close()


def look_at_boards(crowd: Crowd) -> None:
    """Somebody misses a pet, or saw one."""
    browser = crowd.browser()
    kind = random.choice(("lost", "found"))
    browser.visit(f"/{kind}")
    shown = [one for one in browser.links(f"/{kind}/") if one.count("/") == 2 and "." not in one and "new" not in one]
    if shown:
        one = random.choice(shown)
        browser.visit(one)
        pictures = [found for found in browser.text.split('src="')[1:] if found.startswith(one)]
        for picture in pictures[:1]:
            browser.ask("GET", picture.partition('"')[0], kind="picture", or_status=IS_HOME)
        if kind == "lost" and random.random() < 0.05:
            browser.ask("GET", f"{one}/poster.pdf", kind="poster", or_status=IS_HOME, follows=True)
    browser.visit("/pound")
    browser.ask("GET", f"/{kind}.{random.choice(('atom', 'json'))}", kind="feed")
    browser.close()


def look_at_my_dogs(crowd: Crowd) -> None:
    """A resident comes back."""
    browser = crowd.resident()
    browser.visit("/dogs")
    dogs = [one for one in browser.links("/dogs/") if one.count("/") == 2 and len(one) > 30]
    for dog in dogs[:2]:
        browser.visit(dog)
    browser.visit(random.choice(("/me", "/reminders", "/notices", "/me/data")))
    browser.close()


def sign_in(crowd: Crowd, browser: Browser, email: str) -> None:
    """On the page that asks for the address: the code comes by mail."""
    browser.submit(email=email)
    code = crowd.mailbox.code(email)
    if not code:
        browser.stuck("no code came", email)
    browser.submit(code=code)
    crowd.outcomes.did("sign-ins")


def sign_in_and_out(crowd: Crowd) -> None:
    """Somebody on a library's computer."""
    browser = crowd.browser()
    # The one who was here longest ago: nobody asks for too many codes, or for two at once.
    email = crowd.registered.popleft() if len(crowd.registered) > MAILBOXES else new_email()
    browser.visit("/sign-in?next=/dogs")
    sign_in(crowd, browser, email)
    browser.submit(button="Sign out")
    crowd.registered.append(email)
    browser.visit("/sign-in")
    browser.close()


def register(crowd: Crowd) -> None:
    """A dog from the first question to the receipt."""
    browser, email = crowd.browser(), new_email()
    born = today() - timedelta(days=random.randrange(400, 4000))
    browser.visit("/register").submit(situation="resident_dog").submit(born_on=born).submit(button="Continue")
    sign_in(crowd, browser, email)
    browser.submit(owner_name="Pat Larson", phone="(320) 555-0142", is_adult="yes")
    browser.submit(line1=f"{random.randrange(100, 9999)} {random.choice(STREETS)}", button="Continue")
    browser.submit(animal_name="Pepper", breed="Labrador", color="black", sex="female", is_altered="yes")
    browser.submit(license_year=FIRST)
    if random.random() < 0.5:
        browser.submit(file=crowd.files.picture(), button="Send the picture")
    else:
        browser.submit(button="Skip this")
    browser.submit(file=crowd.files.certificate(), button="Send the certificate")
    given = today() - timedelta(days=200)
    browser.submit(
        given_on=given,
        due_on=given.replace(year=given.year + 3),
        dose="booster",
        product="Imrab 3",
        duration_years="3",
        veterinarian="Karin Dahl",
    )
    browser.submit(another="no").submit(are_there="no").submit(is_true="y", button="Send and pay")
    crowd.outcomes.did("registrations")
    crowd.registered.append(email)
    _pay(crowd, browser)
    browser.close()


def _pay(crowd: Crowd, browser: Browser) -> None:
    """By card, on the processor's page; or at the counter, one in eight."""
    order = browser.path.partition("?")[0]
    if random.random() < 0.125:
        browser.submit(button="Pay at the police counter")
        return
    buttons = [name for form in browser.forms() for name in form.buttons if name.endswith("by card")]
    browser.submit(button=buttons[0] if buttons else "by card", status=303)
    card_page = urlsplit(browser.location)
    practice = Browser(card_page.port or 0, crowd.pace, crowd.outcomes)
    answer = practice.ask("POST", card_page.path, b"way=card", FORM, kind="card page", status=303)
    practice.close()
    back = urlsplit(answer.headers["Location"])
    until = time.monotonic() + PAID_WITHIN_SECONDS
    browser.visit(f"{back.path}?{back.query}")
    while "Receipt" not in browser.visit(order).text:
        if time.monotonic() > until:
            browser.stuck("not paid in time", order)
        time.sleep(1)
    crowd.outcomes.did("card payments")


def report(crowd: Crowd) -> None:
    """Somebody complains, with a photo one time in three."""
    browser = crowd.browser()
    has_photo = random.random() < PHOTOS_OF_REPORTS
    said: dict[str, dict[str, object]] = {
        "where": {"place": f"{random.randrange(100, 9999)} {random.choice(STREETS)}, Benson"},
        "when": {"is_when": "unsure", "words": "Most nights"},
        "animal": {"animal": "A brown dog"},
        "words": {"narrative": "It was there again, and nobody came for it. " * 5},
        "who": {"is_named": "no"},
    }
    browser.visit(f"/reports/new/{random.choice(KINDS)}").submit(button="Start")
    while (step := browser.path.rpartition("/")[2]) != "check":
        if step == "files" and has_photo:
            has_photo = False
            browser.submit(button="Add these and more", file=crowd.files.picture())
        else:
            browser.submit(button="Continue", **said.get(step, {}))
    browser.submit(signed="y", button="Send the report")
    crowd.outcomes.did("reports")
    follow = browser.links(f"http://localhost:{browser.port}/reports/open/")
    if follow:
        browser.visit(urlsplit(follow[0]).path)
    browser.close()


def miss_a_pet(crowd: Crowd) -> None:
    """A resident puts up a notice with a photo, and takes it down one time in two."""
    browser = crowd.resident()
    browser.visit("/lost/new").submit(pet="another", button="Start")
    browser.submit(name="Pepper", species="dog", color="gray and white", button="Continue")
    browser.submit(photo=crowd.files.picture(), button="Send the photo")
    browser.submit(button="Continue")
    browser.submit(place=random.choice(STREETS), clock="12:01 AM", button="Continue")
    browser.submit(button="Continue")
    browser.submit(button="Show it to everybody")
    crowd.outcomes.did("notices")
    if random.random() < 0.5:
        browser.submit(button="Pepper is home!")
    browser.close()


def tell_of_a_tag(crowd: Crowd) -> None:
    """Somebody found a dog with a tag; the few messages a city takes in an hour are sent, the others only look."""
    browser = crowd.browser()
    browser.visit("/tags").visit(f"/tags/{random.choice(crowd.place.tags)}")
    if crowd.tag_messages < TAG_MESSAGES and random.random() < 0.2:
        crowd.tag_messages += 1
        browser.submit(message="She is fine and waits at the swings.", taken_in="no", button="Tell the dog’s people")
        crowd.outcomes.did("tag messages")
    browser.close()


def software_reports(crowd: Crowd) -> None:
    """Other software reads what there is and sends reports."""
    browser, key = crowd.browser(), random.choice(crowd.place.keys)
    ending = random.choice(("json", "xml"))
    browser.ask("GET", f"/open311/v2/services.{ending}", kind="open311")
    said = {
        "api_key": key,
        "service_code": "barking",
        "address_string": f"{random.randrange(100, 9999)} {random.choice(STREETS)}",
        "description": "It barks all night",
    }
    browser.ask("POST", f"/open311/v2/requests.{ending}", urlencode(said).encode(), FORM, kind="open311")
    crowd.outcomes.did("reports")
    browser.ask("GET", f"/open311/v2/requests.{ending}", kind="open311")
    browser.close()


def clinic_files(crowd: Crowd) -> None:
    """Practice software files a certificate with its sheet, and looks at what it filed."""
    browser, token = crowd.browser(), random.choice(crowd.place.clinics)
    held = {"Authorization": f"Bearer {token}"}
    body = {
        "owner_name": f"Pat {secrets.token_hex(3)}",
        "owner_address": f"{random.randrange(100, 9999)} {random.choice(STREETS)}, Benson, MN 56215",
        "animal_name": "Pepper",
        "species": "dog",
        "sex": "female",
        "description": "Labrador retriever, black",
        "weight": "62 lb",
        "given_on": (today() - timedelta(days=3)).isoformat(),
        "dose": "booster",
        "vaccine_type": "inactivated",
        "duration_years": 3,
        "veterinarian": "Karin Dahl, DVM",
        "attested_name": "Karin Dahl",
    }
    sent = {**held, "Content-Type": "application/json", "Idempotency-Key": str(uuid4())}
    answer = browser.ask("POST", "/api/v1/certificates", json.dumps(body).encode(), sent, kind="api", status=201)
    crowd.outcomes.did("filings")
    filing = json.loads(answer.content)["id"]
    name, content = crowd.files.certificate()
    kind = "application/pdf" if name.endswith("pdf") else "image/jpeg"
    address = f"/api/v1/certificates/{filing}"
    browser.ask("PUT", f"{address}/file", content, {**held, "Content-Type": kind}, kind="upload")
    browser.ask("GET", address, headers=held, kind="api")
    browser.ask("GET", "/api/v1/certificates", headers=held, kind="api")
    browser.close()


def work_at_the_desk(crowd: Crowd) -> None:
    """Staff look at the queue, find somebody, and accept a certificate."""
    with crowd.at_the_desk:
        browser = crowd.staff()
        browser.visit("/desk", kind="desk")
        waiting = browser.links("/desk/certificates/")
        browser.visit(f"/desk/search?q={random.choice(('pepper', 'larson', '555-0142', 'idaho'))}", kind="desk")
        people = [one for one in browser.links("/desk/people/") if not one.endswith("/new")]
        if people:
            browser.visit(random.choice(people), kind="desk")
        if waiting:
            browser.visit(random.choice(waiting[:20]), kind="desk")
            if "Accept" in {name for form in browser.forms() for name in form.buttons}:
                browser.submit(button="Accept", kind="desk", or_status=TAKEN_BY_ANOTHER)
                crowd.outcomes.did("decisions at the desk")
        browser.visit(random.choice(("/desk/tags", "/desk/counter", "/desk/counter/till")), kind="desk")
        browser.close()


def stray(crowd: Crowd) -> None:
    """A scanner, an old link, somebody signed out: refused, quickly and quietly."""
    browser = crowd.browser()
    for path in random.sample(("/wp-login.php", "/.env", f"/dogs/{uuid4()}/x", "/found.pdf", "/pay/1"), 2):
        browser.ask("GET", path, kind="refused", status=404)
    browser.ask("POST", "/stripe/webhook", b"{}", {"Stripe-Signature": "t=1,v1=x"}, kind="refused", status=400)
    browser.ask("GET", f"/dogs/{uuid4()}", kind="refused", status=303)
    browser.ask("GET", "/health/ready", kind="health")
    browser.close()


# How often each comes, beside the others.
SHARES: dict[Callable[[Crowd], None], int] = {
    look_around: 30,
    look_at_boards: 20,
    look_at_my_dogs: 20,
    sign_in_and_out: 4,
    register: 3,
    report: 4,
    miss_a_pet: 3,
    tell_of_a_tag: 4,
    software_reports: 6,
    clinic_files: 4,
    work_at_the_desk: 6,
    stray: 4,
}
