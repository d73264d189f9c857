"""Links for an insurer or a landlord: made and taken back by the keeper, answered without an account."""

from uuid import UUID

from flask import current_app, request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.dangerous_links import AskLinkForm, CancellationForm, InsurerForm, LandlordAnswerForm
from portal.forms.sign_in import ButtonForm
from portal.gateways.rate_limits import REQUIREMENT_LETTERS, REQUIREMENT_LINKS
from portal.ordinance import dangerous_evidence as figures
from portal.ordinance.citation import Rule
from portal.ordinance.dangerous import Requirement
from portal.schema.dangerous_requirements import LinkFor
from portal.schema.documents import DocumentKind
from portal.services.dangerous.answer_for_evidence import SeenByLink, answer_link, cancel_policy, look_at_link
from portal.services.dangerous.ask_for_evidence import LINK_OF, ask_for_evidence, links_of, withdraw_link
from portal.services.dangerous.send_evidence import EvidenceSent
from portal.services.refusal import NotTheirs
from portal.services.secrets import token_hash
from portal.views.access import Access, open_to
from portal.views.answers import over, page, see_other
from portal.views.dangerous.blueprint import blueprint, designated, keeper_id
from portal.views.dogs.blueprint import mine
from portal.views.identity import resident
from portal.views.kept_answers import form_for
from portal.views.link_tokens import carry
from portal.views.uploads import stored_pages
from portal.views.work import gateways, reading, transaction

TOKEN = "requirement_link"  # noqa: S105 - the name of a cookie's entry


@blueprint.route("/dogs/<uuid:animal_id>/dangerous/rows/<requirement>/link", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def ask_link(animal_id: UUID, requirement: str) -> ResponseReturnValue:
    """Whom to ask. The link is shown once, on the page that answers; only its hash is kept."""
    animal, dog, parts = mine(animal_id), designated(animal_id), gateways()
    wanted = next((one for one in LINK_OF if one.value == requirement), None)
    if wanted is None:
        raise NotTheirs("No link for this")
    form, address, sent_to = form_for(AskLinkForm), None, None
    if form.validate_on_submit():
        parts.limits.take(REQUIREMENT_LETTERS, str(resident().account_id))
        with form.refusals(), transaction() as db:
            made = ask_for_evidence(
                db,
                animal_id=animal_id,
                requirement_id=dog.row(wanted).stored.id,
                person_id=keeper_id(),
                addressee=form.addressee.data,
                email=form.email.data or None,
                clock=parts.clock,
            )
            address, sent_to = f"{current_app.config['BASE_URL']}{made.path}", form.email.data
        if address:
            form = AskLinkForm(formdata=None)
    return page(
        "dangerous/ask_link.html",
        form=form,
        animal=animal,
        links=links_of(reading(), dog.row(wanted).stored.id),
        now=parts.clock.now(),
        requirement=wanted,
        button=ButtonForm(formdata=None),
        address=address,
        sent_to=sent_to,
    )


@blueprint.route("/dogs/<uuid:animal_id>/dangerous/links/<uuid:link_id>/withdraw", methods=["GET", "POST"])
@open_to(Access.RESIDENT)
def withdraw(animal_id: UUID, link_id: UUID) -> ResponseReturnValue:
    """Take a link back. A GET leads back to the list."""
    if form_for(ButtonForm).validate_on_submit():
        with transaction() as db:
            withdraw_link(db, link_id=link_id, person_id=resident().person_id, clock=gateways().clock)
    return see_other(url_for("dangerous.show", animal_id=animal_id))


@blueprint.get("/dangerous/link/<token>")
@open_to(Access.ANYONE)
def link(token: str) -> ResponseReturnValue:
    """The link. Opening it takes its token out of the address bar (V5)."""
    carry(TOKEN, token)
    return see_other(url_for("dangerous.answer"))


@blueprint.route("/dangerous/link", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def answer() -> ResponseReturnValue:
    """What to fill in, and what is possible after. A wrong, withdrawn or expired link shows the same page."""
    parts = gateways()
    parts.limits.take(REQUIREMENT_LINKS, request.remote_addr or "")
    token = session.get(TOKEN, "")
    seen = look_at_link(reading(), token=token, clock=parts.clock)
    if seen is None:
        return over("dangerous/link_over.html")
    try:
        if seen.link_for is LinkFor.LANDLORD:
            return page("dangerous/link_landlord_sent.html") if seen.is_answered else _landlord(seen, token)
        return _after(seen, token) if seen.is_answered else _insurer(seen, token)
    except NotTheirs:  # taken back while it was filled in
        return over("dangerous/link_over.html")


def _insurer(seen: SeenByLink, token: str) -> ResponseReturnValue:
    form = InsurerForm()
    if form.validate_on_submit():
        if not form.has_something():
            form.refuse("files", "Add the policy or bond, or fill in its number and amount")
        elif _is_sent(form, Requirement.INSURANCE, token):
            return see_other(url_for("dangerous.answer"))
    return page("dangerous/link_insurer.html", form=form, seen=seen, figures=figures, Rule=Rule)


def _landlord(seen: SeenByLink, token: str) -> ResponseReturnValue:
    form = LandlordAnswerForm()
    if form.validate_on_submit() and _is_sent(form, Requirement.LANDLORD, token):
        return see_other(url_for("dangerous.answer"))
    return page("dangerous/link_landlord.html", form=form, seen=seen, Rule=Rule)


def _after(seen: SeenByLink, token: str) -> ResponseReturnValue:
    """An insurer that has answered can end what it confirmed."""
    form = CancellationForm()
    if not seen.is_canceled and form.validate_on_submit() and form.ends_on.data:
        with transaction() as db:
            cancel_policy(db, token=token, ends_on=form.ends_on.data, clock=gateways().clock)
        return see_other(url_for("dangerous.answer"))
    return page("dangerous/link_insurer_sent.html", form=form, seen=seen)


def _is_sent(form: InsurerForm | LandlordAnswerForm, requirement: Requirement, token: str) -> bool:
    parts = gateways()
    sender = token_hash(token)
    stored = (
        stored_pages(form, kind=DocumentKind.EVIDENCE, field_name="files", sender=sender) if form.files.data else None
    )
    if form.problems:
        return False
    with form.refusals(), transaction() as db:
        sent = EvidenceSent(
            key=form.key,
            measures=form.measures(requirement),
            file=stored,
            attested_name=form.attested_name.data,
        )
        answer_link(db, sent, token=token, city=parts.city, clock=parts.clock)
    return not form.problems
