"""A browser forgets who used it: its session, and the pictures of certificates it may have kept."""

from flask import Response, make_response, session

from portal.views.answers import see_other


def forgetful(url: str) -> Response:
    """Move on, with nothing of this person left in a library's computer."""
    session.clear()
    answer = make_response(see_other(url))
    answer.headers["Clear-Site-Data"] = '"cache"'
    return answer
