"""Designated dogs: notice, hearing, review, requirements and their evidence, registration, seizure (90.13)."""
