"""Where, when, what kind of thing, which animal, in their words, and who says so: a page each."""

from dataclasses import replace

from flask.typing import ResponseReturnValue

from portal.forms.report_details import DETAILS_FORMS, shown_details
from portal.forms.reports import (
    AnimalForm,
    NamedForm,
    UnnamedForm,
    UnownedForm,
    WhenForm,
    WhereForm,
    WhoForm,
    WordsForm,
)
from portal.ordinance.nuisances import ACCUSES_NOBODY, anonymous
from portal.services.reports.answers import plain_details
from portal.services.reports.in_progress import BegunReport, Step, WhereAnswers
from portal.services.reports.place import may_be_outside
from portal.views.access import Access, open_to
from portal.views.answers import page
from portal.views.identity import current_resident
from portal.views.reports.blueprint import blueprint
from portal.views.reports.progress import answering, back_from, keep_and_go_on, start
from portal.views.work import gateways


@blueprint.route("/new/<kind>/where", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_where(kind: str) -> ResponseReturnValue:
    """A place as typed; where the phone is, if its owner says so."""
    if (draft := answering(kind)) is None:
        return start(kind)
    begun = draft.begun
    form = WhereForm(data=vars(begun.where) if begun.where else None)
    if form.validate_on_submit():
        latitude, longitude = form.position()
        is_outside = may_be_outside(form.place.data, latitude=latitude, longitude=longitude, city=gateways().city)
        answer = WhereAnswers(place=form.place.data, latitude=latitude, longitude=longitude, may_be_outside=is_outside)
        return keep_and_go_on(lambda kept: kept.with_answer(Step.WHERE, where=answer))
    return page("reports/new/where.html", form=form, back=back_from(begun, Step.WHERE))


@blueprint.route("/new/<kind>/when", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_when(kind: str) -> ResponseReturnValue:
    """Now, on a day, or over some time."""
    if (draft := answering(kind)) is None:
        return start(kind)
    begun, parts = draft.begun, gateways()
    form = WhenForm(data=vars(begun.when) if begun.when else None, today=parts.clock.today())
    if form.validate_on_submit():
        answer = form.answers(now=parts.clock.now(), zone=parts.city.time_zone)
        if answer:
            return keep_and_go_on(lambda kept: kept.with_answer(Step.WHEN, when=answer))
    return page("reports/new/when.html", form=form, begun=begun, back=back_from(begun, Step.WHEN))


@blueprint.route("/new/<kind>/details", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_details(kind: str) -> ResponseReturnValue:
    """What this kind alone is asked."""
    draft = answering(kind)
    if draft is None or draft.begun.kind not in DETAILS_FORMS:
        return start(kind)
    begun, parts = draft.begun, gateways()
    zone = parts.city.time_zone
    form = DETAILS_FORMS[begun.kind](data=shown_details(begun.kind, begun.details, zone=zone))
    if form.validate_on_submit():
        answer = plain_details(form.details(begun.kind, now=parts.clock.now(), zone=zone))
        if not form.problems:
            return keep_and_go_on(lambda kept: kept.with_answer(Step.DETAILS, details=answer))
    return page("reports/new/details.html", form=form, begun=begun, back=back_from(begun, Step.DETAILS))


@blueprint.route("/new/<kind>/animal", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_animal(kind: str) -> ResponseReturnValue:
    """What it looks like; whose it may be, where somebody is blamed at all."""
    if (draft := answering(kind)) is None:
        return start(kind)
    begun = draft.begun
    asked = UnownedForm if begun.kind in ACCUSES_NOBODY else AnimalForm
    form = asked(data=vars(begun.animal))
    if form.validate_on_submit():
        answer = form.answers()
        return keep_and_go_on(lambda kept: kept.with_answer(Step.ANIMAL, animal=answer))
    return page("reports/new/animal.html", form=form, back=back_from(begun, Step.ANIMAL))


@blueprint.route("/new/<kind>/words", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_words(kind: str) -> ResponseReturnValue:
    """What happened, in their own words."""
    if (draft := answering(kind)) is None:
        return start(kind)
    begun = draft.begun
    form = WordsForm(data={"narrative": begun.narrative})
    if form.validate_on_submit():
        answer, is_suspicious = form.narrative.data, form.is_suspicious

        def told(kept: BegunReport) -> BegunReport:
            suspicious = kept.is_suspicious or is_suspicious
            return kept.with_answer(Step.WORDS, narrative=answer, is_suspicious=suspicious)

        return keep_and_go_on(told)
    return page("reports/new/words.html", form=form, begun=begun, back=back_from(begun, Step.WORDS))


@blueprint.route("/new/<kind>/who", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_who(kind: str) -> ResponseReturnValue:
    """With a name or without; what the law does with either is said first (90.11(A)(1))."""
    if (draft := answering(kind)) is None:
        return start(kind)
    begun = draft.begun
    form = WhoForm(data={"is_named": begun.is_named})
    if form.validate_on_submit():
        is_named = form.is_named.data

        def told(kept: BegunReport) -> BegunReport:
            if is_named is not kept.is_named:  # who they are is asked anew
                kept = replace(kept, answered=tuple(step for step in kept.answered if step is not Step.CONTACT))
            return kept.with_answer(Step.WHO, is_named=is_named)

        return keep_and_go_on(told)
    return page(
        "reports/new/who.html",
        form=form,
        found=anonymous(),
        accuses_nobody=begun.kind in ACCUSES_NOBODY,
        back=back_from(begun, Step.WHO),
    )


@blueprint.route("/new/<kind>/contact", methods=["GET", "POST"])
@open_to(Access.ANYONE)
def new_contact(kind: str) -> ResponseReturnValue:
    """Their name and how to reach them; or where the private link is to go, if anywhere."""
    draft = answering(kind)
    if draft is None or draft.begun.is_named is None:
        return start(kind)
    begun = draft.begun
    said, me = vars(begun.contact), current_resident()
    if begun.is_named and me and Step.CONTACT not in begun.answered:
        said = said | {"email": begun.contact.email or me.email}
    form = (NamedForm if begun.is_named else UnnamedForm)(data=said)
    if form.validate_on_submit():
        answer, is_suspicious = form.answers(), form.is_suspicious

        def told(kept: BegunReport) -> BegunReport:
            suspicious = kept.is_suspicious or is_suspicious
            return kept.with_answer(Step.CONTACT, contact=answer, is_suspicious=suspicious)

        return keep_and_go_on(told)
    return page("reports/new/contact.html", form=form, begun=begun, back=back_from(begun, Step.CONTACT))
