"""The pages of reports share one address: /reports."""

from flask import Blueprint

blueprint = Blueprint("reports", __name__, url_prefix="/reports")
