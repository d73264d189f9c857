"""What an address of the desk names, or the page that says it is not there. Staff may see it all, residents may not."""

from typing import TypeVar
from uuid import UUID

from portal.schema.base import Base
from portal.services.refusal import NotTheirs
from portal.views.work import reading

Named = TypeVar("Named", bound=Base)


def existing(kind: type[Named], key: UUID, what: str) -> Named:
    """The row with that key; raises NotTheirs, answered with 404, when there is no such `what`."""
    found = reading().get(kind, key)
    if found is None:
        raise NotTheirs(f"There is no such {what}")
    return found
