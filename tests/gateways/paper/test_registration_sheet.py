"""The certificate of registration of a dangerous dog: one page, whatever the dog and its people are called."""

import io
from dataclasses import replace
from datetime import date

import pytest
from pypdf import PdfReader

from portal.gateways.paper.registration_sheet import RegistrationSheet, registration_pdf

REX = RegistrationSheet(
    city="City of Benson",
    office=["Benson Police Department", "1410 Kansas Avenue, Benson, MN 56215 · 320-555-0100"],
    name="Rex",
    looks="Mixed, brown and white, male, neutered",
    microchip="HomeAgain 985112003456781",
    license_label="2026, number 148",
    owner="Pat O’Brien",
    kept_at="1310 Idaho Ave, Benson, MN 56215",
    starts_on=date(2026, 12, 11),
    until=date(2027, 11, 30),
    issued_on=date(2026, 12, 11),
    code="7KM2-9XPR-4TQD-H3WN",
    link="https://animals.example.gov/proof/7KM2-9XPR-4TQD-H3WN",
    checked_at="animals.example.gov/proof",
    rules=["City Code § 90.13(H)(1)", "Minn. Stat. § 347.51"],
)


def read(sheet: RegistrationSheet) -> PdfReader:
    return PdfReader(io.BytesIO(registration_pdf(sheet)))


def test_the_certificate_says_which_dog_to_when_and_where_to_check_it():
    page = " ".join(read(REX).pages[0].extract_text().split())
    for said in ("Certificate of registration", "Rex", "November 30, 2027", "7KM2-9XPR-4TQD-H3WN", "Pat O’Brien"):
        assert said in page
    assert "City Code § 90.13(H)(1); Minn. Stat. § 347.51" in page


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("🐶 Nkauj Hnub Iftiin " * 12, id="long, with emoji"),
        pytest.param("W" * 400, id="four hundred letters without a blank"),
        pytest.param("#panic() *Bella* _x_ $y$", id="signs of the typesetter’s own language"),
        pytest.param("", id="no name"),
    ],
)
def test_it_stays_one_page_that_a_screen_reader_can_read(name):
    found = read(replace(REX, name=name, looks=name, owner=name, kept_at=name))
    assert len(found.pages) == 1
    assert b"<pdfuaid:part>1</pdfuaid:part>" in found.trailer["/Root"]["/Metadata"].get_data()
