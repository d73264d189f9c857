"""The table of contents: every part of the portal that answers requests."""

from flask import Blueprint

from portal.views import health, home, register, sign_in

BLUEPRINTS: tuple[Blueprint, ...] = (
    home.blueprint,
    sign_in.blueprint,
    register.blueprint,
    health.blueprint,
)
