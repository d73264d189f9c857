"""Animals at the pound as city software writes them, for tests of what becomes of them."""

from datetime import date
from typing import Any

from sqlalchemy.orm import Session

from portal.schema.impoundments import ImpoundBasis, Impoundment
from tests.support.database import Database


def impounded(database: Database, **values: Any) -> Impoundment:
    """A tan and white beagle that came in on Wednesday, November 25, 2026, unless `values` say otherwise."""
    usual: dict[str, Any] = {
        "basis": ImpoundBasis.AT_LARGE,
        "species": "dog",
        "breed": "beagle",
        "color": "tan and white",
        "age_text": "about 3 years",
        "marks": "red collar",
        "area": "200 block of Elm Street",
        "place": "behind 212 Elm Street",
        "seized_on": date(2026, 11, 25),
    }
    with Session(database.engine, expire_on_commit=False) as session, session.begin():
        row = Impoundment(**usual | values)
        session.add(row)
    return row
