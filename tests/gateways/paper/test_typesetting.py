"""Sheets as PDFs: whatever a person wrote is printed as it was written, and a screen reader can read the sheet."""

import io
from dataclasses import replace

import pytest
from pypdf import PdfReader

from portal.gateways.child_processes.running import AllTurnsTaken, Turns
from portal.gateways.paper.typesetting import USUAL_LIMITS, SheetFailed, typeset

SAID = {
    "title": "Lost dog: Bella",
    "heading": "LOST DOG",
    "heading_es": "PERRO PERDIDO",
    "name": "Bella",
    "facts": [],
    "link": "dogs.example.gov/lost/K7M2QX",
    "phone": None,
    "on_strip": ["Bella"],
    "photo_is": "Photo of Bella",
}
CODE = {"code": b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'}


def sheet(name: str = "Bella") -> PdfReader:
    return PdfReader(io.BytesIO(typeset("lost", {**SAID, "name": name}, pictures=CODE)))


@pytest.mark.parametrize(
    "written",
    [
        "#panic() *Bella* _x_ @y <z>",
        '#read("/etc/hostname")',
        "$x^2$ // gone /* too */ \\ u",
        '"] #import "@preview/x:1.0.0"',
        "= Heading - list + more",
    ],
)
def test_what_a_person_wrote_is_printed_and_never_run(written: str):
    assert written in " ".join(sheet(written).pages[0].extract_text().split())


def test_a_screen_reader_finds_the_title_the_language_and_the_order():
    read = sheet()
    root = read.trailer["/Root"]
    assert root["/Lang"].startswith("en")
    assert root["/MarkInfo"]["/Marked"]
    assert root["/StructTreeRoot"]
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert read.metadata is not None
    assert read.metadata.title == "Lost dog: Bella"
    assert keeps_to_pdf_ua(read)


def keeps_to_pdf_ua(read: PdfReader) -> bool:
    return b"<pdfuaid:part>1</pdfuaid:part>" in read.trailer["/Root"]["/Metadata"].get_data()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("Paj Ntaub Nkauj Hnub", id="Hmong"),
        pytest.param("Ñandú Ibáñez", id="Spanish"),
        pytest.param("Nguyễn Thị Ướt", id="Vietnamese"),
        pytest.param("Cabdiraxmaan", id="Somali"),
        pytest.param("ຫມາ", id="Lao"),
        pytest.param("ခွေး", id="Karen and Burmese"),
        pytest.param("كلب", id="Arabic"),
        pytest.param("ውሻ", id="Amharic"),
        pytest.param("Мурка", id="Russian"),
        pytest.param("🐶❤️ 👩‍👩‍👧 🇲🇽", id="emoji"),
    ],
)
def test_the_fonts_have_the_letters_of_those_who_live_here(name: str):
    assert keeps_to_pdf_ua(sheet(name))


def test_a_letter_without_a_font_still_makes_a_tagged_sheet():
    read = sheet("Bao 小狗")
    assert "Bao" in read.pages[0].extract_text()
    assert read.trailer["/Root"]["/StructTreeRoot"]
    assert not keeps_to_pdf_ua(read)


def test_the_same_words_give_the_same_bytes():
    assert typeset("lost", SAID, pictures=CODE) == typeset("lost", SAID, pictures=CODE)


@pytest.mark.parametrize(
    "limits",
    [
        pytest.param(replace(USUAL_LIMITS, wall_seconds=0.01), id="time"),
        pytest.param(replace(USUAL_LIMITS, memory_bytes=60_000_000), id="memory"),
        pytest.param(replace(USUAL_LIMITS, answer_bytes=1_000), id="output"),
    ],
)
def test_a_sheet_that_wants_too_much_fails_and_gives_its_turn_back(limits):
    turns = Turns(1, patience_seconds=0.05)
    for _ in range(2):
        with pytest.raises(SheetFailed):
            typeset("lost", SAID, pictures=CODE, limits=limits, turns=turns)
    assert typeset("lost", SAID, pictures=CODE, turns=turns)


def test_a_picture_that_is_none_fails_alone():
    with pytest.raises(SheetFailed):
        typeset("lost", SAID, pictures={**CODE, "photo": b"\xff\xd8\xff\xe0 no picture"})


def test_whoever_would_wait_too_long_is_told_when_to_come_back():
    turns = Turns(1, patience_seconds=0.05)
    with turns.taken(), pytest.raises(AllTurnsTaken):
        typeset("lost", SAID, pictures=CODE, turns=turns)
