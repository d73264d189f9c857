"""Signing in by a mailbox, without a password, and what was being written when a sign-in ended."""
