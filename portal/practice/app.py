"""The practice app: stand-ins for the card processor and the mailbox, for a first run without keys and for tests."""

from flask import Flask, render_template

from portal.practice.api import api
from portal.practice.checkout_page import checkout_page
from portal.practice.dashboard import dashboard
from portal.practice.mailbox import mailbox
from portal.practice.office import Office
from portal.practice.security import add_security_headers, refuse_other_sites
from portal.practice.settings import PracticeSettings
from portal.practice.store import Store
from portal.practice.webhooks import Courier


def create_practice_app(settings: PracticeSettings) -> Flask:
    """The WSGI app, with its courier at work; `app.extensions["practice"].close()` ends that."""
    app = Flask(__name__)
    app.config["TRUSTED_HOSTS"] = settings.trusted_hosts
    app.extensions["practice"] = open_office(settings)
    app.jinja_env.filters["dollars"] = dollars
    app.jinja_env.globals["portal"] = settings.portal_origin
    for blueprint in (api, checkout_page, dashboard, mailbox):
        app.register_blueprint(blueprint)
    app.add_url_rule("/", "home", lambda: render_template("home.html"))
    app.before_request(refuse_other_sites)
    app.after_request(add_security_headers)
    return app


def open_office(settings: PracticeSettings) -> Office:
    """The store with its tables, and a courier that is under way."""
    store = Store(settings.database)
    store.create()
    courier = Courier(settings, store)
    courier.start()
    return Office(settings, store, courier)


def dollars(cents: int) -> str:
    """1000 as $10.00"""
    return f"${cents // 100:,}.{cents % 100:02}"
