"""Reminders: one letter a person, a day and a kind, about everything that is due."""
