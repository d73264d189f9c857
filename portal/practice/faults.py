"""Faults on demand: each is asked for beforehand and happens once, to the next call or event."""

from enum import StrEnum


class Fault(StrEnum):
    """What is to go wrong."""

    DELAY = "delay"
    ERROR = "error"
    DROP = "drop"
    DUPLICATE_EVENT = "duplicate_event"
    LATE_EVENT = "late_event"


IN_PLAIN_WORDS = {
    Fault.DELAY: "The next call is answered late",
    Fault.ERROR: "The next call fails with a server error",
    Fault.DROP: "The next call is carried out, but its answer is cut off",
    Fault.DUPLICATE_EVENT: "The next event is delivered twice",
    Fault.LATE_EVENT: "The next event arrives after the one that follows it",
}
