"""A year of the registration: sent, paid, certified, renewed (90.13(H)(1), (6), (11))."""

from dataclasses import asdict
from uuid import UUID

from flask import current_app, make_response, url_for
from flask.typing import ResponseReturnValue

from portal.forms.sign_in import ButtonForm
from portal.gateways.paper.registration_sheet import RegistrationSheet, registration_pdf
from portal.gateways.rate_limits import REGISTRATION_SHEETS
from portal.ordinance.citation import Rule
from portal.services.dangerous.register_dangerous_dog import renew_year, send_year
from portal.services.dangerous.registration_shown import registration_shown
from portal.services.dangerous.year_fee import order_year
from portal.services.refusal import NotTheirs
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.dangerous.blueprint import blueprint, designated
from portal.views.dogs.blueprint import looking, mine
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.work import gateways, let_go_of_reading, reading, transaction


@blueprint.route("/dogs/<uuid:animal_id>/dangerous/fee", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def fee(animal_id: UUID) -> ResponseReturnValue:
    """On to the page that pays. A GET leads back to the button."""
    parts = gateways()
    if form_for(ButtonForm).validate_on_submit():
        with transaction() as db:
            order = order_year(
                db, animal_id=animal_id, person_id=resident().person_id, city=parts.city, clock=parts.clock
            )
        return see_other(url_for("pay.show", order_id=order.id))
    return see_other(url_for("dangerous.row", animal_id=animal_id, requirement="fee"))


@blueprint.route("/dogs/<uuid:animal_id>/dangerous/send", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def send(animal_id: UUID) -> ResponseReturnValue:
    """Ready to be looked at, however much is there. A GET leads back to the button."""
    if form_for(ButtonForm).validate_on_submit():
        parts = gateways()
        with transaction() as db:
            send_year(
                db,
                animal_id=animal_id,
                person_id=resident().person_id,
                version=None,
                city=parts.city,
                clock=parts.clock,
            )
    return see_other(url_for("dangerous.show", animal_id=animal_id))


@blueprint.route("/dogs/<uuid:animal_id>/dangerous/renew", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def renew(animal_id: UUID) -> ResponseReturnValue:
    """The next year begins with what was sent for the last: only what changed or ran out is asked."""
    animal, dog, parts, look = mine(animal_id), designated(animal_id), gateways(), looking()
    if dog.renews_from is None:
        raise NotTheirs("Nothing to renew")
    form = form_for(ButtonForm)
    if form.validate_on_submit():
        with form.refusals():
            with transaction() as db:
                renew_year(db, animal_id=animal_id, person_id=resident().person_id, city=parts.city, clock=parts.clock)
            return see_other(url_for("dangerous.show", animal_id=animal_id))
    return page("dangerous/renew.html", form=form, animal=animal, dog=dog, look=look, Rule=Rule)


@blueprint.get("/dogs/<uuid:animal_id>/dangerous/certificate/<uuid:registration_id>.pdf")
@open_to(Access.RESIDENT)
def certificate(animal_id: UUID, registration_id: UUID) -> ResponseReturnValue:
    """The certificate of registration, once an officer has accepted every row."""
    me, parts = resident(), gateways()
    parts.limits.take(REGISTRATION_SHEETS, str(me.account_id))
    shown = registration_shown(
        reading(), person_id=me.person_id, animal_id=animal_id, registration_id=registration_id, city=parts.city
    )
    let_go_of_reading()  # setting the sheet takes a while of its own
    base_url, police = current_app.config["BASE_URL"], parts.city.police
    sheet = RegistrationSheet(
        city=parts.city.name,
        office=[police.name, f"{', '.join(police.address)} · {police.phone}"],
        link=f"{base_url}{url_for('proof.show', code=shown.code)}",
        checked_at=f"{base_url}{url_for('proof.ask')}".partition("://")[2],
        rules=[
            parts.city.citation(rule).label
            for rule in (Rule.DANGEROUS_REGISTRATION, Rule.DANGEROUS_RENEWAL, Rule.STATE_DANGEROUS_DOGS)
        ],
        **asdict(shown),
    )
    response = make_response(registration_pdf(sheet))
    response.mimetype = "application/pdf"
    response.headers["Content-Disposition"] = 'attachment; filename="certificate-of-registration.pdf"'
    response.headers["Cache-Control"] = "no-store"
    return response
