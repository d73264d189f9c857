"""Every table in one place, for migrations, grants and the printed contract."""

from portal.schema import (
    accounts,
    animals,
    clinic_access,
    clinics,
    documents,
    drafts,
    events,
    licenses,
    orders,
    outbox,
    people,
    vaccinations,
)
from portal.schema.base import Base

MODULES = (
    people,
    documents,
    animals,
    vaccinations,
    licenses,
    orders,
    events,
    accounts,
    drafts,
    outbox,
    clinics,
    clinic_access,
)
metadata = Base.metadata
