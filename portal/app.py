"""The web application, put together."""

from flask import Flask
from flask_compress import Compress
from htmx_flask import Htmx

from portal import api, open311
from portal.composition import Gateways, compose
from portal.configuring import configure, wrap
from portal.desk_app import create_desk, put_beside
from portal.schema.roles import WEB
from portal.settings import Desk, Settings
from portal.views import access, errors, headers, health, routes, sessions, words, work


def create_app(
    settings: Settings,
    *,
    gateways: Gateways | None = None,
    desk: Gateways | None = None,
    database_url: str | None = None,
) -> Flask:
    """The web application, and the desk beside it. Gateways that are not given are composed from the settings.

    Whoever gives the gateways of the public pages alone gets these alone: nothing then takes the role of the desk.
    """
    if settings.desk is Desk.ALONE:
        return create_desk(settings, gateways=desk, database_url=database_url)
    app = create_public(settings, gateways or compose(settings, database_url=_url(settings, database_url), role=WEB))
    if settings.desk is Desk.BESIDE and (desk or not gateways):
        put_beside(app, create_desk(settings, gateways=desk, database_url=database_url))
    wrap(app, settings)
    return app


def create_public(settings: Settings, parts: Gateways) -> Flask:
    """What residents, clinics, finders and reporters use."""
    app = Flask(__name__, static_folder=None)
    configure(app, settings, parts)
    Htmx(app)
    Compress(app)
    work.init_app(app, parts)
    sessions.init_app(app)
    words.init_app(app)
    headers.init_app(app, checkout_origin=parts.processor.checkout_origin)
    errors.init_app(app)
    health.init_app(app, parts.storage)
    for blueprint in routes.BLUEPRINTS:
        app.register_blueprint(blueprint)
    api.init_app(app)
    app.register_blueprint(open311.blueprint)
    access.init_app(app)
    return app


def _url(settings: Settings, database_url: str | None) -> str:
    return database_url or settings.database_url or ""
