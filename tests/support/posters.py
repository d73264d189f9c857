"""Posters to test and to look at: names of many kinds, and photos of many shapes."""

from dataclasses import replace
from datetime import date, time
from pathlib import Path

import pypdfium2
from PIL import Image

from portal.gateways.paper.posters import Poster, poster_pdf
from tests.support.documents import saved

DOG = Path(__file__).parents[1] / "samples" / "dog-photo.png"
BELLA = Poster(
    species="dog",
    name="Bella",
    looks="Border collie, black and white",
    sex="female",
    size="medium",
    last_seen_place="Ambush Park, by the river bridge",
    last_seen_on=date(2026, 11, 27),
    last_seen_at=time(17, 30),
    link="https://dogs.example.gov/lost/K7M2Q-X4P9W",
    wears="Red collar with a silver tag",
    temperament="shy",
    when_seen="Leave food and sit down",
)
NAMES = {
    "long": "Sir Bartholomew Fluffington the Third of Pomme de Terre, Esq",
    "emoji": "Bella 🐶",
    "hmong": "Paj Ntaub Nkauj Hnub",
    "spanish": "Ñandú «Peluchín»",
    "without-a-blank": "M" * 60,
    "none": "",
}
SHAPES = {
    "landscape": (1600, 1200),
    "portrait": (1200, 1600),
    "panorama": (2000, 400),
    "tall": (400, 2000),
    "no-photo": None,
    "tiny": (60, 40),
}


def draw_posters(folder: Path) -> None:
    """A picture of a poster for each name, each with a photo of another shape."""
    folder.mkdir(parents=True, exist_ok=True)
    for (called, name), (shaped, size) in zip(NAMES.items(), SHAPES.items(), strict=True):
        photo = saved(Image.open(DOG).convert("RGB").resize(size), "JPEG") if size else None
        pdf = pypdfium2.PdfDocument(poster_pdf(replace(BELLA, name=name, photo=photo)))
        pdf[0].render(scale=1.5).to_pil().save(folder / f"poster-{called}-{shaped}.png")
