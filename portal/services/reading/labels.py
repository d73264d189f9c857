"""What certificates and practice software call each field: the wordings of the national form and of common printouts.

A label is compared without blanks, marks and capitals, and with letters and digits that look alike taken as one.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum


class PaperField(StrEnum):
    """What is looked for on a certificate."""

    GIVEN_ON = "given_on"
    DUE_ON = "due_on"
    PRODUCT = "product"
    MANUFACTURER = "manufacturer"
    LOT = "lot"
    VACCINE_EXPIRES_ON = "vaccine_expires_on"
    DURATION_YEARS = "duration_years"
    DOSE = "dose"
    RABIES_TAG = "rabies_tag"
    MICROCHIP = "microchip"
    VETERINARIAN = "veterinarian"
    VETERINARIAN_LICENSE = "veterinarian_license"
    CLINIC_NAME = "clinic_name"
    ANIMAL_NAME = "animal_name"
    OWNER_NAME = "owner_name"
    WEIGHT = "weight"
    SEX = "sex"
    BREED = "breed"
    COLOR = "color"


class Section(StrEnum):
    """Whose part of the page it is, for labels that say only "Name"."""

    OWNER = "owner"
    ANIMAL = "animal"
    VACCINE = "vaccine"
    CLINIC = "clinic"


# How sure a label is: a word that could mean something else is taken only where nothing better stands.
CLEAR, VAGUE, MISREAD = 1.0, 0.6, 0.9
# How much of a longer label has to be seen for a letter or two to be missing.
SHORTEST_MISREAD, CLOSE = 7, 0.86


@dataclass(frozen=True)
class Label:
    """A label at the start of a line: what it asks for (None: something we do not look for), and where it ends."""

    field: PaperField | None
    end: int
    certainty: float = CLEAR
    section: Section | None = None
    is_bare_name: bool = False


WORDINGS: dict[PaperField, str] = {
    PaperField.GIVEN_ON: """
        date vaccinated; date of vaccination; vaccination date; date given; given on; given; date administered;
        administered on; administered; vaccinated on; vaccinated; date rabies vaccinated; date of rabies
        vaccination; rabies vaccination date; rabies given; vaccine date; vaccine given; date of vaccine; date
        of inoculation; inoculation date; date of immunization; immunization date; last vaccinated; last given;
        date vaccine given; date of service; service date; month day year""",
    PaperField.DUE_ON: """
        next vaccination due by; next vaccination due date; next vaccination due; next vaccination; next due by;
        next due date; next due; next dose due; next rabies due; next rabies vaccination due; due date; date
        due; due by; due on; due; vaccination due; vaccination due date; rabies due; rabies due date; rabies
        vaccination due; revaccination due; revaccination due date; revaccination date; revaccinate by;
        revaccinate on; booster due; reminder date; vaccination expires; vaccination expires on; vaccination
        expiration date; rabies expires; certificate expires; certificate valid until; good until; good through;
        good to; valid until; valid through; valid to; vaccination valid until; immunization expires""",
    PaperField.PRODUCT: """
        vaccine product; vaccine product name; product name; product; vaccine name; name of vaccine; vaccine
        brand; vaccine brand name; brand; brand name; vaccine used; vaccine; rabies vaccine; rabies vaccine
        product; trade name; vaccine trade name; biologic; vaccination; vaccine given name; immunization;
        treatment""",
    PaperField.MANUFACTURER: """
        manufacturer; vaccine manufacturer; manufactured by; mfr; mfg; mfg by; maker; producer; vaccine mfr;
        vaccine producer; manufacturer first 3 letters; producer first 3 letters; producer first three letters;
        name of manufacturer; laboratory; company""",
    PaperField.LOT: """
        serial lot; serial lot number; serial lot no; lot serial; lot serial number; lot serial no; lot number;
        lot no; lot; serial number; serial no; serial; vaccine serial lot; vaccine serial lot number; vaccine
        serial lot no; vaccine serial number; vaccine serial no; vaccine serial; vaccine lot number; vaccine lot
        no; vaccine lot; vaccine serial number lot number; serial or lot number; lot or serial number; batch
        number; batch no; batch""",
    PaperField.VACCINE_EXPIRES_ON: """
        vaccine expiration date; vaccine expiration; vaccine expires; vaccine exp date; vaccine exp; lot
        expiration; lot expiration date; lot exp; lot exp date; serial expiration date; serial exp date; vial
        expiration; vial expiration date; vial exp; product expiration; product expiration date; product
        expires; expiration of vaccine""",
    PaperField.DURATION_YEARS: """
        licensed duration; duration; duration of immunity; duration of vaccine; vaccine duration; usda licensed
        duration; usda licensed; usda licensed vaccine; licensed for; valid for; vaccine valid for; immunity;
        length of immunity; duration years; vaccine license; vaccine licensed for; vaccine length""",
    PaperField.DOSE: """
        dose; dose type; dose number; vaccination type; initial or booster; vaccination series; series; dose
        given""",
    PaperField.RABIES_TAG: """
        rabies tag number; rabies tag no; rabies tag; rabies tag id; rabies vaccination tag; rabies vaccination
        tag number; tag number; tag no; tag; vaccination tag; vaccination tag number; rabies id; rabies number;
        rabies no""",
    PaperField.MICROCHIP: """
        microchip number; microchip no; microchip id; microchip; microchip implant; microchip id number; chip
        number; chip no; chip id; chip; rfid; microchip tattoo""",
    PaperField.VETERINARIAN: """
        veterinarian; veterinarian name; veterinarians name; name of veterinarian; attending veterinarian;
        administering veterinarian; vaccinating veterinarian; supervising veterinarian; licensed veterinarian;
        issuing veterinarian; examining veterinarian; responsible veterinarian; vaccinated by; administered by;
        given by; doctor; provider; attending doctor; veterinarian print; veterinarians name print""",
    PaperField.VETERINARIAN_LICENSE: """
        license number; license no; license; veterinarian license number; veterinarian license no; veterinarian
        license; veterinarians license number; veterinary license number; veterinary license no; veterinary
        license; vet license; vet license number; vet license no; state license number; state license no; state
        license; dvm license; dvm license number; lic number; lic no; lic; vet lic; vet lic no; dvm lic no;
        license of veterinarian""",
    PaperField.CLINIC_NAME: """
        clinic; clinic name; name of clinic; hospital; hospital name; veterinary clinic; veterinary hospital;
        animal hospital; animal clinic; vet clinic; practice; practice name; facility; facility name;
        vaccination site; hospital clinic; clinic hospital""",
    PaperField.ANIMAL_NAME: """
        animal name; animals name; name of animal; pet name; pets name; name of pet; patient name; patient;
        patients name; pet; dog name; dogs name; name of dog; cat name; cats name; name of cat; call name;
        animal; animal patient""",
    PaperField.OWNER_NAME: """
        owner; owner name; owners name; name of owner; client; client name; clients name; pet owner; animal
        owner; owner client; owner print; print owners name; owner of animal; owner guardian; guardian""",
    PaperField.WEIGHT: """
        weight; wt; weight lb; weight lbs; weight pounds; weight kg; animal weight; weight size; size weight;
        body weight; size; current weight""",
    PaperField.SEX: "sex; gender; sex status; sex spayed neutered; sex altered",
    PaperField.BREED: "predominant breed; breed; breeds; breed description; primary breed; breed or description",
    PaperField.COLOR: """
        colors markings; color markings; color; colors; colour; markings; predominant colors markings;
        predominant color markings; predominant colors; predominant color; colors and markings; color and
        markings; coat color; color and marks; color marks; description""",
}
VAGUE_WORDINGS: dict[PaperField, str] = {
    PaperField.GIVEN_ON: "date",
    PaperField.VACCINE_EXPIRES_ON: "expiration date; expiration; expires; expires on; exp date; exp; expiry",
    PaperField.VETERINARIAN: "vet; dvm; dr; signature of veterinarian; veterinarians signature; veterinarian signature",
    PaperField.RABIES_TAG: "license tag",
    PaperField.MICROCHIP: "id number; id no; id",
}
# Labels of what we do not look for. They end a value all the same, and a date beside one of them is none of ours.
OTHERS = """
        address; owner address; owners address; street address; street; city; state; zip; zip code; county;
        telephone; phone; phone number; owner phone; cell; mobile; fax; email; e mail; website; species; age;
        dob; date of birth; birth date; birthdate; born; date of birth age; patient id; client id; account;
        account number; animal id; tattoo; date printed; printed; printed on; print date; date issued; issued;
        issued on; issue date; date of issue; certificate number; certificate no; certificate; invoice; invoice
        number; date implanted; microchip date; signature date; date signed; clinic address; hospital address;
        clinic phone; hospital phone; veterinarian address; veterinarians address; route; site; route of
        administration; site of administration; injection site; volume; vaccine type; type of vaccine; animal
        control license; dog license; dog license number; county license; city license; license year; spayed
        neutered; neutered; spayed; altered; intact; months; usda; page; rabies vaccination certificate;
        remarks; notes; comments; seen; last visit; visit date; date seen; name and address"""
SECTIONS: dict[Section, str] = {
    Section.OWNER: """
        owner information; owner info; owner details; client information; client info; client details; owner
        data; pet owner information""",
    Section.ANIMAL: """
        animal information; animal info; patient information; patient info; patient details; pet information;
        pet info; pet details; animal details; animal description; description of animal; dog information""",
    Section.VACCINE: """
        vaccine information; vaccination information; vaccine info; vaccination info; vaccination details;
        vaccine details; rabies vaccination information; vaccination record; vaccination history""",
    Section.CLINIC: """
        clinic information; hospital information; veterinarian information; veterinary information; vet
        information; practice information""",
}
BARE_NAME = "name"
_LOOK_ALIKE = str.maketrans("01i|!58", "ollllsb")


def folded(text: str) -> tuple[str, list[int]]:
    """The text for comparing, and for each of its letters where it stands in the text."""
    letters, places = [], []
    for place, character in enumerate(text):
        for part in unicodedata.normalize("NFKD", character):
            if part.isalnum():
                letters.append(part.lower().translate(_LOOK_ALIKE))
                places.append(place)
    return "".join(letters), places


def _wordings() -> Iterator[tuple[str, Label]]:
    for text in OTHERS.split(";"):
        yield text, Label(None, 0)
    for section, texts in SECTIONS.items():
        for text in texts.split(";"):
            yield text, Label(None, 0, section=section)
    for certainty, table in ((VAGUE, VAGUE_WORDINGS), (CLEAR, WORDINGS)):
        for field, texts in table.items():
            for text in texts.split(";"):
                yield text, Label(field, 0, certainty, SECTION_OF.get(field))
    yield BARE_NAME, Label(None, 0, is_bare_name=True)


SECTION_OF = {PaperField.OWNER_NAME: Section.OWNER, PaperField.ANIMAL_NAME: Section.ANIMAL}
_LABELS = {folded(text)[0]: (label, len(text.split())) for text, label in _wordings()}
_LONGEST = max(map(len, _LABELS))


def label_at(text: str, start: int = 0) -> Label | None:
    """The longest label that the text begins with at `start`.

    A label of one word counts only when a mark, a digit or nothing follows: "Owner: Mai", "Tag 25-3316", and not
    "Pet owner's copy".
    """
    letters, places = folded(text[start:])
    for length in range(min(_LONGEST, len(letters)), 0, -1):
        if (known := _LABELS.get(letters[:length])) is None:
            continue
        label, words = known
        end = start + places[length - 1] + 1
        if _may_end(text, end, words):
            return Label(label.field, end, label.certainty, label.section, label.is_bare_name)
    return None


def misread_label(text: str) -> Label | None:
    """The label that the part before a colon, or the whole line, comes close to: "Anmal name:", "MANUPACTURER"."""
    head = re.match(r"[^:#]*", text)
    end = head.end() if head else len(text)
    letters, _places = folded(text[:end])
    if len(letters) < SHORTEST_MISREAD:
        return None
    close = get_close_matches(letters, _LABELS, n=1, cutoff=CLOSE)
    if not close:
        return None
    label, _words = _LABELS[close[0]]
    return Label(label.field, end, label.certainty * MISREAD, label.section)


def _may_end(text: str, end: int, words: int) -> bool:
    rest = text[end:]
    if not rest or rest.lstrip()[:1] in tuple(":#=(") or rest.lstrip()[:1] == "":
        return True
    if rest[0].isalpha() or (rest[0] == "'" and rest[1:2].isalpha()):
        return False
    return words > 1 or rest.lstrip(" .-")[:1].isdigit()
