"""The owner of the dog that is complained of looks everywhere and learns nothing, not even that there is a report.

Example 49; Minn. Stat. 13.44, 13.82. Every page that their links lead to, the clinic's pages and interface, the
letters, the number of statements behind each page: all is compared before and after reports are made and handled.
"""

import re
from dataclasses import replace
from datetime import timedelta
from urllib.parse import urldefrag

import pytest
from sqlalchemy.orm import Session

from portal.ordinance.nuisances import Nuisance
from portal.schema.clinic_access import ClinicMember
from portal.services.clinics.clinic_of import ClinicStaff
from portal.services.clinics.tokens import make_token
from portal.services.reports.add_to_report import add_to_log, withdraw_report
from portal.services.reports.file_report import Sender
from portal.services.reports.handle_report import ask_reporter, close_report, look_into, read_identity
from tests.support.reporting import ATTESTED, ROBIN, heard

PATS_HOME = "1310 Idaho Ave, Benson, MN 56215"
PAT, VET = "pat@example.com", "karin@clinic.example"
BEGINNINGS = (
    *("/", "/dogs", "/me", "/me/data", "/me/data.json", "/reminders", "/register", "/sign-in"),
    *("/reports", "/reports/new", "/reports/log", "/reports/join", "/reports/AAAA-AAAA-AAAA", "/reports/open/guess"),
    *("/tags", "/tags/2026-1", "/rules", "/privacy", "/fees", "/nothing-here", "/health/ready"),
)
MOST_PAGES = 200
DIFFERS = ("Set-Cookie", "Date", "X-Request-ID")


@pytest.fixture
def pat(registrations, arrive):
    """Keeps Pepper, a dog with a license, at 1310 Idaho Ave."""
    registrations.licensed("Pepper")
    return arrive(PAT).sign_in(then="/dogs")


@pytest.fixture
def clinic(registrations, filings, arrive, app, gateways):
    """Pepper's clinic: a member of its staff, and its software."""
    registrations.licensed("Pepper")
    clinic_id = filings.clinic()
    with Session(gateways.engine) as session, session.begin():
        session.add(ClinicMember(clinic_id=clinic_id, email=VET, email_key=VET, added_by="test"))
        token = make_token(session, ClinicStaff(clinic_id, "Prairie Vet Clinic", VET), name="Front desk software")
    filings.file(clinic_id)
    filings.match()
    return arrive(VET).sign_in(then="/vet"), app.test_client(use_cookies=False), token


@pytest.fixture
def everything_happens(reporting, clock):
    """Reports about Pat's home in many ways, and all that reporters and officers do with them."""
    robin = reporting.sign_in("robin@example.com")
    begin = clock.now() - timedelta(hours=3)

    def everything_happens():
        asked = []
        for kind in Nuisance:
            named = robin.sender(identity=ROBIN, asks_not_public=True)
            for sender in (None, named, Sender(attestation=ATTESTED, mailbox="stranger@example.com")):
                sent = reporting.send(
                    kind, sender=sender, place=PATS_HOME, whose="Pat O’Brien", animal="Pepper, tag 2026-1"
                )
                asked.append(sent)
        # The most brazen: in the very name of whom it accuses.
        own = Sender(attestation=ATTESTED, identity=ROBIN, mailbox=None)
        asked.append(reporting.send(Nuisance.DAMAGE, sender=own, place=PATS_HOME, narrative="Pepper dug up my roses"))
        barking = reporting.send(place=PATS_HOME)
        reporting.again(barking, text="Pepper again")
        with reporting.portal() as session:
            entries = [heard(begin, begin + timedelta(minutes=9))]
            add_to_log(session, barking.way, report_id=barking.id, episodes=entries, clock=clock)
        with reporting.desk() as desk:
            for sent in asked[:9]:
                how = {"report_id": sent.id, "officer": "Kim", "clock": clock}
                look_into(desk, words="I look into it", **how)
                ask_reporter(desk, question="Which gate?", **how)
                read_identity(desk, why="To call them", **how)
                close_report(desk, reason="I spoke with the owner", **how)
        with reporting.portal() as session:
            withdraw_report(session, barking.way, report_id=barking.id, why="Enough", clock=clock)

    return everything_happens


