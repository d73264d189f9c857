"""Invented rabies certificates in three layouts, and photos of them as people take them."""

import io
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

import pypdfium2
from PIL import Image, ImageChops, ImageEnhance, ImageFilter

PAPER = (612, 792)  # letter, in points
DOTS = 150 / 72  # a sheet that fills most of a 12-megapixel photo has about so many dots to a point, once shrunk
DESK = (96, 82, 70)

Text = tuple[float, float, float, str]  # across, down, size, words


@dataclass(frozen=True)
class Said:
    """What a certificate says, by field."""

    fields: dict[str, str]
    dates: str  # how its dates are printed

    def day(self, name: str) -> str:
        day = date.fromisoformat(self.fields[name])
        return self.dates.format(
            day=day.day, month=day.month, year=day.year, name=day.strftime("%b"), short=day.year % 100
        )


OWNERS = ("Mai Yang", "Pat O'Brien", "Siobhan Olson", "Gavin Torres", "Karin Lindqvist")
ANIMALS = ("Pepper", "Bella", "Rex", "Moose", "Willow", "Duke")
VETS = ("Dr. Karin Dahl, DVM", "Dr. A. Ferreira, VMD", "Dr. Lee Thompson, DVM")
CLINICS = ("Chippewa Valley Veterinary Clinic", "Prairie Animal Hospital", "Pomme de Terre Pet Clinic")
PRODUCTS = (
    ("Imrab 3", "Boehringer Ingelheim", 3),
    ("Nobivac 3-Rabies", "Merck", 3),
    ("Defensor 1", "Zoetis", 1),
    ("Rabvac 3", "Elanco", 3),
)
BREEDS = (("Labrador retriever", "Black"), ("Border collie", "Black and white"), ("Beagle", "Tricolor"))
DATES = ("{month:02}/{day:02}/{year}", "{year}-{month:02}-{day:02}", "{day} {name} {short:02}", "{name} {day}, {year}")


def invented(chance: random.Random) -> Said:
    """One certificate's content."""
    given = date(2024, 1, 1) + timedelta(days=chance.randrange(900))
    product, maker, years = chance.choice(PRODUCTS)
    breed, color = chance.choice(BREEDS)
    due = given.replace(year=given.year + years, day=min(given.day, 28))
    fields = {
        "owner_name": chance.choice(OWNERS),
        "animal_name": chance.choice(ANIMALS),
        "sex": chance.choice(("female", "male")),
        "breed": breed,
        "color": color,
        "weight": f"{chance.randrange(8, 95)} lb",
        "microchip": f"9851120{chance.randrange(10**8):08}",
        "product": product,
        "manufacturer": maker,
        "lot": f"{chance.randrange(10**5):05}{chance.choice('ABCD')}",
        "duration_years": str(years),
        "given_on": given.isoformat(),
        "due_on": due.isoformat(),
        "rabies_tag": f"{given.year % 100}-{chance.randrange(1000, 9999)}",
        "veterinarian": chance.choice(VETS),
        "veterinarian_license": f"MN {chance.randrange(10000, 19999)}",
        "clinic_name": chance.choice(CLINICS),
    }
    return Said(fields, chance.choice(DATES))


def as_list(said: Said) -> Iterator[Text]:
    """Labels on the left and values on the right."""
    told = said.fields
    rows = (
        ("Owner:", told["owner_name"]),
        ("Animal name:", told["animal_name"]),
        ("Species:", "Dog"),
        ("Sex:", told["sex"].capitalize()),
        ("Predominant breed:", told["breed"]),
        ("Colors / markings:", told["color"]),
        ("Weight:", told["weight"]),
        ("Microchip:", told["microchip"]),
        ("Vaccine product:", told["product"]),
        ("Manufacturer:", told["manufacturer"]),
        ("Serial / lot:", told["lot"]),
        ("Licensed duration:", f"{told['duration_years']} years"),
        ("Date vaccinated:", said.day("given_on")),
        ("Next vaccination due by:", said.day("due_on")),
        ("Rabies tag number:", told["rabies_tag"]),
        ("Veterinarian:", told["veterinarian"]),
        ("License number:", told["veterinarian_license"]),
        ("Clinic:", f"{told['clinic_name']}, 900 Pacific Ave, Benson, MN 56215"),
    )
    yield 60, 70, 18, "RABIES VACCINATION CERTIFICATE"
    for number, (label, value) in enumerate(rows):
        yield 60, 120 + 30 * number, 11, label
        yield 230, 120 + 30 * number, 11, value


