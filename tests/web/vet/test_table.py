"""Tables as clinics' programs write them: good rows are filed, wrong ones come back with what to correct."""

import csv
import io
import time
from dataclasses import replace
from datetime import date

import pytest

from portal.services.clinics.decide_filing import send_filing_back
from tests.support.owing import committed
from tests.support.pages import joined
from tests.support.registrations import LATER, OFFICER, OWNER

HEAD = "Owner name,Owner address,Animal name,Species,Sex,Breed,Weight,Date given,Type of vaccine,Years,Veterinarian"
ROW = "Pat Olson,1310 Idaho Ave,Pepper,dog,F,Lab,62 lb,2026-06-12,killed,3,Ann Lee"


def table(*rows: str, head: str = HEAD) -> bytes:
    return "\r\n".join([head, *rows, ""]).encode()


def send(vet, content: bytes, *, name: str = "table.csv", status: int = 200):
    return vet.visit("/vet/table").submit(file=(content, name), attested_name="Ann Lee", status=status)


def told(vet) -> list[str]:
    """The lines of the report: line, column, what to do."""
    found = [element for one in vet.page.by_class("report") for element in one.iter("tr")]
    return [" | ".join(joined(cell) for cell in row.iter("td")) for row in found][1:]


def rows(database):
    return database.rows("SELECT * FROM animal_control.clinic_filing ORDER BY animal_name, id")


def to_correct(vet) -> list[list[str]]:
    answer = vet.client.get("/vet/table/to-correct.csv", base_url=vet.origin)
    assert answer.status_code == 200
    assert answer.mimetype == "text/csv"
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"), newline="")))


def test_each_good_row_is_filed(vet, database):
    page = send(vet, table(ROW, ROW.replace("Pepper", "Rex")))
    assert "2 rows filed" in page.text
    first, _ = rows(database)
    assert (first.channel, first.state, first.attested_name) == ("table", "waiting", "Ann Lee")
    assert (first.given_on, first.certificate_due_on) == (date(2026, 6, 12), date(2029, 6, 12))
    assert database.value("SELECT count(*) FROM animal_control.event WHERE kind = 'filing.received'") == 2


def test_the_template_can_be_sent_as_it_is(vet, database):
    template = vet.client.get("/vet/table/template.csv", base_url=vet.origin)
    assert "1 row filed" in send(vet, template.data).text
    assert rows(database)[0].microchip == "985112000000000"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(table(ROW.replace("Olson", "Nuñez")), id="UTF-8"),
        pytest.param(b"\xef\xbb\xbf" + table(ROW.replace("Olson", "Nuñez")), id="with a byte order mark"),
        pytest.param(table(ROW.replace("Olson", "Nuñez")).decode().encode("cp1252"), id="Windows-1252"),
        pytest.param(table(ROW.replace("Olson", "Nuñez")).decode().encode("utf-16"), id="UTF-16"),
        pytest.param(table(ROW.replace("Olson", "Nuñez")).replace(b",", b";"), id="semicolons"),
        pytest.param(table(ROW.replace("Olson", "Nuñez")).replace(b",", b"\t"), id="tabs"),
        pytest.param(table(ROW.replace("Olson", "Nuñez")).replace(b"\r\n", b"\n"), id="line feeds"),
        pytest.param(table("", ROW.replace("Olson", "Nuñez"), "", ",,,,,,,,,,"), id="empty lines"),
    ],
)
def test_whatever_a_program_writes_is_read(vet, database, content):
    assert "1 row filed" in send(vet, content).text
    assert rows(database)[0].owner_name == "Pat Nuñez"


def test_a_line_break_in_quotes_belongs_to_its_cell_and_lines_are_counted_as_in_the_file(vet, database):
    first = ROW.replace("1310 Idaho Ave", '"1310 Idaho Ave\r\nBenson, MN"')
    send(vet, table(first, ROW.replace("2026-06-12", "yesterday")))
    assert rows(database)[0].owner_address == "1310 Idaho Ave Benson, MN"
    assert told(vet) == ["4 | Date given | Enter the date as month, day and year, like June 12, 2025"]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("2026-06-12", "6/12/26", "Date given | Enter the year with four digits"),
        ("2026-06-12", "soon-06-12", "Date given | Enter the month as a name or a number from 1 to 12. Enter the year"),
        ("2026-06-12", "06/31/2026", "Date given | June has 30 days"),
        ("2026-06-12", "2026-12-24", "Date given | The vaccination date is in the future"),
        ("2026-06-12", "", "Date given | Enter the date of the vaccination"),
        (",dog,", ",ferret,", "Species | Enter dog or cat"),
        (",dog,", ",,", "Species | Enter dog or cat"),
        (",F,", ",?,", "Sex | Choose female or male"),
        (",F,", ",other,", "Sex | Enter female or male"),
        ("62 lb", "", "Weight or size | Choose the size, or enter the weight"),
        ("killed", "", "Type of vaccine | Choose the type of vaccine"),
        ("Pat Olson", "", "Owner name | Enter the owner’s name"),
        (",3,", ",three,", "Years | Enter the years the vaccine lasts as a number"),
        (",3,", ",0,", "Years | A vaccine lasts at least one year"),
        ("Lab", "L" * 500, "Breed, color, marks | Use 400 characters or fewer"),
        ("Ann Lee", "Ann Lee,more", "The whole row | The row has more cells than the first line"),
    ],
)
def test_what_is_wrong_is_told_by_line_and_column(vet, database, old, new, sentence):
    send(vet, table(ROW.replace(old, new), ROW.replace("Pepper", "Rex")))
    (line,) = told(vet)
    assert line.startswith(f"2 | {sentence}")
    assert [row.animal_name for row in rows(database)] == ["Rex"]