def look_everywhere(person, beginnings, watch):
    """Each page that links lead to from `beginnings`: its status, its headers, its bytes, its statements."""
    waiting, seen = list(beginnings), {}
    while waiting:
        path = waiting.pop(0)
        if path in seen:
            continue
        assert len(seen) < MOST_PAGES
        with watch.counting() as statements:
            answer = person.client.get(path, base_url=person.origin, headers={"Accept": "text/html"})
        headers = sorted((name, value) for name, value in answer.headers if name not in DIFFERS)
        bytes_ = same_each_time(answer.get_data(as_text=True)) if answer.mimetype != "image/jpeg" else answer.data
        seen[path] = (answer.status_code, headers, bytes_, len(statements))
        if answer.mimetype == "text/html":
            hrefs = re.findall(r'<a [^>]*href="([^"]+)"', answer.get_data(as_text=True))
            waiting += [urldefrag(href).url.replace("&amp;", "&") for href in hrefs if href.startswith("/")]
    return seen


def same_each_time(html):
    """The page without its form's token and key."""
    return re.sub(r'<input [^>]*name="(?:csrf_token|submission_key)"[^>]*>', "", html)


def told_letters(outbox, to):
    return [(letter.subject, letter.text) for letter in outbox.letters(to=to)]


def test_the_owner_learns_nothing_from_any_page_header_count_or_letter(pat, everything_happens, watch, outbox):
    before, letters = look_everywhere(pat, BEGINNINGS, watch), told_letters(outbox, PAT)
    assert len(before) > 40
    assert {"/dogs", "/me/data.json", "/reports/new/barking"} <= set(before)
    everything_happens()
    after = look_everywhere(pat, BEGINNINGS, watch)
    assert set(after) == set(before)
    assert {path: seen for path, seen in after.items() if seen != before[path]} == {}
    assert told_letters(outbox, PAT) == letters


def test_whoever_reports_does_see_it(arrive, reporting, watch):
    """Else the test above would prove nothing."""
    account = reporting.sign_in("robin@example.com")
    robin = arrive("robin@example.com").sign_in(then="/dogs")
    before = look_everywhere(robin, BEGINNINGS, watch)
    reporting.send(sender=account.sender(identity=ROBIN), place=PATS_HOME)
    after = look_everywhere(robin, BEGINNINGS, watch)
    changed = {path for path, seen in after.items() if seen != before.get(path)}
    assert {"/reports", "/me/data.json"} <= changed


def test_a_report_under_the_owner_s_own_address_changes_nothing_of_theirs(pat, reporting, watch, outbox):
    """Somebody types the mailbox of whom they accuse: its holder is asked once, in words that tell of no report."""
    before = look_everywhere(pat, BEGINNINGS, watch)
    reporting.send(sender=Sender(attestation=ATTESTED, identity=replace(ROBIN, email=PAT)), place=PATS_HOME)
    after = look_everywhere(pat, BEGINNINGS, watch)
    assert {path: seen for path, seen in after.items() if seen != before[path]} == {}
    letter = outbox.letters(to=PAT)[-1]
    assert letter.subject == "Is this your address?"
    assert not re.search("report(?!s/confirm/)|bark|neighbor|Idaho", letter.text, re.IGNORECASE)


def test_somebody_new_without_a_sign_in_learns_nothing(visitor, registrations, everything_happens, watch):
    registrations.licensed("Pepper")
    before = look_everywhere(visitor, BEGINNINGS, watch)
    everything_happens()
    after = look_everywhere(visitor, BEGINNINGS, watch)
    assert {path: seen for path, seen in after.items() if seen != before[path]} == {}


def test_the_clinic_and_its_software_learn_nothing(clinic, everything_happens, watch, outbox):
    vet, software, token = clinic

    def look():
        headers = {"Authorization": f"Bearer {token}"}
        listed = software.get("/api/v1/certificates", headers=headers)
        pages = look_everywhere(vet, ("/vet", "/vet/certificates", "/api/v1/openapi.json"), watch)
        return pages, listed.status_code, listed.text, told_letters(outbox, VET)

    before = look()
    everything_happens()
    assert look() == before


def test_the_owner_s_own_report_about_the_same_place_goes_the_same_way(pat, everything_happens):
    """Nothing is said of others: neither “already reported” nor a shorter way."""

    def report():
        pat.visit("/reports/new/litter")
        html = same_each_time(pat.submit(button=next(iter(pat.page.form(button=None, names=[]).buttons))).page.html)
        pat.visit("/reports/new")
        return html

    before = report()
    everything_happens()
    assert report() == before
