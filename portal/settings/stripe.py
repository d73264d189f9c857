"""Card payments: Stripe itself, or the practice processor."""

import hashlib
import hmac
from dataclasses import dataclass, field
from typing import Self

from portal.settings.reading import Values, scheme_problems

PRACTICE_SECRET_KEY = "sk_test_practice"  # noqa: S105 - the practice processor takes any key; it is not a secret


@dataclass(frozen=True)
class StripeSettings:
    """Where card payments go: Stripe itself, or the practice processor that speaks the same HTTP."""

    secret_key: str = field(repr=False)
    webhook_secret: str = field(repr=False)
    api_base: str | None
    is_practice: bool

    @classmethod
    def of(cls, values: Values, secret_key: str, *, practice_url: str) -> Self:
        """Stripe's own where its key is set."""
        if "STRIPE_SECRET_KEY" in values:
            return cls(
                values["STRIPE_SECRET_KEY"],
                values["STRIPE_WEBHOOK_SECRET"],
                values.get("STRIPE_API_BASE"),
                is_practice=False,
            )
        # Derived, so that web, worker and practice processor agree on it without another file.
        webhook_secret = hmac.new(secret_key.encode(), b"practice webhook", hashlib.sha256).hexdigest()
        return cls(
            PRACTICE_SECRET_KEY,
            f"whsec_{webhook_secret}",
            values.get("STRIPE_API_BASE", practice_url),
            is_practice=True,
        )


def stripe_problems(values: Values, *, is_local: bool) -> list[str]:
    """In public both keys are asked for anyway."""
    problems = scheme_problems(values, "STRIPE_API_BASE", "https", "http")
    if is_local and ("STRIPE_SECRET_KEY" in values) != ("STRIPE_WEBHOOK_SECRET" in values):
        problems.append("STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together: set both, or neither to practice")
    return problems
