"""Clear away what has served its time: in batches, each small enough for a transaction of its own.

Rows go first and files last. A file is let go only when no row mentions it and it has lain there for a day, so one
whose row is still being written is never taken for an orphan.
"""
