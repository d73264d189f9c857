"""What a newcomer sees: the practice card page, the dashboard and the mailbox."""

import html5lib
import pytest
import requests

from portal.gateways.mail.door import FileMailer, Letter
from tests.practice.conftest import post


@pytest.fixture
def letters(practice):
    """Sends letters into the practice mailbox."""
    return FileMailer(practice.settings.mail_folder, "City of Benson <animals@example.gov>", announce=lambda _: None)


def letter(practice, **changes) -> Letter:
    words = {
        "to": "gavin@example.com",
        "subject": "Your code is 204713",
        "text": f"Your code is 204713.\nOr open {practice.settings.portal_origin}/sign-in/abc.\n",
        "html": "<h1>Your code is 204713</h1><script>alert(1)</script>",
        "message_id": "1@example.gov",
    }
    return Letter(**(words | changes))


def visit(url: str) -> requests.Response:
    """A page; whatever it is, it is well formed, has one heading, a language, labels, and nothing inline."""
    answer = requests.get(url, timeout=60)
    check(answer)
    return answer


def check(answer: requests.Response) -> None:
    page = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(answer.text)
    assert page.get("lang") == "en"
    assert len(page.findall(".//h1")) == 1
    assert "PRACTICE" in answer.text
    labelled = {label.get("for") for label in page.iter("label")}
    assert {field.get("id") for field in page.iter("input")} <= labelled
    assert not list(page.iter("script"))
    assert not list(page.iter("style"))
    assert not [element for element in page.iter() if element.get("style")]
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/", "/mail", "/practice/payments", "/practice/faults"])
def test_each_page_is_in_order_before_anything_has_happened(practice, path):
    assert visit(practice.url + path).ok


def test_the_card_page_says_that_no_money_moves_and_may_lead_back_to_the_portal(practice):
    checkout = practice.opened()
    page = visit(checkout.url)
    assert "PRACTICE - no real money" in page.text
    assert "$35.00" in page.text
    assert 'href="http://localhost:8000/pay/7"' in page.text
    assert "form-action 'self' http://localhost:8000" in page.headers["Content-Security-Policy"]


def test_after_paying_the_payer_is_sent_back_with_the_reference(practice):
    checkout = practice.opened()
    answer = practice.payer(checkout, "card")
    assert answer.headers["Location"] == f"http://localhost:8000/pay/7/done?session={checkout.reference}"
    assert "This payment is done" in visit(f"{practice.url}/c/pay/{checkout.reference}").text


def test_a_declined_card_is_told_on_the_same_page(practice):
    answer = practice.payer(practice.opened(), "decline")
    check(answer)
    assert "was declined" in answer.text
    assert "<title>Error: " in answer.text


def test_an_expired_page_leads_back(practice):
    checkout = practice.opened()
    practice.processor.expire_checkout(checkout.reference)
    assert "has expired" in visit(f"{practice.url}/c/pay/{checkout.reference}").text


@pytest.mark.parametrize("deeds", [[], ["dispute"], ["dispute", "lose"], ["refund"]])
def test_the_dashboard_shows_every_state_of_a_paid_one(practice, deeds):
    checkout = practice.paid()
    for deed in deeds:
        practice.city(checkout, deed)
    assert visit(f"{practice.url}/practice/payments/{checkout.reference}").ok
    assert visit(f"{practice.url}/practice/payments").ok


@pytest.mark.parametrize("amount", ["ten", "1.005", "40", "0", "-5", "NaN"])
def test_an_amount_that_cannot_be_refunded_is_explained(practice, amount):
    answer = practice.city(practice.paid(), "refund", amount=amount)
    assert answer.status_code == 422
    check(answer)
    assert 'id="amount-error"' in answer.text


