"""The token of a link in a message: out of the address bar at once, and kept by this browser's session (V5)."""

from flask import session

LONGEST = 100


def carry(name: str, token: str) -> None:
    """Keep it under this name. One longer than any of ours opens nothing, and must not fill the cookie.

    A browser refuses a cookie that is too long and keeps the one before: nobody could sign in with it.
    """
    session[name] = token[:LONGEST]