def test_everything_that_is_wrong_in_a_row_is_told_at_once(vet):
    send(vet, table("Pat,,Rex,bird,?,,,soon,,x,"), status=422)
    assert [line.split(" | ")[1] for line in told(vet)] == [
        "Species",
        "Date given",
        "Years",
        "Owner address",
        "Sex",
        "Breed, color, marks",
        "Weight or size",
        "Type of vaccine",
    ]


def test_wrong_rows_come_back_as_a_table_to_correct_and_send(vet, database):
    send(vet, table(ROW, ROW.replace("Pepper", "Rex").replace("2026-06-12", "soon")))
    head, row = to_correct(vet)
    assert head == [*HEAD.split(","), "What to correct"]
    assert row[-1] == "Date given: Enter the date as month, day and year, like June 12, 2025"
    row[head.index("Date given")] = "2026-07-01"
    text = io.StringIO(newline="")
    csv.writer(text).writerows([head, row])
    assert "1 row filed" in send(vet, text.getvalue().encode()).text
    assert [one.animal_name for one in rows(database)] == ["Pepper", "Rex"]
    assert vet.client.get("/vet/table/to-correct.csv", base_url=vet.origin).status_code == 404


@pytest.mark.parametrize("formula", ["=HYPERLINK(1)", "+1", "-2+3", "@SUM(A1)"])
def test_nothing_we_hand_back_is_computed(vet, formula):
    send(vet, table(ROW.replace("Pat Olson", formula).replace("2026-06-12", "soon")), status=422)
    _, row = to_correct(vet)
    assert row[0] == f"'{formula}"


def test_a_formula_is_text_and_comes_back_as_it_was_written(vet, database):
    send(vet, table(ROW.replace("Pepper", "=Pepper"), ROW.replace("Pepper", "'=Rex")))
    assert [row.animal_name for row in rows(database)] == ["=Pepper", "=Rex"]


def test_the_same_table_twice_files_nothing_twice(vet, database):
    content = table(ROW, ROW.replace("Pepper", "Rex"), ROW)
    assert "2 rows filed 1 was filed before" in send(vet, content).text
    assert "0 rows filed 3 were filed before" in send(vet, content.replace(b"\r\n", b"\n").replace(b",", b";")).text
    assert len(rows(database)) == 2


def test_the_same_table_of_another_clinic_is_filed_for_it(vet, other_vet, database):
    send(vet, table(ROW))
    assert "1 row filed" in send(other_vet, table(ROW)).text
    assert len(rows(database)) == 2


def test_a_withdrawn_row_may_be_filed_anew(vet, database):
    send(vet, table(ROW))
    filing_id = rows(database)[0].id
    vet.visit(f"/vet/certificates/{filing_id}/withdraw").submit(button="Withdraw")
    assert "1 row filed" in send(vet, table(ROW)).text


def test_a_row_that_came_back_may_be_sent_again_once_the_owner_has_registered(
    vet, filings, registrations, desk_engine, gateways, database
):
    send(vet, table(ROW))
    with committed(desk_engine) as session:
        why = {"reason": "We know no animal like this.", "officer": OFFICER, "clock": gateways.clock}
        send_filing_back(session, filing_id=rows(database)[0].id, **why)
    registrations.dog("Pepper", certificate=LATER, owner=replace(OWNER, name="Pat Olson"))
    assert "1 row filed" in send(vet, table(ROW)).text
    filings.match()
    assert sorted(row.state for row in rows(database)) == ["filed", "sent_back"]
    assert "0 rows filed 1 was filed before" in send(vet, table(ROW)).text


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        pytest.param(b"", "empty", id="nothing"),
        pytest.param(b"   \r\n", "empty", id="blanks"),
        pytest.param(b"PK\x03\x04 and so on", "workbook", id="an Excel workbook"),
        pytest.param(b"a,b\r\n1,2\r\n", "has no column for: Owner name", id="another table"),
        pytest.param(table(), "no rows below", id="a head alone"),
        pytest.param(table('"' + "x" * 200_000), "can’t be read as a table", id="a quote that never ends"),
        pytest.param(b"\x00\x01\x02\xff\xfe" * 50, "no column for", id="bytes"),
    ],
)
def test_what_is_no_table_is_explained(vet, database, content, sentence):
    page = send(vet, content, status=422)
    assert len(page.errors) == 1
    assert sentence in page.errors[0]
    assert rows(database) == []


def test_more_rows_than_a_table_may_have_are_told_with_the_number(vet, database):
    page = send(vet, table(*["x"] * 10_001), status=422)
    assert page.errors == ["A table may have 10,000 rows. Send it in two parts"]
    assert rows(database) == []


def test_ten_thousand_rows_are_filed_within_the_time_a_request_has(vet, database):
    short = "P O,1 A,Dog,dog,F,L,9,2026-06-12,killed,3,A"
    content = table(*(short.replace("Dog", f"D{number}") for number in range(10_000)))
    began = time.process_time()
    assert "10000 rows filed" in send(vet, content).text
    assert time.process_time() - began < 30  # of our own work: a busy machine makes nobody fail
    assert database.counts()["animal_control.clinic_filing"] == 10_000


def test_the_rows_to_correct_are_for_the_browser_that_sent_them(vet, other_vet):
    send(vet, table(ROW.replace("2026-06-12", "soon")), status=422)
    to_correct(vet)
    assert other_vet.client.get("/vet/table/to-correct.csv", base_url=other_vet.origin).status_code == 404
