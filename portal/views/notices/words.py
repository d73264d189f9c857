"""How the words of a notice are written for people."""

from portal.forms.notice_choices import SEXES, SIZES, TEMPERAMENTS
from portal.schema.notices import Holding, NoticeKind, NoticeSpecies
from portal.services.notices.shown import ShownNotice

SPECIES = {
    NoticeSpecies.DOG: "dog",
    NoticeSpecies.CAT: "cat",
    NoticeSpecies.BIRD: "bird",
    NoticeSpecies.RABBIT: "rabbit",
    NoticeSpecies.FERRET: "ferret",
    NoticeSpecies.SMALL_ANIMAL: "small animal",
    NoticeSpecies.REPTILE: "reptile",
    NoticeSpecies.FARM_ANIMAL: "farm animal",
    NoticeSpecies.OTHER: "animal",
}
HOLDINGS = {
    Holding.SIGHTED: "Seen, and gone on",
    Holding.FOLLOWING: "Being followed",
    Holding.HELD: "Safe with the finder",
}


def species_of(notice: ShownNotice) -> str:
    """Dog; the word that was typed for one of another kind."""
    return notice.species_text or SPECIES[notice.species]


def title_of(notice: ShownNotice) -> str:
    """Pepper is missing, Found: gray dog, Pepper is home."""
    called = notice.name or f"The {species_of(notice)}"
    if notice.is_home:
        return f"{called} is home"
    if notice.kind is NoticeKind.LOST:
        return f"{called} is missing"
    return f"Found: {' '.join(part for part in (notice.color, species_of(notice)) if part)}"


def facts_of(notice: ShownNotice) -> list[dict[str, str]]:
    """What is told of the animal, a row each; what nobody said is left out."""
    told = (
        ("Kind", species_of(notice).capitalize()),
        ("Breed", notice.breed),
        ("Colors", notice.color),
        ("Sex", SEXES[notice.sex] if notice.sex else ""),
        ("Size", SIZES[notice.size] if notice.size else ""),
        ("Marks", notice.marks),
        ("Wears", notice.wears),
        ("How it is with people", TEMPERAMENTS[notice.temperament] if notice.temperament else ""),
    )
    return [{"question": question, "answer": answer} for question, answer in told if answer]
