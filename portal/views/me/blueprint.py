"""The pages about one's own record share one address: /me."""

from flask import Blueprint

blueprint = Blueprint("me", __name__, url_prefix="/me")
