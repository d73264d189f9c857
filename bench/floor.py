"""The floor: what Flask, SQLAlchemy Core and Jinja ask for a page when nothing else is done.

`python -m bench.floor` is a bare Flask application. For each request that is measured, the portal is asked once in
this process while the floor takes notes: which statements went to the database with which values, and which template
was drawn with which context. From then on the floor answers by

- making the form that the template draws, with its token, or reading what a POST sent with the same form: Flask-WTF as
  it comes, and so Flask's own cookie, since no view can draw or take a form with less;
- running the same statements, prebuilt, through Core, on the same engine with the same pool: those that read in
  AUTOCOMMIT, those of a transaction in one, fetching every row;
- drawing the same template from the same Jinja settings with the context as noted, forms included;
- compressing the same with Flask-Compress, so that as many bytes leave.

Left out is all that the portal does besides: who asks and what they may see, answers kept for a form, rows turned into
values, the rules, security headers, built files, trusted hosts. It is served by the portal's own `serve`.
The distance between the two is what the design costs.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from flask import Flask, Response, redirect, render_template, request, template_rendered
from flask.typing import ResponseReturnValue
from flask_compress import Compress
from sqlalchemy import Connection, Engine, event

from bench.visitor import Asked
from portal.app import create_app
from portal.composition import Gateways
from portal.forms.base import PortalForm
from portal.forms.register import AnimalForm
from portal.serving.listening import take_sockets
from portal.serving.server import serve
from portal.settings import Settings
from portal.views.work import EXTENSION

ASKED = "BENCH_ASKED"
OF_THE_REQUEST = {"request", "session", "g"}
SENT_FORMS = {"register.about": AnimalForm}
CONFIGURED = ("COMPRESS_", "SECRET_KEY", "SESSION_")


@dataclass
class Noted:
    """What the portal did for one request."""

    reads: list[tuple[Any, Any]] = field(default_factory=list)
    writes: list[tuple[Any, Any]] = field(default_factory=list)
    template: str = ""
    context: dict[str, Any] = field(default_factory=dict)
    form: Callable[[], PortalForm] | None = None
    location: str = ""


def note(portal: Flask, engine: Engine, asked: Asked) -> Noted:
    """Ask the portal once and write down what it does."""
    noted = Noted()
    with _statements_into(noted, engine), template_rendered.connected_to(_template_into(noted), portal):
        form = {"data": asked.body, "content_type": "application/x-www-form-urlencoded"} if asked.body else {}
        headers = {"Cookie": asked.cookie} if asked.cookie else {}
        client = portal.test_client(use_cookies=False)
        answer: Response = client.open(asked.path, method=asked.method, headers=headers, **form)
    if answer.status_code != asked.status:
        raise SystemExit(f"{asked.name}: the portal answered {answer.status_code} while the floor took notes")
    noted.location = answer.headers.get("Location", "")
    return noted


@contextmanager
def _statements_into(noted: Noted, engine: Engine) -> Iterator[None]:
    def take(connection: Connection, clause: Any, many: Any, one: Any, _options: Any) -> None:
        is_reading = connection.get_execution_options().get("isolation_level") == "AUTOCOMMIT"
        (noted.reads if is_reading else noted.writes).append((clause, many or one or None))

    event.listen(engine, "before_execute", take)
    try:
        yield
    finally:
        event.remove(engine, "before_execute", take)


def _template_into(noted: Noted) -> Any:
    def take(_app: Flask, template: Any, context: dict[str, Any], **_more: Any) -> None:
        noted.template = template.name
        noted.context = {name: value for name, value in context.items() if name not in OF_THE_REQUEST}
        if isinstance(form := context.get("form"), PortalForm):
            noted.form = partial(type(form), today=form.today, data=form.data)

    return take


def create_floor(portal: Flask, parts: Gateways, noted: dict[tuple[str, str], Noted]) -> Flask:
    """The bare application."""
    floor = Flask("portal", static_folder=None)
    floor.config.update({name: value for name, value in portal.config.items() if name.startswith(CONFIGURED)})
    floor.extensions[EXTENSION] = parts
    Compress(floor)
    floor.jinja_env.trim_blocks = floor.jinja_env.lstrip_blocks = True
    floor.jinja_env.filters.update(portal.jinja_env.filters)
    floor.jinja_env.globals.update({**portal.jinja_env.globals, **floor.jinja_env.globals})
    for rule in portal.url_map.iter_rules():  # templates write links to all of them
        floor.url_map.add(rule.empty())
    reading = portal.extensions["portal_reading"]

    def answer(**_values: object) -> ResponseReturnValue:
        one = noted[request.method, request.path]
        if request.method == "POST" and not SENT_FORMS[request.endpoint or ""]().validate():
            raise ValueError("The floor takes what the portal takes")
        _run(reading, one.reads)
        if one.writes:
            with parts.engine.begin() as connection:
                _all(connection, one.writes)
        if one.location:
            return redirect(one.location, 303)
        made = {"form": one.form()} if one.form else {}
        return render_template(one.template, **(one.context | made))

    for endpoint in portal.view_functions:
        floor.view_functions[endpoint] = answer
    floor.view_functions["health.live"] = lambda: "ok"
    return floor


def _run(engine: Engine, statements: list[tuple[Any, Any]]) -> None:
    if statements:
        with engine.connect() as connection:
            _all(connection, statements)


def _all(connection: Connection, statements: list[tuple[Any, Any]]) -> None:
    for clause, values in statements:
        result = connection.execute(clause, values)
        if result.returns_rows:
            result.fetchall()


def main() -> None:
    settings = Settings.from_environment(os.environ)
    portal = create_app(settings)
    parts: Gateways = portal.extensions[EXTENSION]
    everything = [Asked(**asked) for asked in json.loads(os.environ[ASKED])]
    noted = {(asked.method, asked.path): note(portal, parts.engine, asked) for asked in everything}
    serve(create_floor(portal, parts, noted), take_sockets(os.environ))


if __name__ == "__main__":
    main()
