"""Every table in one place, for migrations, grants and the printed contract."""

from portal.schema import (
    accounts,
    animals,
    clinic_access,
    clinics,
    departures,
    documents,
    drafts,
    events,
    household,
    licenses,
    lookalikes,
    orders,
    outbox,
    people,
    rabies_notices,
    relays,
    reminders,
    tag_requests,
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
    tag_requests,
    departures,
    household,
    relays,
    reminders,
    lookalikes,
    rabies_notices,
)
metadata = Base.metadata
