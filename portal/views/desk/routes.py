"""The table of contents of the desk."""

from flask import Blueprint

from portal.views.desk import (
    bounced,
    certificates,
    claims,
    clinics,
    counter,
    dogs,
    exports,
    fee_questions,
    filings,
    keys,
    lookalikes,
    people,
    places,
    queue,
    rabies,
    reports,
    search,
    sign_in,
    tags,
    waivers,
)

BLUEPRINTS: tuple[Blueprint, ...] = (
    queue.blueprint,
    search.blueprint,
    people.blueprint,
    dogs.blueprint,
    places.blueprint,
    sign_in.blueprint,
    keys.blueprint,
    rabies.blueprint,
    reports.blueprint,
    certificates.blueprint,
    tags.blueprint,
    counter.blueprint,
    exports.blueprint,
    filings.blueprint,
    bounced.blueprint,
    fee_questions.blueprint,
    waivers.blueprint,
    clinics.blueprint,
    lookalikes.blueprint,
    claims.blueprint,
)
