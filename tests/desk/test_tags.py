"""Tags go out in a batch: labels, then marked as mailed, each once."""

import io
from dataclasses import replace

import pytest
from pypdf import PdfReader

from portal.gateways.paper.labels import Label, labels_pdf
from portal.schema.licenses import Delivery
from tests.support.registrations import HOME, OWNER


@pytest.fixture
def three(registrations):
    """Three licensed dogs whose tags are to be mailed, and one whose tag is picked up."""
    for number, name in enumerate(("Pepper", "Rex", "Écho")):
        owner = replace(OWNER, name=f"Owner {number}")
        registrations.licensed(
            name, email=f"owner{number}@example.com", owner=owner, home=replace(HOME, unit=f"Apt {number}")
        )
    registrations.licensed("Max", email="max@example.com", delivery=Delivery.PICK_UP)


def test_a_batch_is_labelled_and_mailed(clerk, three, database):
    assert "3 tags to mail" in clerk.visit("/desk").links
    assert "due first" not in clerk.text
    clerk.click("3 tags to mail")
    assert "due by December 4, 2026" in clerk.text
    ticked = {**clerk.page.values, "used": ["28"]}
    read = PdfReader(io.BytesIO(clerk.client.post("/desk/tags/labels", data=ticked).data))
    text = "\n".join(sheet.extract_text() for sheet in read.pages)
    assert len(read.pages) == 2
    assert "Owner 1" in text
    assert "1310 Idaho Ave, Apt 1" in text
    assert "2026-2" in text
    clerk.visit("/desk/tags").submit(button="Mark as mailed")
    assert "3 tags marked as mailed." in clerk.page.html
    assert "No tag waits to be mailed." in clerk.text
    assert database.value("SELECT count(*) FROM animal_control.event WHERE kind = 'tag.sent'") == 3
    clerk.click("Tags that are picked up at the counter")
    clerk.submit(button="Handed over", status=422)
    assert clerk.errors == ["Tick the tags that went out"]
    [one] = clerk.page.forms[-1].controls["tags"]
    clerk.submit(button="Handed over", tags=[one.attrib["value"]])
    assert "1 tag handed over." in clerk.page.html


def test_the_second_of_two_marks_nothing_and_keeps_the_rest_ticked(clerk, officer, three, database):
    clerk.visit("/desk/tags")
    officer.visit("/desk/tags")
    first, *_ = [one.attrib["value"] for one in officer.page.forms[-1].controls["tags"]]
    officer.submit(button="Mark as mailed", tags=[first])
    clerk.submit(button="Mark as mailed", status=409)
    assert "None was marked" in clerk.text
    assert database.value("SELECT count(*) FROM animal_control.tag WHERE state = 'sent'") == 1
    assert len(clerk.page.values["tags"]) == 2
    clerk.submit(button="Mark as mailed")
    assert database.value("SELECT count(*) FROM animal_control.tag WHERE state = 'sent'") == 3


def test_a_dog_that_is_gone_gets_no_tag(clerk, three, database):
    database.run("UPDATE animal_control.animal SET state = 'died' WHERE name = 'Rex'")
    assert "2 tags to mail" in clerk.visit("/desk").links


def test_labels_print_any_name_and_keep_to_their_place():
    lines = (
        "Nguyễn Văn Đức & Xiong Pao 🐕",
        "A road whose name is as long as a road can be, at the end of it 1310 N",
        "Benson, MN 56215",
    )
    read = PdfReader(io.BytesIO(labels_pdf([Label(lines, "2026-1")] * 31, title="Labels for tags")))
    assert len(read.pages) == 2
    assert "Nguyễn Văn Đức" in read.pages[0].extract_text()
