"""The pages for veterinary clinics share one address: /vet."""

from flask import Blueprint

blueprint = Blueprint("vet", __name__, url_prefix="/vet")
