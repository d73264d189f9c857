"""File many certificates of a clinic at once, a batch in one transaction (90.04(D)(2)).

A row that says the same as one filed before is the same filing, so that a table sent twice files nothing twice.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from portal.city import City
from portal.gateways.clock import Clock
from portal.schema.clinics import ClinicFiling, FilingChannel, FilingState
from portal.schema.events import Event
from portal.services.clinics.clinic_of import ClinicStaff
from portal.services.clinics.file_for_clinic import filing_values, received_detail
from portal.services.clinics.filing_answers import FilingAnswers
from portal.services.clinics.match_filing import announce_filing


def file_table(
    session: Session, staff: ClinicStaff, rows: Sequence[FilingAnswers], *, signed_by: str, city: City, clock: Clock
) -> int:
    """Add the rows of a batch that were not filed before; how many that were. What is wrong in a row was told before.

    The rows are ones that `filing_refusals` has nothing to say about.
    """
    signed = {_key(row): replace(row, attested_name=signed_by) for row in rows}
    known = _known(session, staff, signed)
    values = [
        {
            "id": uuid4(),
            **filing_values(row, signed_at=clock.now()),
            "clinic_id": staff.clinic_id,
            "filed_by": staff.email,
            "channel": FilingChannel.TABLE,
            "idempotency_key": key,
            "state": FilingState.WAITING,
        }
        for key, row in signed.items()
        if key not in known
    ]
    if not values:
        return 0
    added = insert(ClinicFiling).on_conflict_do_nothing(
        index_elements=[ClinicFiling.clinic_id, ClinicFiling.idempotency_key]
    )
    # The same short statement for each row, sent together: one long statement takes longer to read than to run.
    session.connection().execute(added, values)
    ours = select(ClinicFiling.id, ClinicFiling.idempotency_key).where(
        ClinicFiling.id.in_([value["id"] for value in values])
    )
    filed = session.execute(ours).all()
    events = [_received(filing_id, signed[str(key)], staff, city=city, clock=clock) for filing_id, key in filed]
    if events:
        session.connection().execute(insert(Event).inline(), events)
    announce_filing(session)
    return len(filed)


def _key(row: FilingAnswers) -> str:
    return f"row:{row.content_key()}"


def _known(session: Session, staff: ClinicStaff, keys: Iterable[str]) -> set[str | None]:
    """The keys of these that the clinic has used before."""
    used = select(ClinicFiling.idempotency_key).where(
        ClinicFiling.clinic_id == staff.clinic_id, ClinicFiling.idempotency_key.in_(list(keys))
    )
    return set(session.scalars(used))


def _received(filing_id: UUID, row: FilingAnswers, staff: ClinicStaff, *, city: City, clock: Clock) -> dict[str, Any]:
    return {
        "kind": "filing.received",
        "subject_table": ClinicFiling.__tablename__,
        "subject_id": filing_id,
        "actor": f"clinic:{staff.clinic_id}",
        "detail": received_detail(row, channel=FilingChannel.TABLE, city=city, on=clock.today()),
    }
