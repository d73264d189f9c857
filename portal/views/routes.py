"""The table of contents: every part of the portal that answers requests."""

from flask import Blueprint

from portal.views import (
    dogs,
    fee_questions,
    health,
    home,
    invitations,
    me,
    notices,
    pay,
    pound,
    proof,
    register,
    reminders,
    reports,
    sign_in,
    stripe,
    tags,
    texts,
    town,
    vet,
    vet_link,
)

BLUEPRINTS: tuple[Blueprint, ...] = (
    home.blueprint,
    sign_in.blueprint,
    register.blueprint,
    pay.blueprint,
    stripe.blueprint,
    dogs.blueprint,
    invitations.blueprint,
    me.blueprint,
    pound.blueprint,
    proof.blueprint,
    reminders.blueprint,
    reports.blueprint,
    notices.blueprint,
    texts.blueprint,
    tags.blueprint,
    town.blueprint,
    fee_questions.blueprint,
    vet.blueprint,
    vet_link.blueprint,
    health.blueprint,
)
