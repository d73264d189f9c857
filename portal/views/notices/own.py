"""A notice as whoever filed it sees it: who saw the pet, what to do next, and the buttons that end it."""

from flask import current_app, request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.sign_in import ButtonForm
from portal.gateways.rate_limits import NOTICE_LINKS
from portal.ordinance.found_animals import report_by
from portal.schema.notices import NoticeKind, NoticeState, PetNotice
from portal.services.matching.likely_pets import likely_pets
from portal.services.notices.change_notice import OPEN, Gone, draft_of_notice, end_notice, keep_notice
from portal.services.notices.holder import notice_of_link, own_notices
from portal.services.notices.letters import OPEN_PAGE
from portal.services.notices.news import claims_of, sightings_of
from portal.services.notices.relay_matter import notice_name
from portal.services.refusal import NotTheirs, Refused
from portal.services.reminders.notices import HIDDEN_AFTER
from portal.views.access import Access, open_to
from portal.views.answers import over, page, see_other
from portal.views.files import picture as stored_picture
from portal.views.identity import current_resident
from portal.views.notices.blueprint import blueprint
from portal.views.notices.letting_go import let_go
from portal.views.notices.new_send import PASSED_ON
from portal.views.notices.opened import (
    LONGEST_TOKEN,
    forget_notice,
    link_to,
    opened_notice,
    remember_notice,
    sign_in_way,
    way_to,
)
from portal.views.notices.progress import begin, let_go_of_change
from portal.views.notices.words import HOLDINGS
from portal.views.work import gateways, reading, transaction

STATES = {
    NoticeState.CHECKING: ("warning", "Somebody of the city looks at it before it is shown"),
    NoticeState.SHOWN: ("good", "Everybody can see it"),
    NoticeState.HOME: ("good", "It is over: home"),
    NoticeState.WITHDRAWN: ("info", "You took it back"),
    NoticeState.EXPIRED: ("warning", f"Hidden, because we heard nothing for {HIDDEN_AFTER.days} days"),
    NoticeState.TAKEN_DOWN: ("problem", "Taken down by the city"),
}


@blueprint.get("/notices")
@open_to(Access.RESIDENT)
def index() -> ResponseReturnValue:
    """The notices of this sign-in."""
    notices = own_notices(reading(), sign_in_way())
    return page("notices/index.html", notices=[(one, notice_name(one), STATES[one.state]) for one in notices])


@blueprint.get("/notices/open/<token>")
@open_to(Access.ANYONE)
def open_link(token: str) -> ResponseReturnValue:
    """A finder's private link. Opening it takes its token out of the address bar (V5)."""
    gateways().limits.take(NOTICE_LINKS, request.remote_addr or "")
    token = token[:LONGEST_TOKEN]
    found = notice_of_link(reading(), token=token)
    if found is None:
        return over("notices/over.html")
    remember_notice(found.reference, token)
    session.permanent = True
    return see_other(url_for("notices.own", reference=found.reference))


@blueprint.get("/notices/<reference>")
@open_to(Access.ANYONE)
def own(reference: str) -> ResponseReturnValue:
    """How it stands, what came of it, and what to do next."""
    parts, notice = gateways(), opened_notice(reference)
    is_lost = notice.kind is NoticeKind.LOST
    news = (sightings_of if is_lost else claims_of)(reading(), notice, clock=parts.clock)
    link = link_to(reference)
    return page(
        "notices/own.html",
        notice=notice,
        called=notice_name(notice),
        state=STATES[notice.state],
        is_open=notice.state in OPEN,
        news=news,
        likely=likely_pets(reading(), notice) if notice.state is NoticeState.SHOWN else [],
        holdings=HOLDINGS,
        report_by=report_by(notice.confined_at).due_at if notice.confined_at else None,
        now=parts.clock.now(),
        public=current_app.config["BASE_URL"] + url_for("notices.show", kind=notice.kind.value, reference=reference),
        link=current_app.config["BASE_URL"] + OPEN_PAGE.format(token=link) if link and not current_resident() else None,
        is_passed_on=session.get(PASSED_ON) == reference,
        button=ButtonForm(formdata=None),
    )


@blueprint.get("/notices/<reference>/photo.jpg")
@open_to(Access.ANYONE)
def own_picture(reference: str) -> ResponseReturnValue:
    """Its picture, also while it is not shown."""
    notice = opened_notice(reference)
    if notice.photo_key is None or notice.thumbnail_key is None:
        raise NotTheirs("No such picture")
    response = stored_picture(notice.thumbnail_key, [notice.photo_key], 1)
    response.headers["Cache-Control"] = "no-store"  # type: ignore[union-attr]
    return response


@blueprint.route("/notices/<reference>/change", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def change(reference: str) -> ResponseReturnValue:
    """Its answers once more, to change them. A GET leads back to the button."""
    opened_notice(reference)
    if ButtonForm().validate_on_submit():
        try:
            return begin(draft_of_notice(reading(), way_to(reference), reference=reference, city=gateways().city))
        except Refused:  # it was ended meanwhile in another window, and the page says so
            pass
    return _back(reference)


@blueprint.route("/notices/<reference>/keep", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def keep_shown(reference: str) -> ResponseReturnValue:
    """It still holds. A GET leads back to the button."""
    opened_notice(reference)
    if ButtonForm().validate_on_submit():
        try:
            with transaction() as db:
                keep_notice(db, way_to(reference), reference=reference, clock=gateways().clock)
        except Refused:  # as above
            pass
    return _back(reference)


@blueprint.route("/notices/<reference>/home", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def home(reference: str) -> ResponseReturnValue:
    """Home! Whoever wrote is thanked. A GET leads back to the button."""
    return _ended(opened_notice(reference), is_home=True)


@blueprint.route("/notices/<reference>/withdraw", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def withdraw(reference: str) -> ResponseReturnValue:
    """Take it back. A GET leads back to the button."""
    return _ended(opened_notice(reference), is_home=False)


@blueprint.route("/notices/<reference>/forget", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def forget(reference: str) -> ResponseReturnValue:
    """This browser forgets a finder's notice. Its link opens it again. A GET leads back to the button."""
    opened_notice(reference)
    if ButtonForm().validate_on_submit():
        forget_notice(reference)
        return see_other(url_for("home.index"))
    return _back(reference)


def _ended(notice: PetNotice, *, is_home: bool) -> ResponseReturnValue:
    reference = notice.reference
    if ButtonForm().validate_on_submit():
        with transaction() as db:
            gone = end_notice(db, way_to(reference), reference=reference, is_home=is_home, clock=gateways().clock)
            keys = {*gone.keys, *let_go_of_change(db, reference)}
        let_go(Gone(tuple(keys)))
    return _back(reference)


def _back(reference: str) -> ResponseReturnValue:
    return see_other(url_for("notices.own", reference=reference))
