"""Letters: how they go out, whose they are, and where those come back to that can't be delivered."""

from dataclasses import dataclass, field
from email.utils import parseaddr
from typing import Self

from portal.settings.reading import Values, scheme_problems

# Sixty-four characters may stand before the @; what names the letter takes fifty of them.
LONGEST_BOUNCE_NAME = 14


@dataclass(frozen=True)
class BounceSettings:
    """Where letters come back to that can't be delivered, and the mailbox in which that is read."""

    address: str | None = None
    url: str | None = field(default=None, repr=False)

    @classmethod
    def of(cls, values: Values) -> Self:
        """Neither is needed."""
        return cls(values.get("BOUNCE_ADDRESS"), values.get("BOUNCE_URL"))


def mail_problems(values: Values) -> list[str]:
    """A sender that is no address, or one to come back to that can't name the letter."""
    problems = scheme_problems(values, "MAIL_URL", "smtp", "smtps", "smtp+starttls")
    problems += scheme_problems(values, "BOUNCE_URL", "imaps", "imap")
    sender = values.get("MAIL_FROM", "portal@localhost")
    if "@" not in parseaddr(sender)[1] or not sender.isprintable():
        problems.append("MAIL_FROM must be an e-mail address")
    local, at, domain = values.get("BOUNCE_ADDRESS", "bounces@localhost").partition("@")
    if not at or not domain or not local.isascii() or not local.isalnum() or len(local) > LONGEST_BOUNCE_NAME:
        problems.append(
            f"BOUNCE_ADDRESS must be an e-mail address with at most {LONGEST_BOUNCE_NAME} letters before the @, such "
            "as bounces@example.gov"
        )
    return problems
