"""The addresses of Open311 end in the format they answer in."""

from flask import Blueprint

ADDRESS = "/open311/v2"
ENDING = ".<any(xml, json):ending>"

blueprint = Blueprint("open311", __name__, url_prefix=ADDRESS)
