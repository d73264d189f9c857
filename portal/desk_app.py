"""The city's desk: an application of its own at /desk, with its own connections, cookies and keys.

Nothing of the public pages reaches into it, so no mistake there can read what the desk may (docs/decisions).
"""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask
from flask_compress import Compress
from htmx_flask import Htmx
from sqlalchemy.exc import NoResultFound

from portal.composition import Gateways, compose
from portal.configuring import configure, wrap
from portal.gateways.sealing import Sealing
from portal.schema.roles import DESK
from portal.services.desk.kept_answers import LASTS
from portal.services.secrets import derived_token
from portal.settings import Desk, Settings
from portal.views import errors, headers, health, sessions, words, work
from portal.views.desk import access, desk_words, kept, routes
from portal.views.desk.identity import SEALING
from portal.views.desk.prefix import PREFIX


def create_desk(settings: Settings, *, gateways: Gateways | None = None, database_url: str | None = None) -> Flask:
    """The desk. Its connections act as `city_desk`, by a login of their own where DESK_DATABASE_URL names one."""
    url = settings.desk_database_url or database_url or settings.database_url or ""
    parts = gateways or compose(settings, database_url=url, role=DESK)
    app = Flask(__name__, static_folder=None)
    configure(app, settings, parts)
    _apart(app, settings)
    Htmx(app)
    Compress(app)
    work.init_app(app, parts)
    sessions.init_app(app)
    words.init_app(app)
    desk_words.init_app(app)
    headers.init_app(app, checkout_origin="")
    errors.init_app(app)
    health.init_app(app, parts.storage)
    app.register_error_handler(NoResultFound, errors.not_theirs)
    for blueprint in routes.BLUEPRINTS:
        app.register_blueprint(blueprint)
    access.init_app(app)
    kept.init_app(app)
    app.extensions[SEALING] = Sealing(settings.secret_keys)
    if settings.desk is Desk.ALONE:
        wrap(app, settings)
    return app


def put_beside(public: Flask, desk: Flask) -> None:
    """One server for both; each request belongs to one of them, by its path."""
    public.wsgi_app = Beside(public.wsgi_app, desk.wsgi_app)  # type: ignore[method-assign]


class Beside:
    """Hands what is asked of the desk to the desk."""

    def __init__(self, public: WSGIApplication, desk: WSGIApplication) -> None:
        self.public, self.desk = public, desk

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """WSGI (PEP 3333)."""
        path: Any = environ.get("PATH_INFO", "")
        app = self.desk if path == PREFIX or path.startswith(f"{PREFIX}/") else self.public
        return app(environ, start_response)


def _apart(app: Flask, settings: Settings) -> None:
    """A cookie that the public pages neither sign nor read, and that ends with the browser.

    A sign-in ends long before its signature does: what is typed the morning after is still kept for its writer.
    """
    is_https = urlsplit(settings.base_url).scheme == "https"
    first, *others = (derived_token("desk", key=key) for key in settings.secret_keys)
    app.config.update(
        SECRET_KEY=first,
        SECRET_KEY_FALLBACKS=others,
        SESSION_COOKIE_NAME="__Host-desk" if is_https else "desk",
        PERMANENT_SESSION_LIFETIME=LASTS,
    )
