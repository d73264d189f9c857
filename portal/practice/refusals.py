"""Errors in the shape that Stripe gives them (https://docs.stripe.com/api/errors)."""

from typing import Any


class StripeRefusal(Exception):
    """An answer other than 200, with the body that says why."""

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        param: str | None = None,
        kind: str = "invalid_request_error",
        status: int = 400,
    ) -> None:
        super().__init__(message)
        error = {"type": kind, "message": message, "code": code, "param": param}
        self.status = status
        self.body: dict[str, Any] = {"error": {name: value for name, value in error.items() if value is not None}}


def missing(what: str, reference: str) -> StripeRefusal:
    """Nothing of that name here."""
    return StripeRefusal(f"No such {what}: '{reference}'", code="resource_missing", param="id", status=404)


def wrong(param: str, message: str, *, code: str = "parameter_invalid") -> StripeRefusal:
    """A parameter that cannot be taken."""
    return StripeRefusal(message, code=code, param=param)
