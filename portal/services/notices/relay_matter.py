"""What a talk is about: the animal whose tag was read, or a lost or found notice."""

from dataclasses import dataclass

from portal.schema.animals import Animal
from portal.schema.notices import NoticeKind, PetNotice


@dataclass(frozen=True)
class Matter:
    """One of the two. The side called finder is whoever wrote first and has the link."""

    animal: Animal | None = None
    notice: PetNotice | None = None

    @property
    def row(self) -> Animal | PetNotice:
        """What events are about."""
        found = self.animal or self.notice
        if found is None:
            raise LookupError("A talk is about an animal or a notice")
        return found

    @property
    def name(self) -> str:
        """What the animal is called; of one without a name, what it is."""
        if self.animal:
            return self.animal.name
        return notice_name(self.notice) if self.notice else ""

    @property
    def is_found(self) -> bool:
        """Whether it is the finder who is written to."""
        return self.notice is not None and self.notice.kind is NoticeKind.FOUND

    @property
    def other(self) -> str:
        """How the side with the link calls the other side."""
        return "the finder" if self.is_found else f"{self.name}’s people"


def notice_name(notice: PetNotice) -> str:
    """Pepper; the missing cat, the found dog where there is no name. Of a found one nothing typed stands in it.

    It goes into letters to mailboxes that nobody proved.
    """
    missing = "missing" if notice.kind is NoticeKind.LOST else "found"
    return notice.name or f"the {missing} {species_word(notice.species)}"


def species_word(species: str) -> str:
    """small animal; animal, where there is no word for it."""
    return species.replace("_", " ").replace("other", "animal")