def test_nothing_can_be_asked_for_that_does_not_exist(practice):
    assert requests.get(f"{practice.url}/c/pay/cs_nothing", timeout=60).status_code == 404
    assert requests.get(f"{practice.url}/practice/payments/cs_nothing", timeout=60).status_code == 404
    assert post(f"{practice.url}/practice/faults", kind="earthquake").status_code == 400
    assert practice.payer(practice.opened(), "gold").status_code == 400


def test_faults_asked_for_are_listed_until_they_are_forgotten(practice):
    practice.fault("error", times="2")
    assert visit(f"{practice.url}/practice/faults").text.count("fails with a server error</li>") == 2
    post(f"{practice.url}/practice/faults/clear")
    assert "all works as it should" in visit(f"{practice.url}/practice/faults").text


def test_other_sites_can_neither_press_buttons_nor_read_the_mail(practice):
    pressed = requests.post(
        f"{practice.url}/practice/faults", {"kind": "error"}, headers={"Sec-Fetch-Site": "cross-site"}, timeout=60
    )
    assert pressed.status_code == 403
    assert requests.get(f"{practice.url}/mail", headers={"Host": "evil.example"}, timeout=60).status_code == 400


def test_a_newcomer_reads_the_code_and_follows_the_link(practice, letters):
    letters.send(letter(practice, subject="An older one"))
    letters.send(letter(practice))
    listed = visit(f"{practice.url}/mail").text
    assert listed.index("Your code is 204713") < listed.index("An older one")
    shown = visit(practice.url + newest(listed)).text
    link = f"{practice.settings.portal_origin}/sign-in/abc"
    assert f'<a href="{link}">{link}</a>.' in shown


def test_the_html_of_a_letter_is_shown_where_nothing_in_it_can_run(practice, letters):
    letters.send(letter(practice))
    path = newest(visit(f"{practice.url}/mail").text)
    assert '<iframe title="The letter as HTML" sandbox src=' in visit(practice.url + path).text
    policy = requests.get(f"{practice.url}{path}/html", timeout=60).headers["Content-Security-Policy"]
    assert "sandbox" in policy
    assert "default-src 'none'" in policy


def test_e1_what_a_person_typed_is_never_a_link(practice, letters):
    typed = "[Pay now](http://evil.example) <a href=//evil.example>Rex</a> http://evil.example/x"
    letters.send(letter(practice, subject=typed, text=typed))
    listed = visit(f"{practice.url}/mail").text
    shown = visit(practice.url + newest(listed)).text
    assert "evil.example" in shown
    for page in (listed, shown):
        links = [link.get("href") for link in html5lib.parse(page, namespaceHTMLElements=False).iter("a")]
        assert not [link for link in links if "evil.example" in link and not link.startswith("/mail/")]


def test_a_letter_to_an_address_in_another_script_is_shown(practice, letters):
    letters.send(letter(practice, to="фото@example.com", subject="Nguyễn 🐶"))
    listed = visit(f"{practice.url}/mail").text
    assert "To фото@example.com" in listed
    assert "Nguyễn 🐶" in visit(practice.url + newest(listed)).text


def test_a_damaged_letter_does_not_hide_the_others(practice, letters):
    letters.send(letter(practice))
    (practice.settings.mail_folder / "99999999-broken.eml").write_bytes(
        b"Content-Type: text/plain; charset=nonsense\nSubject: =?x?y?z\n\n\xff\xfe"
    )
    listed = visit(f"{practice.url}/mail").text
    assert "Your code is 204713" in listed
    assert visit(f"{practice.url}/mail/99999999-broken.eml").ok


@pytest.mark.parametrize("name", ["..%2f..%2fetc%2fpasswd", "nothing.eml", ".hidden.eml", "practice.sqlite3"])
def test_only_letters_are_served(practice, name):
    assert requests.get(f"{practice.url}/mail/{name}", timeout=60).status_code == 404


def newest(listed: str) -> str:
    """The path of the first letter in the list."""
    return listed.split('class="list"')[1].split('href="')[1].split('"')[0]
