"""Texts to phones: when they may be sent, and what an answer means (TCPA, 47 U.S.C. 227; 47 CFR 64.1200).

A city is a person under that act. Consent may be taken back by any reasonable means, whatever the words.
"""

import re
from datetime import time
from enum import StrEnum

# 64.1200(c)(1) has 8 a.m. to 9 p.m. where the phone is; an hour is left on either side.
EARLIEST, LATEST = time(9), time(20)


class Answer(StrEnum):
    """What somebody who answers a text wants."""

    STOP = "stop"
    START = "start"
    HELP = "help"


def is_decent(local: time) -> bool:
    """64.1200(c)(1): whether people may be texted at this time of day about what can wait."""
    return EARLIEST <= local < LATEST


def answer_in(text: str) -> Answer | None:
    """64.1200(a)(10): what the text asks for, in capitals or not and in one's own words; None for anything else.

    Stopping comes first: an answer that could be read either way is an answer by somebody who wants fewer texts.
    """
    words = " ".join(re.findall(r"[^\W_]+", re.sub(r"['’]", "", text.casefold())))
    if words in _STOP_WORDS or (_STOPPING.search(words) and not _NOT_STOPPING.search(words)):
        return Answer.STOP
    if words in _START_WORDS:
        return Answer.START
    return Answer.HELP if words in _HELP_WORDS else None


# The words that phone companies know, and what they are in the languages spoken here.
_STOP_WORDS = frozenset(
    (
        *("stop", "stopall", "stop all", "end", "cancel", "quit", "unsubscribe", "revoke", "optout", "opt out"),
        *("no", "no more", "no thanks", "no thank you", "no gracias", "alto", "parar", "basta", "joog", "jooji"),
    )
)
_START_WORDS = frozenset(["start", "unstop", "yes", "begin", "resume", "subscribe", "opt in", "optin", "si", "sí"])
_HELP_WORDS = frozenset(["help", "info", "ayuda", "caawi", "who is this", "what is this", "quien es", "quién es"])
_STOPPING = re.compile(
    r"^(\w+ )?(stop|quit)( \w+)?$"
    r"|\b(stop(ped)?(?! by)|quit|cease|end|cancel|no more|dont want|do not want|enough)\b.*"
    r"\b(text(s|ing|ed)?|messag(e|es|ing)|send(ing)?|sms|contact(ing)?|writing|this|these|it|please|now|already)\b"
    r"|\b(please|pls|plz|just|you can) (stop|quit)\b"
    r"|\bunsubscribe\b|\bopt (me )?out\b|\bopt(ing)? out\b|\bremove me\b|\btake me off\b|\bleave me alone\b"
    r"|\b(dont|do not|never) (ever )?(text|message|contact|send|write|bother)\b"
    r"|\bwrong (number|person)\b|\bno me env[ií]\w*|\bdej[ea]\w* de\b"
)
_NOT_STOPPING = re.compile(r"\b(dont|do not|never) (stop|quit|end|cancel|unsubscribe|remove)\b")
