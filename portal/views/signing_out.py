"""A browser forgets who used it: its session, the pictures of certificates it may have kept, and unsent taps."""

from flask import Response, make_response, session

from portal.views.answers import see_other


def forgetful(url: str) -> Response:
    """Move on, with nothing of this person left in a library's computer."""
    session.clear()
    # A timer's taps that no signal has taken along lie in the browser's storage.
    answer = make_response(see_other(url))
    answer.headers["Clear-Site-Data"] = '"cache", "storage"'
    return answer
