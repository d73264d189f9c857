"""The table of contents of the desk."""

from flask import Blueprint

from portal.views.desk import certificates, keys, queue, sign_in

BLUEPRINTS: tuple[Blueprint, ...] = (
    queue.blueprint,
    sign_in.blueprint,
    keys.blueprint,
    certificates.blueprint,
)
