"""Stand-ins for a first run without keys, and for tests: a card processor and a mailbox. Never real money or mail."""

from portal.practice.app import create_practice_app
from portal.practice.settings import PracticeSettings

__all__ = ["PracticeSettings", "create_practice_app"]
