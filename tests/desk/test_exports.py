"""Files that are taken away: exact for software, safe and still exact in a spreadsheet; and the report of a year."""

import csv
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from io import StringIO

import pytest

from portal.services.desk.csv_files import Shape, cell
from portal.services.desk.exports import BATCH
from tests.support.pound import impounded
from tests.support.registrations import OWNER

MANY_DOGS = """
    INSERT INTO animal_control.animal (species, name, breed, color, sex, premises_id)
    SELECT species, 'Dog ' || n, breed, color, sex, premises_id
    FROM animal_control.animal, generate_series(1, :count) AS n
"""
FORMULA = '=HYPERLINK("http://evil.example","Écho")'


@pytest.fixture
def download():
    """Somebody downloads a file: its rows by the names of its heads."""

    def download(person, what, *, shape, year="2026"):
        person.visit("/desk/exports").submit(what=what, year=year, shape=shape)
        assert person.answer.mimetype == "text/csv"
        text = person.answer.data.decode()
        assert text.startswith("\ufeff") == (shape == "spreadsheet")
        return list(csv.DictReader(StringIO(text.removeprefix("\ufeff"))))

    return download


def test_a_file_for_software_holds_exactly_what_the_database_does(clerk, registrations, download, database):
    owner = replace(OWNER, name="@Zoë Nguyễn", phone="+1 320 555 0100")
    registrations.licensed(FORMULA, owner=owner, microchip="001234567890123")
    [row] = download(clerk, "licenses", shape="machines")
    assert (row["name"], row["owners"], row["microchip"]) == (FORMULA, "@Zoë Nguyễn", "001234567890123")
    assert (row["phones"], row["ZIP code"], row["number"]) == ("+1 320 555 0100", "56215", "1")
    assert "001234567890123-raw.csv" not in clerk.answer.headers["Content-Disposition"]
    assert "licenses-2026-raw.csv" in clerk.answer.headers["Content-Disposition"]
    [event] = database.rows("SELECT actor, detail FROM animal_control.event WHERE kind = 'desk.exported'")
    assert (event.actor, event.detail) == (f"officer:{clerk.email}", {"file": "licenses", "year": 2026})
    assert download(clerk, "licenses", shape="machines", year="2027") == []


def test_a_file_longer_than_what_is_read_at_a_time_is_whole(clerk, registrations, download, database):
    registrations.dog("Pepper")
    database.run(MANY_DOGS, count=2 * BATCH)
    rows = download(clerk, "animals", shape="machines")
    assert sorted(row["name"] for row in rows) == sorted(["Pepper", *(f"Dog {n}" for n in range(1, 2 * BATCH + 1))])


def test_in_a_spreadsheet_no_cell_is_a_formula_and_numbers_keep_their_zeros(clerk, registrations, download):
    owner = replace(OWNER, name="@Zoë Nguyễn", phone="+1 320 555 0100")
    registrations.licensed(FORMULA, owner=owner, microchip="001234567890123")
    [row] = download(clerk, "licenses", shape="spreadsheet")
    assert (row["name"], row["owners"]) == (f"'{FORMULA}", "'@Zoë Nguyễn")
    assert (row["microchip"], row["phones"]) == ('="001234567890123"', '="+1 320 555 0100"')
    assert (row["ZIP code"], row["number"], row["valid until"]) == ('="56215"', "1", "2026-12-31")


@pytest.mark.parametrize(
    ("value", "in_a_spreadsheet"),
    [
        ("00123", '="00123"'),
        ("985112001234567", '="985112001234567"'),
        ("1e5", '="1e5"'),
        ("2026-11", '="2026-11"'),
        ("May 5", '="May 5"'),
        ("TRUE", '="TRUE"'),
        ("Max", "Max"),
        ("1310 Idaho Ave", "1310 Idaho Ave"),
        ("-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"),
        ("\t=1+1", "'\t=1+1"),
        ("=1+1", "'=1+1"),
        ("＝1+1", "'＝1+1"),
        ('12"', '12"'),
        (Decimal("-12.50"), "-12.50"),
        (date(2026, 11, 30), "2026-11-30"),
        (datetime(2026, 11, 30, 10, 5), "2026-11-30T10:05:00"),  # noqa: DTZ001
        (None, ""),
        (True, "yes"),
    ],
)
def test_a_cell_says_what_it_says(value, in_a_spreadsheet):
    assert cell(value, Shape.SPREADSHEET) == in_a_spreadsheet
    assert cell(value, Shape.MACHINES) == in_a_spreadsheet.removeprefix('="').removeprefix("'").rstrip(
        '"'
    ) or '"' in str(value)


def test_the_fees_of_a_year_are_the_money_of_its_report(clerk, registrations, download, database):
    registrations.licensed()
    registrations.licensed("Rex", email="gavin@example.com", is_altered=False)
    rows = download(clerk, "fees", shape="machines")
    total = sum(Decimal(row["amount"]) for row in rows)
    assert total == Decimal(database.value("SELECT sum(amount_cents) FROM animal_control.payment")) / 100
    report = download(clerk, "licenses-and-receipts", shape="machines")
    assert {"part": "total", "of what": "kept", "how many": "", "amount": str(total)} in report
    clerk.visit("/desk/exports").click("Licenses and receipts of the year")
    assert clerk.h1 == "Licenses and receipts of 2026"
    assert f"All fees${total}" in clerk.text
    assert "does not balance" not in clerk.text
    database.run("UPDATE animal_control.payment SET refunded_cents = 500 WHERE amount_cents > 500")
    database.run("UPDATE animal_control.fee_order_line SET amount_cents = amount_cents + 1")
    clerk.submit(year="2026")
    assert "It does not balance" in clerk.text
    assert "Given back" in clerk.text
    clerk.submit(year="soon", status=422)
    assert clerk.errors == ["Enter the year with four digits, like 2026"]


def test_money_taken_on_new_years_eve_is_of_the_old_year(clerk, registrations, database, download):
    registrations.licensed()
    database.run("UPDATE animal_control.payment SET paid_at = '2027-01-01 05:30+00'")
    assert len(download(clerk, "fees", shape="machines")) == 1
    database.run("UPDATE animal_control.payment SET paid_at = '2027-01-01 06:30+00'")
    assert download(clerk, "fees", shape="machines") == []


def test_impound_records_are_for_officers_and_name_nobody(officer, clerk, database, download):
    impounded(database, microchip="000123")
    [row] = download(officer, "impound-records", shape="machines")
    assert (row["seized at"], row["seized on"], row["species"]) == ("behind 212 Elm Street", "2026-11-25", "dog")
    assert (row["breed"], row["approximate age"], row["marks"]) == ("beagle", "about 3 years", "red collar")
    assert row["microchip"] == "000123"
    clerk.visit("/desk/exports")
    assert "Impound" not in clerk.text
    answer = clerk.client.post("/desk/exports", data={"what": "impound-records", "year": "2026", "shape": "machines"})
    assert answer.status_code == 422


def test_more_rows_than_a_batch_all_come_once(clerk, registrations, download, monkeypatch):
    monkeypatch.setattr("portal.services.desk.exports.BATCH", 2)
    for number in range(5):
        registrations.dog(f"Dog {number}", email="pat@example.com")
    rows = download(clerk, "animals", shape="machines")
    assert sorted(row["name"] for row in rows) == [f"Dog {number}" for number in range(5)]
