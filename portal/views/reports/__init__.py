"""Reporting a nuisance and following what came of it: believed, and unknown to the neighbor (90.10, 90.11(A))."""

from portal.views.reports import (
    follow,
    follow_more,
    join,
    log,
    new,
    new_answers,
    new_files,
    new_log,
    new_send,
    timer,
)
from portal.views.reports.blueprint import blueprint

__all__ = [
    "blueprint",
    "follow",
    "follow_more",
    "join",
    "log",
    "new",
    "new_answers",
    "new_files",
    "new_log",
    "new_send",
    "timer",
]
