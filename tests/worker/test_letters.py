"""What letters say, and what nobody can make them say."""

import re
from typing import Any

import html5lib
import pytest

from portal.city import load_city
from portal.composition import city_file
from portal.gateways.clock import SystemClock
from portal.gateways.mail.door import Letter
from portal.gateways.mail.drawing import TEMPLATES, render_letter
from portal.gateways.mail.letter import compose

CITY = load_city(city_file("benson"))
BASE_URL = "https://animals.benson.example"
PARTS = {"_gone", "foot", "paid_by"}
NAMES = [path.stem for path in sorted((TEMPLATES / "messages").glob("*.txt")) if path.stem not in PARTS]


PET = {
    "gone": "/reminders/open/signed/dogs/7/gone",
    "path": "/reminders/open/signed/dogs/7/certificate",
    "good_to": "2026-12-31",
    "needed_from": "2026-12-31",
    "is_over": False,
    "is_estimated": True,
}
DESIGNATED = {
    "on": "2026-11-25",
    "days": [{"title": "Reclaim the dog", "counted": "7 days from the seizure", "section": "City Code § 90.13(J)"}],
    "path": "/reminders/open/signed/dogs/7/dangerous",
}
ORDER = {"reference": "7K3M-9PQR", "total_cents": 1000, "at_counter": False, "path": "/reminders/open/signed/pay/7"}


def letter(template: str, typed: str = "Pepper", **more: Any) -> Letter:
    """A letter in which everything a person can type says the same."""
    context = {
        "animal": typed,
        "animals": [typed, "Rex"],
        "later": [typed],
        "reason": typed,
        "lines": [{"description": f"Dog license 2026: {typed}", "amount_cents": 1000}],
        "total_cents": 1000,
        "reference": "7K3M-9PQR",
        "method": "card",
        "path": "/dogs/7",
        "code": "493027",
        "link": f"{BASE_URL}/sign-in/link/secret",
        "minutes": 30,
        "refunded_cents": 1000,
        "amount_cents": 250,
        "left_cents": 750,
        "by": "2026-12-03",
        "certificate_path": "/dogs/7/certificate",
        "good_until": "2029-06-12",
        "valid_until": "2026-12-31",
        "year": 2026,
        "number": 12,
        "issue": 2,
        "species": "dog",
        "show_by": "2026-12-24",
        "kept_through": "2026-12-03",
        "matches": [{"why": typed, "is_at_the_pound": at, "path": "/found/4K7PQ-XRM2T"} for at in (True, False)],
        "more": 2,
        "has_notice": True,
        "demanded_on": "2026-12-17",
        "until": "2026-12-30",
        "delivery": "mail",
        "kind": "died",
        "is_first": True,
        "notice_path": "/found/4K7PQ-XRM2T",
        "has_photo": True,
        "is_going_on": True,
        "id": "7c9e6679",
        "pets": [PET | {"name": typed}, PET | {"name": "Rex", "is_over": True}],
        "dogs": [DESIGNATED | {"name": typed}],
        "orders": [ORDER | {"animals": [typed, "Rex"]}, ORDER | {"animals": [typed], "at_counter": True}],
        "ends_on": "2026-12-31",
        "is_over": False,
        "stop_path": "/reminders/stop/signed",
        "public_path": "/lost/4K7PQ-XRM2T",
        "is_checked": False,
        "is_found": False,
        "holding": "held",
        "taken_in": "November 30, 2026 at 9:30 p.m.",
        "report_by": "November 30, 2026 at 11:30 p.m.",
        "position": "45.31679, -95.60234",
        "seen_at": "November 30, 2026 at 9:30 a.m.",
        "designated": "dangerous",
        "asks_notice": "90.13(H)(14)",
        "noticed_on": "2026-11-12",
        "asks": "Keep the dog in a proper enclosure",
        "link_for": "landlord",
        "told": "move",
        "happens_on": "2026-12-30",
        "received_at": "November 12, 2026 at 3:04:05 p.m.",
        "at": "December 12, 2026 at 3:00:00 p.m.",
        "hold_by": "2026-12-26",
        "heard_by": typed,
        "is_late": True,
        "from_day": "2027-02-28",
        "is_early": True,
        "is_rescinded": False,
        "clinics": [typed, "Valley Vets"],
        **dict.fromkeys(("clinic", "clinic_phone", "asked_by", "asker_email", "added_by", "sender"), typed),
        **dict.fromkeys(("old_email", "new_email"), typed),
        **dict.fromkeys(
            (
                "about",
                "called",
                "where",
                "owner",
                "what",
                "phone",
                "said",
                "place",
                "tag",
                "fee",
                "contact",
                "answer",
                "other",
            ),
            typed,
        ),
    }
    return render_letter(
        template, {**context, **more}, to="pat@example.com", city=CITY, base_url=BASE_URL, message_id="7c9e@example"
    )


def readable(html: str) -> str:
    return " ".join("".join(html5lib.parse(html, namespaceHTMLElements=False).find("body").itertext()).split())


def links(html: str) -> set[str]:
    return {a.get("href", "") for a in html5lib.parse(html, namespaceHTMLElements=False).iter("a")}


