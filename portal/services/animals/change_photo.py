"""The picture of an animal: another in its place, or none any more, by one who keeps it (90.04(B)(2)).

The files of the one before are swept, once nothing shows it.
"""

from uuid import UUID

from sqlalchemy.orm import Session

from portal.city import City
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.animals import Animal
from portal.schema.drafts import Upload
from portal.services.animals.change_animal import DESIGNATED, is_designated
from portal.services.files.accept_upload import make_document
from portal.services.owners.keepers_now import locked_animal
from portal.services.record_event import keeper, record_event
from portal.services.refusal import Refused


def change_photo(
    session: Session, upload: Upload | None, *, animal_id: UUID, person_id: UUID | None, city: City
) -> Animal:
    """Show this picture of it, or none. Raises NotTheirs, and Refused for a designated dog."""
    animal = locked_animal(session, animal_id, person_id=person_id)
    if is_designated(session, animal_id):
        sentence = DESIGNATED.format(name=animal.name, police=city.police.name, phone=city.police.phone)
        raise Refused([Refusal(Rule.APPLICATION, sentence)])
    if upload is None and animal.photo_id is None:
        return animal
    animal.photo_id = make_document(session, upload).id if upload else None
    session.flush()
    record_event(session, "animal.changed", animal, actor=keeper(person_id), changed=["photo_id"])
    return animal
