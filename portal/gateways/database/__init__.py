"""Connections to PostgreSQL in the one role of a process, the copy that pages read from, and announcements heard."""