def as_form(said: Said) -> Iterator[Text]:
    """Small labels above their values, as on the national form."""
    told = said.fields
    boxes = (
        (
            ("OWNER'S NAME", told["owner_name"]),
            ("MICROCHIP #", told["microchip"]),
            ("RABIES TAG #", told["rabies_tag"]),
        ),
        (("ANIMAL'S NAME", told["animal_name"]), ("SEX", told["sex"][0].upper()), ("WEIGHT", told["weight"])),
        (("SPECIES", "Dog"), ("PREDOMINANT BREED", told["breed"]), ("COLORS/MARKINGS", told["color"])),
        (
            ("DATE VACCINATED", said.day("given_on")),
            ("NEXT VACCINATION DUE BY", said.day("due_on")),
            ("USDA LICENSED DURATION", f"{told['duration_years']} year"),
        ),
        (
            ("PRODUCT NAME", told["product"]),
            ("MANUFACTURER", told["manufacturer"]),
            ("VACCINE SERIAL (LOT) #", told["lot"]),
        ),
        (
            ("VETERINARIAN'S NAME", told["veterinarian"]),
            ("LICENSE NO.", told["veterinarian_license"]),
            ("CLINIC", told["clinic_name"]),
        ),
    )
    yield 180, 60, 16, "RABIES VACCINATION CERTIFICATE"
    for row, cells in enumerate(boxes):
        for column, (label, value) in enumerate(cells):
            yield 50 + 180 * column, 110 + 70 * row, 7.5, label
            yield 52 + 180 * column, 126 + 70 * row, 11, value


def as_printout(said: Said) -> Iterator[Text]:
    """As practice software prints it: a heading of the clinic's, two columns, and a table."""
    told = said.fields
    yield 60, 60, 16, told["clinic_name"]
    yield 60, 82, 9, "900 Pacific Ave, Benson, MN 56215   Phone: (320) 555-0100"
    yield 60, 120, 13, "Rabies Certificate"
    yield 60, 160, 10, f"Client: {told['owner_name']}"
    yield 60, 180, 10, "Address: 1310 Idaho Ave, Benson, MN 56215"
    yield 330, 160, 10, f"Patient: {told['animal_name']}"
    yield 330, 180, 10, f"Breed: {told['breed']}   Sex: {told['sex'].capitalize()}"
    yield 330, 200, 10, f"Color: {told['color']}   Weight: {told['weight']}"
    yield 330, 220, 10, f"Microchip: {told['microchip']}"
    for column, (label, value) in enumerate(
        (
            ("Vaccine", told["product"]),
            ("Date Given", said.day("given_on")),
            ("Next Due", said.day("due_on")),
            ("Lot #", told["lot"]),
            ("Mfr", told["manufacturer"]),
        )
    ):
        yield 60 + 100 * column, 270, 10, label
        yield 60 + 100 * column, 292, 10, value
    yield 60, 340, 10, f"Duration of immunity: {told['duration_years']} years"
    yield 60, 360, 10, f"Rabies tag: {told['rabies_tag']}"
    yield 60, 420, 10, f"Veterinarian: {told['veterinarian']}"
    yield 60, 440, 10, f"License #: {told['veterinarian_license']}"


LAYOUTS: dict[str, Callable[[Said], Iterator[Text]]] = {
    "list": as_list,
    "form": as_form,
    "printout": as_printout,
}


