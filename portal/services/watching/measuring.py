"""What waits, what failed and what was last done: counts that the database gives in one statement."""

from collections import defaultdict

from sqlalchemy import text
from sqlalchemy.orm import Session

from portal.gateways.clock import Clock
from portal.gateways.measures import Gauge

MEASURED = text("SELECT measure, label, value FROM portal.measured(:moment)")

Measured = dict[str, dict[str, float]]

# What each measure of the database is called, and by what it is split.
GAUGES = {
    "messages_waiting": ("Letters and texts that are not sent yet.", "channel"),
    "messages_retrying": ("Those of them that did not go out at the first try.", "channel"),
    "messages_due_seconds": ("How long the oldest has waited since it was due.", "channel"),
    "messages_failed": ("Letters and texts given up that nobody has dealt with.", "channel"),
    "payments_unsettled": ("Payments whose end nobody has told.", "state"),
    "payments_unsettled_seconds": ("How long the oldest of them has waited.", "state"),
    "payments_in_question": ("Payments of another amount than was asked.", ""),
    "processor_events_waiting": ("Events of the processor about nothing that is known yet.", ""),
    "readings_waiting": ("Certificates that wait to be read.", ""),
    "readings_waiting_seconds": ("How long the oldest of them has waited.", ""),
    "findings": ("What was found not to agree and is not dealt with.", "kind"),
    "job_last_success": ("When a job of the worker was last done, in seconds since 1970.", "job"),
    "job_failures": ("How often a job has failed since it was last done.", "job"),
    "job_interval": ("How often a job is done, in seconds.", "job"),
}
UNITS = {"job_last_success": "job_last_success_timestamp_seconds", "job_interval": "job_interval_seconds"}


def measure(session: Session, *, clock: Clock) -> Measured:
    """By measure and label. One statement, and every part of it goes by an index of what is open."""
    found: Measured = defaultdict(dict)
    for name, label, value in session.execute(MEASURED, {"moment": clock.now()}):
        found[name][label] = value
    return found


def gauges(found: Measured) -> list[Gauge]:
    """The same as Prometheus reads them. A measure of which there is nothing is there too, without a value."""
    return [
        Gauge(f"portal_{UNITS.get(name, name)}", words, label, tuple(sorted(found.get(name, {}).items())))
        for name, (words, label) in GAUGES.items()
    ]