@pytest.mark.parametrize("template", NAMES)
@pytest.mark.parametrize(
    "typed",
    [
        pytest.param("[Pay now](http://evil.example)", id="E1 a link in markdown"),
        pytest.param("<a href=//evil.example>Rex</a>", id="E1 a link in HTML"),
        pytest.param("Rex\r\nBcc: victim@evil.example\r\n\r\nhttps://evil.example", id="E1 a line break and Bcc"),
        pytest.param("www.evil.example", id="E1 an address without a scheme"),
        pytest.param("mailto:victim@evil.example", id="E1 a mailbox"),
        pytest.param("evil。example/pay?a=1", id="E1 another script's full stop"),
        pytest.param("=?utf-8?q?Rex=0D=0ABcc=3A_victim=40evil.example?=", id="E1 an encoded word"),
        pytest.param("{{ city.name }}{% for x in y %}", id="E1 a template"),
    ],
)
def test_what_people_type_is_inert_in_every_part(template, typed):
    """E1: nothing becomes a link, a header, a recipient or a line of its own."""
    made = letter(template, typed)
    for part in (made.subject, made.text, readable(made.html)):
        assert "evil.example" not in part
        assert "evil。example" not in part
        assert "://evil" not in part
        assert "@evil" not in part
        assert "](" not in part
    assert "\n" not in made.subject
    assert not re.search(r"^Bcc", made.text, re.MULTILINE)
    assert all(link.startswith((BASE_URL, "tel:")) for link in links(made.html))
    message = compose(made, sender="City of Benson <animals@benson.example>", sent_at=SystemClock(CITY.time_zone).now())
    assert message["Bcc"] is None
    assert message["To"] == "pat@example.com"
    assert "evil" not in message["From"]


@pytest.mark.parametrize(
    "typed",
    [
        "same color, 0.2 miles, next day",
        "45.31679, -95.60235",
        "$1,250.50, due at 9:30 p.m.",
        "(12.5%) since 14:05:59",
    ],
)
def test_numbers_amounts_and_times_are_whole_in_the_plain_text(typed):
    """Nothing that is not seen stands in them: people copy them, and a screen reader stumbles over it."""
    made = letter("certificate_sent_back", "Rex", reason=typed)
    assert typed in made.text
    assert typed in readable(made.html)
    assert not set("\u200b\u200c\u200d\u2060\ufeff\u00a0") & set(made.text)


@pytest.mark.parametrize("typed", ["0.2.evil.example", "192.168.0.1", "9:30/evil.example", "p.m.evil.example"])
def test_what_only_begins_like_a_number_is_no_link_either(typed):
    made = letter("certificate_sent_back", "Rex", reason=typed)
    assert typed not in made.text
    assert typed not in readable(made.html)


@pytest.mark.parametrize(
    "name", ["O'Brien", "D’Angelo", "Mai-Lee", "Nguyễn", "Null", "🐶 Bailey", "St. Bernard & Co <3", "Bánh Mì"]
)
def test_names_come_out_as_typed(name):
    """I5: neither changed nor escaped where a person reads them."""
    made = letter("certificate_accepted", name)
    assert made.subject == f"The rabies certificate of {name} is accepted"
    assert f"The rabies certificate of {name} is accepted." in made.text
    assert f"The rabies certificate of {name} is accepted" in readable(made.html)


@pytest.mark.parametrize("template", NAMES)
def test_both_parts_lead_to_the_same_pages(template):
    made = letter(template)
    pages = {link for link in links(made.html) if not link.startswith("tel:")}
    assert pages == set(re.findall(r"https?://[^\s]+", made.text))
    assert CITY.police.phone in made.text
    assert CITY.police.phone in readable(made.html)
    assert made.reply_to == CITY.police.email


@pytest.mark.parametrize("template", NAMES)
def test_every_letter_is_strict_html_that_brings_nothing_with_it(template):
    html = letter(template).html
    html5lib.HTMLParser(strict=True).parse(html)
    assert not re.search(r"\s(style|src|onclick)=|<(img|link|script|table)", html)


def test_a_letter_links_to_no_page_but_ours():
    for elsewhere in ("https://evil.example/sign-in", "//evil.example", "/a b", f"{BASE_URL}.evil.example/"):
        with pytest.raises(ValueError, match="portal alone"):
            letter("sign_in", link=elsewhere)


def test_the_code_is_in_the_letter_and_not_in_its_subject():
    made = letter("sign_in")
    assert "493027" in made.text
    assert "493027" in readable(made.html)
    assert "493027" not in made.subject


def test_a_receipt_of_nothing_says_so():
    """P7: a waived fee has a receipt of $0.00."""
    made = letter(
        "receipt",
        lines=[{"description": "Dog license 2026: Rex", "amount_cents": 0}],
        total_cents=0,
        method="nothing_due",
    )
    assert "Dog license 2026: Rex: $0.00" in made.text
    assert "Total: $0.00\nNothing was due\n" in made.text


@pytest.mark.parametrize(
    ("total_cents", "reference", "later", "said", "not_said"),
    [
        pytest.param(2000, "7K3M-9PQR", [], "You pay $20.00", "There is nothing to pay", id="a fee"),
        pytest.param(0, "7K3M-9PQR", [], "There is nothing to pay now", "You pay", id="a waiver"),
        pytest.param(0, None, [], "An officer checks", "we issue the license", id="a cat"),
        pytest.param(
            1000, "7K3M-9PQR", ["Pepper", "Rex"], "rabies certificate of Pepper and Rex", "officer", id="later"
        ),
    ],
)
def test_what_happens_next_after_applying(total_cents, reference, later, said, not_said):
    text = letter("application_received", total_cents=total_cents, reference=reference, later=later).text
    assert said in text
    assert not_said not in text


@pytest.mark.parametrize(
    ("delivery", "said"), [("mail", "We mail the tag to you."), ("pick_up", "You pick the tag up at Benson Police")]
)
def test_how_the_tag_comes(delivery, said):
    made = letter("license_issued", delivery=delivery)
    assert said in made.text
    assert said in readable(made.html)
    assert "Renew the license by December 31, 2026." in made.text
