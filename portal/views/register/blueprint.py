"""The pages of registering a dog share one address: /register."""

from flask import Blueprint

blueprint = Blueprint("register", __name__, url_prefix="/register")
