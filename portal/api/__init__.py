"""The interface for clinics' practice software: /api/v1."""

from flask import Flask

from portal.api import certificates
from portal.api.blueprint import blueprint
from portal.api.document import DOCUMENT, Certificates, document

__all__ = ["certificates", "init_app"]


def init_app(app: Flask) -> None:
    """Answer under /api/v1, and describe it there."""
    described = Certificates(app)
    described.register_blueprint(blueprint)
    app.register_blueprint(document)
    app.extensions[DOCUMENT] = described.spec.to_dict()
