"""Designated dogs: what is asked of their keepers, and what those ask and tell (90.13)."""

from portal.views.dangerous import claims, hearing, held, links, overview, review, rows, tell, year
from portal.views.dangerous.blueprint import blueprint

__all__ = ["blueprint", "claims", "hearing", "held", "links", "overview", "review", "rows", "tell", "year"]
