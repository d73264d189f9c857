"""Anybody tells where a missing pet was seen, writes to a finder, or says that a notice should not be there.

Nothing is told before a button is pressed: opening the page, a preview or prefetching never counts.
"""

from flask import request, session, url_for
from flask.typing import ResponseReturnValue

from portal.forms.notice_words import ClaimForm, ComplaintForm, SeenForm
from portal.gateways.rate_limits import FINDER_MAILBOX, NOTICE_COMPLAINTS, NOTICE_TOLD, NOTICE_WORDS
from portal.schema.notices import AbuseKind, Holding, NoticeKind
from portal.services.notices.shown import ShownNotice
from portal.services.notices.tell_seen import Seen, Words, complain_of_notice, tell_seen, write_about_found
from portal.services.secrets import token_hash
from portal.services.signing_in.sign_in import email_key
from portal.views.access import Access, open_to
from portal.views.answers import page, see_other
from portal.views.identity import browser_secret
from portal.views.notices.blueprint import KIND, blueprint
from portal.views.notices.shown import shown
from portal.views.notices.words import title_of
from portal.views.tags import TALK
from portal.views.work import gateways, transaction


@blueprint.route("/lost/<reference>/seen", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def seen(reference: str) -> ResponseReturnValue:
    """Where and when, and whether they have it."""
    parts, notice = gateways(), shown("lost", reference)
    if notice.is_home:
        return _it_is_home(notice)
    browser_secret()  # known before the form is sent, so that two sendings at once are sent by the same browser
    form = SeenForm(data={"on": parts.clock.today()}, today=parts.clock.today())
    if form.validate_on_submit():
        now, zone = parts.clock.now(), parts.city.time_zone
        if seen_at := form.seen_at(now=now, zone=zone):
            _count(form, notice)
            latitude, longitude = form.known_position()
            holding = Holding(form.holding.data)
            told = Seen(
                words=_words(form),
                holding=holding,
                place=form.place.data,
                latitude=latitude,
                longitude=longitude,
                seen_at=seen_at,
                confined_at=seen_at if holding is Holding.HELD else None,
            )
            token = _token(form)
            with transaction() as db:
                tell_seen(db, told, reference=reference, key=form.key, token=token, city=parts.city, clock=parts.clock)
            session[TALK] = token
            return see_other(url_for("tags.talk"))
    return page("notices/seen.html", form=form, notice=notice)


@blueprint.route("/found/<reference>/write", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def write(reference: str) -> ResponseReturnValue:
    """This may be mine."""
    parts, notice = gateways(), shown("found", reference)
    if notice.is_home:
        return _it_is_home(notice)
    browser_secret()  # as above
    form = ClaimForm()
    if form.validate_on_submit():
        _count(form, notice)
        token = _token(form)
        with transaction() as db:
            write_about_found(db, _words(form), reference=reference, key=form.key, token=token, clock=parts.clock)
        session[TALK] = token
        return see_other(url_for("tags.talk"))
    return page("notices/write.html", form=form, notice=notice, title=title_of(notice))


@blueprint.route(f"{KIND}/<reference>/wrong", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def complain(kind: str, reference: str) -> ResponseReturnValue:
    """Something is wrong with this notice."""
    parts, notice = gateways(), shown(kind, reference)
    if notice.is_home:
        return _it_is_home(notice)
    form = ComplaintForm()
    if form.validate_on_submit():
        parts.limits.take(NOTICE_COMPLAINTS, request.remote_addr or "")
        with transaction() as db:
            complain_of_notice(
                db,
                kind=NoticeKind(kind),
                reference=reference,
                what=AbuseKind(form.what.data),
                text=form.text.data,
                key=form.key,
                clock=parts.clock,
            )
        return see_other(url_for("notices.complained"))
    return page("notices/complain.html", form=form, notice=notice, title=title_of(notice))


@blueprint.get("/notices/thanks")
@open_to(Access.ANYONE)
def complained() -> ResponseReturnValue:
    """The city looks at it."""
    return page("notices/complained.html")


def _it_is_home(notice: ShownNotice) -> ResponseReturnValue:
    """Nothing more is to be told: its page says so."""
    return see_other(url_for("notices.show", kind=notice.kind.value, reference=notice.reference))


def _count(form: SeenForm | ClaimForm, notice: ShownNotice) -> None:
    """Every attempt: of who writes, of whom it goes to, and of a mailbox that nobody proved."""
    limits = gateways().limits
    limits.take(NOTICE_WORDS, request.remote_addr or "")
    limits.take(NOTICE_TOLD, str(notice.id))
    if form.email.data:
        limits.take(FINDER_MAILBOX, email_key(form.email.data))


def _words(form: SeenForm | ClaimForm) -> Words:
    return Words(
        text=form.message.data,
        phone=form.passed_phone,
        email=form.email.data or None,
        is_suspicious=form.is_suspicious,
    )


def _token(form: SeenForm | ClaimForm) -> str:
    """The same form from the same browser gives the same token, so that sending it twice opens one talk."""
    return token_hash(f"{browser_secret()}:{form.key}")
