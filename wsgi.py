"""The web application for any WSGI server: DATABASE_URL and the other settings come from the environment."""

import os

from portal.app import create_app
from portal.gateways import logs
from portal.settings import Settings

settings = Settings.from_environment(os.environ)
logs.begin(settings.serves, is_local=settings.is_local)
app = create_app(settings)
