"""The web application for any WSGI server: DATABASE_URL and the other settings come from the environment."""

import os

from portal.app import create_app
from portal.settings import Settings

app = create_app(Settings.from_environment(os.environ))
