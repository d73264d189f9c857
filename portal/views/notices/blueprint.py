"""The addresses of lost and found notices: /lost/…, /found/… for everybody, /notices/… for whoever filed one."""

from flask import Blueprint

blueprint = Blueprint("notices", __name__)
# Both kinds are addressed alike; `kind` is the word of the address.
KIND = "/<any(lost, found):kind>"
