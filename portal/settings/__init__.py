"""What the environment says: read once at the start, checked whole, then passed on as a value."""

from portal.settings.database import POOLER
from portal.settings.mail import BounceSettings
from portal.settings.settings import REQUIRED_IN_PUBLIC, Desk, Settings, SettingsError
from portal.settings.stripe import StripeSettings
from portal.settings.texts import SmsSettings

__all__ = [
    "POOLER",
    "REQUIRED_IN_PUBLIC",
    "BounceSettings",
    "Desk",
    "Settings",
    "SettingsError",
    "SmsSettings",
    "StripeSettings",
]
