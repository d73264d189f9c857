"""Where the desk lives."""

PREFIX = "/desk"
