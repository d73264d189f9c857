"""What an item shows that is decided by its facts alone (desk/facts.html)."""

from dataclasses import dataclass

# What an item says of a step that is still to be taken; "Not given" would be somebody's omission.
NOT_YET = "Not yet"
NOBODY_YET = "Nobody yet"


@dataclass(frozen=True, kw_only=True)
class Facts:
    """The heading, what is known, and what the one or two buttons say. `rule` is the section it is decided under."""

    heading: str
    rows: list[dict[str, object]]
    is_open: bool
    accept: str | None = None
    refuse: str | None = None
    refuse_heading: str = "Or"
    words: str = "reason"
    words_label: str = "What they read"
    has_reasons: bool = False
    choices: bool = False
    notes: tuple[str, ...] = ()
    rule: str | None = None
    photo: str | None = None


def row(question: str, answer: object) -> dict[str, object]:
    """One fact."""
    return {"question": question, "answer": answer}


def if_known(question: str, answer: object) -> list[dict[str, object]]:
    """A fact that is left out until it is one: "Not given" would be somebody's omission."""
    return [row(question, answer)] if answer else []
