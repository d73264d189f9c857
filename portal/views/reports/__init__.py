"""Reporting a nuisance and following what came of it: believed, and unknown to the neighbor (90.10, 90.11(A))."""

from portal.views.reports.blueprint import blueprint

__all__ = ["blueprint"]
