"""Whoever decides says why: for the record, or in words for the one who is decided about."""

from portal.ordinance.finding import Refusal
from portal.services.refusal import Refused

FOR_THE_RECORD = "Say why: it is written down with your name"
FOR_THE_KEEPER = "Say why, in words the keeper will read"
FOR_THE_OWNER = "Say why, in words the owner will read"
FOR_THE_CLINIC = "Say why, in words the clinic will read"
FOR_WHO_FILED_IT = "Say why, in words that whoever filed it will read"
BEFORE_READING = "Say why you read it: it is written down with your name"


def unexplained(why: str | None, rule: str, sentence: str = FOR_THE_RECORD, *, field: str = "reason") -> list[Refusal]:
    """What is to be said to somebody who gave no reason."""
    return [] if (why or "").strip() else [Refusal(rule, sentence, field)]


def said(why: str, rule: str, sentence: str, *, field: str = "reason") -> str:
    """The reason, without the blanks around it; raises Refused where there is none."""
    if reasons := unexplained(why, rule, sentence, field=field):
        raise Refused(reasons)
    return why.strip()
