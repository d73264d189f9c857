"""The table of contents of the desk."""

from flask import Blueprint

from portal.views.desk import (
    certificates,
    claims,
    clinics,
    counter,
    fee_questions,
    filings,
    keys,
    lookalikes,
    queue,
    rabies,
    reports,
    sign_in,
    tags,
    waivers,
)

BLUEPRINTS: tuple[Blueprint, ...] = (
    queue.blueprint,
    sign_in.blueprint,
    keys.blueprint,
    rabies.blueprint,
    reports.blueprint,
    certificates.blueprint,
    tags.blueprint,
    counter.blueprint,
    filings.blueprint,
    fee_questions.blueprint,
    waivers.blueprint,
    clinics.blueprint,
    lookalikes.blueprint,
    claims.blueprint,
)
