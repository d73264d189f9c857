"""My record: what the city holds about a person, and how to change it, take it away, or close the sign-in."""

from portal.views.me import account, data, email, record
from portal.views.me.blueprint import blueprint

__all__ = ["account", "blueprint", "data", "email", "record"]
