"""The table of contents: every part of the portal that answers requests."""

from flask import Blueprint

from portal.views import health, home, pay, register, sign_in, stripe

BLUEPRINTS: tuple[Blueprint, ...] = (
    home.blueprint,
    sign_in.blueprint,
    register.blueprint,
    pay.blueprint,
    stripe.blueprint,
    health.blueprint,
)