def sheet(texts: Iterator[Text]) -> bytes:
    """A PDF of one page."""
    drawing = "".join(
        f"BT /F1 {size} Tf {across} {PAPER[1] - down} Td ({_escaped(words)}) Tj ET\n"
        for across, down, size, words in texts
    ).encode("latin-1")
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawing), drawing),
    )
    content, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(content))
        content += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 5\n0000000000 65535 f \n"
    tail = b"trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(content)
    return content + head + rows + tail


def _escaped(words: str) -> str:
    return words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def drawn(pdf: bytes) -> Image.Image:
    """The sheet as a picture."""
    picture = pypdfium2.PdfDocument(pdf)[0].render(scale=DOTS).to_pil()
    return picture.convert("RGB")


def photographed(page: Image.Image, chance: random.Random, *faults: str) -> bytes:
    """The sheet on a desk, with faults: turned, angled, blurred, dim, folded, noisy."""
    picture = page
    if "folded" in faults:
        picture = _folded(picture, chance)
    width, height = int(picture.width * 1.3), int(picture.height * 1.25)
    desk = Image.new("RGB", (width, height), DESK)
    desk.paste(picture, ((width - picture.width) // 2, (height - picture.height) // 2))
    if "angled" in faults:
        desk = _angled(desk, chance)
    if "turned" in faults:
        desk = desk.rotate(chance.uniform(5, 12) * chance.choice((-1, 1)), Image.Resampling.BICUBIC, fillcolor=DESK)
    if "blurred" in faults:
        desk = desk.filter(ImageFilter.GaussianBlur(chance.uniform(1.0, 1.6)))
    if "dim" in faults:
        desk = ImageEnhance.Contrast(ImageEnhance.Brightness(desk).enhance(chance.uniform(0.3, 0.45))).enhance(0.8)
    if "noisy" in faults:
        grain = Image.effect_noise(desk.size, 20).convert("RGB")
        desk = ImageChops.add(desk, grain, scale=1, offset=-128)
    target = io.BytesIO()
    desk.save(target, "JPEG", quality=55 if "noisy" in faults else 82)
    return target.getvalue()


def _angled(picture: Image.Image, chance: random.Random) -> Image.Image:
    """Held at an angle: two corners further away."""
    width, height = picture.size
    lean, drop = width * chance.uniform(0.05, 0.1), height * chance.uniform(0.02, 0.05)
    # PERSPECTIVE takes the eight numbers that lead from the new corners back to the old ones.
    corners = [(lean, drop), (width - lean / 3, 0), (width, height), (0, height - drop)]
    return picture.transform(
        picture.size,
        Image.Transform.PERSPECTIVE,
        _coefficients(corners, [(0, 0), (width, 0), (width, height), (0, height)]),
        Image.Resampling.BICUBIC,
        fillcolor=DESK,
    )


def _coefficients(seen: list[tuple[float, float]], flat: list[tuple[float, float]]) -> list[float]:
    """Gauss, for the eight numbers of a perspective."""
    rows = []
    for (x, y), (u, v) in zip(seen, flat, strict=True):
        rows.append([x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y, float(u)])
        rows.append([0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y, float(v)])
    for column in range(8):
        pivot = max(range(column, 8), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for row in range(8):
            if row != column:
                factor = rows[row][column]
                rows[row] = [one - factor * other for one, other in zip(rows[row], rows[column], strict=True)]
    return [row[8] for row in rows]


def _folded(picture: Image.Image, chance: random.Random) -> Image.Image:
    """Two folds: the light falls differently on each part, and darkest into the crease."""
    width, height = picture.size
    shade = Image.new("L", picture.size, 255)
    for at, across in ((height * chance.uniform(0.3, 0.45), False), (width * chance.uniform(0.45, 0.6), True)):
        length = width if across else height
        levels = [int(255 - max(0, 110 - abs(place - at) * 1.5) - (45 if place > at else 0)) for place in range(length)]
        strip = Image.new("L", (length, 1))
        strip.putdata(levels)
        if not across:
            strip = strip.rotate(-90, expand=True)
        shade = ImageChops.multiply(shade, strip.resize(picture.size))
    return ImageChops.multiply(picture, shade.convert("RGB"))
