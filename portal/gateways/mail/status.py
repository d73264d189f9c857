"""What a mail server's status says about a mailbox (RFC 3463): whether it is there at all."""

import re

ENHANCED = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
# For good, but about this letter, our server or the day: the mailbox is full, the letter too long, a policy, a system.
NOT_THE_MAILBOX = {(2, 2), (2, 3), (2, 4)}
NOT_THE_MAILBOX_SUBJECTS = {3, 6, 7}


def is_dead(said: str) -> bool:
    """Whether nothing will ever arrive there: a status of class 5 that is about the address, or one without details."""
    found = ENHANCED.search(said)
    if found is None:
        return said.lstrip().startswith("5")
    kind, subject, detail = (int(part) for part in found.groups())
    return kind == 5 and subject not in NOT_THE_MAILBOX_SUBJECTS and (subject, detail) not in NOT_THE_MAILBOX
