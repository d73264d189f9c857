"""Lost and found pets: filing a notice, the page that everybody sees, and what comes of it (90.07, 90.11(B))."""

from portal.views.notices import board, likely, new, new_photo, new_send, own, poster, shown, talks, tell
from portal.views.notices.blueprint import blueprint

__all__ = ["blueprint", "board", "likely", "new", "new_photo", "new_send", "own", "poster", "shown", "talks", "tell"]
