"""What the practice pages let a browser do."""

from flask import Response, request


def refuse_other_sites() -> tuple[str, int] | None:
    """A page of another site must not press buttons here."""
    if request.method == "POST" and request.headers.get("Sec-Fetch-Site") == "cross-site":
        return "This form was sent from another site.", 403
    return None


def add_security_headers(response: Response) -> Response:
    """No script, nothing from elsewhere; a view may have set a policy of its own."""
    response.headers.setdefault("Content-Security-Policy", content_policy())
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "no-store"
    return response


def content_policy(*, form_targets: str = "") -> str:
    """https://www.w3.org/TR/CSP3/; a form that ends in a redirect to another origin has to name it."""
    return (
        "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; base-uri 'none';"
        f" frame-ancestors 'self'; form-action 'self' {form_targets}".rstrip()
    )
