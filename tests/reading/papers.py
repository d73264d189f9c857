"""What a certificate says, as the worker leaves it, without reading one."""

from datetime import date
from typing import Any

from portal.services.reading.fields import ReadField
from portal.services.reading.labels import PaperField
from tests.support.database import Database

CLEAR = {
    "animal_name": "Pepper",
    "given_on": date(2026, 6, 12),
    "due_on": date(2029, 6, 12),
    "dose": "booster",
    "product": "Imrab 3",
    "duration_years": 3,
    "manufacturer": "Boehringer Ingelheim",
    "lot": "18431A",
    "rabies_tag": "26-3316",
    "microchip": "985112003456781",
    "veterinarian": "Dr. Karin Dahl, DVM",
    "clinic_name": "Chippewa Valley Veterinary Clinic",
    "weight": "62 lb",
}


def fields(confidence: float = 1.0, **changed: Any) -> dict[PaperField, ReadField]:
    """Everything a good certificate says; None takes a field away."""
    said = {name: value for name, value in {**CLEAR, **changed}.items() if value is not None}
    return {PaperField(name): ReadField(value, confidence) for name, value in said.items()}


def stored(database: Database) -> list[tuple[str, int]]:
    """State and attempts of every reading."""
    rows = database.rows("SELECT state, attempts FROM portal.reading ORDER BY created_at")
    return [(row["state"], row["attempts"]) for row in rows]
