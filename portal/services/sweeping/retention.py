"""What is kept for how long: as people read it, and as it is done."""

from collections.abc import Callable
from dataclasses import asdict, dataclass

from portal.city import Retention
from portal.services.sweeping import rows


@dataclass(frozen=True)
class Kept:
    """What goes after a while, how long it is kept, and what takes it away."""

    what: str
    how_long: str
    sweeps: tuple[Callable[..., int], ...]

    def words(self, keeps: Retention) -> str:
        """How long, by the city's file."""
        return self.how_long.format_map(asdict(keeps))


KEPT: tuple[Kept, ...] = (
    Kept(
        "Codes and links to sign in", "a day after they are over", (rows.sweep_sign_in_requests, rows.sweep_staff_codes)
    ),
    Kept("Sign-ins", "until they run out or are ended", (rows.sweep_sign_ins, rows.sweep_staff_sign_ins)),
    Kept("Who has what open at the desk", "a day", (rows.sweep_desk_openings,)),
    Kept(
        "Counts of attempts",
        "until their window is over, a day at most",
        (rows.sweep_desk_rate_limits, rows.sweep_rate_limits),
    ),
    Kept(
        "Answers kept through a lost sign-in",
        "until they run out",
        (rows.sweep_kept_answers, rows.sweep_desk_kept_answers),
    ),
    Kept(
        "Reports and notices that were begun and not sent",
        "until they run out",
        (rows.sweep_report_drafts, rows.sweep_notice_drafts),
    ),
    Kept("Applications that were begun and not sent", "{unsent_applications} days", (rows.sweep_unsent_applications,)),
    Kept(
        "What was typed for applications that were sent",
        "{links} days",
        (rows.sweep_sent_applications, rows.sweep_submissions),
    ),
    Kept("Files that were sent and never used", "{unused_files} days", (rows.sweep_readings, rows.sweep_uploads)),
    Kept(
        "What finders and owners wrote to each other",
        "{talks} days",
        (rows.sweep_relay_messages, rows.sweep_relay_links, rows.sweep_relays),
    ),
    Kept(
        "How to reach who filed a notice, and its withheld mark",
        "{talks} days after it is over",
        (rows.sweep_notice_links, rows.clear_notice_contacts),
    ),
    Kept(
        "Invitations and changes of an address that came to nothing",
        "{links} days after they are over",
        (rows.sweep_invitations, rows.sweep_email_changes),
    ),
    Kept("Codes to join a report", "until they run out", (rows.sweep_report_invitations,)),
    Kept(
        "What letters and texts said",
        "until they are sent, a secret; {letter_words} days, all else",
        (rows.clear_letter_words,),
    ),
    Kept("That a letter was sent, to whom and when", "{letters} days", (rows.sweep_letters,)),
    Kept("Mailboxes that letters come back from", "{dead_mailboxes} days", (rows.sweep_dead_mailboxes,)),
    Kept("That a reminder was sent", "{reminders} days after its day", (rows.sweep_reminders,)),
    Kept(
        "What the card processor told", "{processor_events} days after it was acted on", (rows.sweep_processor_events,)
    ),
    Kept("What did not agree", "{findings} days after it agrees again", (rows.sweep_findings,)),
)
ROW_SWEEPS = tuple(sweep for kept in KEPT for sweep in kept.sweeps)
