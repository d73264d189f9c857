"""A dog's four tracks in words: paid, certificate, license, tag. Each says who acts next and by when."""

from collections.abc import Iterator
from datetime import date
from functools import partial

from flask import url_for

from portal.ordinance.certificate_life import Life, life
from portal.ordinance.licensing import needed_from
from portal.schema.licenses import Delivery, TagState, WaiverState
from portal.schema.orders import OrderState
from portal.schema.vaccinations import CertificateState
from portal.services.animals.dogs_kept import AnimalKept, CertificateKept, LicenseKept, TagMade
from portal.services.licensing.issue_license import MONEY_IS_HERE
from portal.views.dogs.fee_track import paid_track
from portal.views.dogs.look import DONE, NOW, PROBLEM, WAITING, Link, Look, Track
from portal.views.words import day


def tracks(animal: AnimalKept, look: Look) -> list[Track]:
    """The tracks of the newest license; of the certificate alone for a cat, or before there is a license."""
    certificate = certificate_track(animal, look)
    if not animal.is_dog:
        return [certificate]
    license_ = animal.licenses[0] if animal.licenses else None
    if license_ is None:
        return [certificate, unlicensed_track(animal, look)]
    if license_.valid_until < look.on:
        return [certificate, ended_track(animal, license_, look)]
    return [
        paid_track(license_, look),
        certificate,
        license_track(animal, license_, look),
        tag_track(animal, license_, look),
    ]


def next_of(found: list[Track]) -> Track | None:
    """The track that says what happens next: what needs the keeper first; None when nothing is left to do."""
    return next((track for state in (PROBLEM, NOW) for track in found if track.state == state), None)


def certificate_track(animal: AnimalKept, look: Look) -> Track:
    """90.04(D): where the rabies certificate stands, and what to send."""
    href = partial(url_for, "dogs.certificate", animal_id=animal.id)
    newest, accepted = animal.newest, animal.accepted
    if newest is None:
        return Track("Certificate missing", PROBLEM, "Send a photo or PDF of it.", Link(href, "Add it"))
    is_checked = newest.state is not CertificateState.SUBMITTED
    by = None if is_checked else look.promised(newest.filed_at, look.city.license.certificate_check_days)
    if accepted is None:
        if is_checked:
            return Track("Certificate sent back", PROBLEM, _why(newest), Link(href, "Send another"))
        return Track("Certificate sent", NOW, _officer_looks(by, look), Link(href, "See it"))
    good_to = look.good_to(accepted)
    good = f"Good to {day(good_to)}." if good_to else ""
    stage = life(good_to, on=look.on, reminder_days=look.city.reminders.certificate_days)
    if stage is Life.OVER:
        if not is_checked:
            return Track("New certificate sent", NOW, _officer_looks(by, look), Link(href, "See it"))
        return Track("Certificate ran out", PROBLEM, f"It was good to {day(good_to)}.", Link(href, "Send the new one"))
    if not is_checked:
        return Track(
            "Certificate accepted", DONE, f"{good} The new one: {_officer_looks(by, look)}", Link(href, "See it")
        )
    if newest.state is CertificateState.SENT_BACK:
        return Track(
            "Certificate accepted", NOW, f"{good} The new one came back. {_why(newest)}", Link(href, "Send another")
        )
    if stage is Life.ENDING:
        return Track("Certificate runs out soon", NOW, good, Link(href, "Send the new one"))
    return Track("Certificate accepted", DONE, good, Link(href, "See it"))


def license_track(animal: AnimalKept, license_: LicenseKept, look: Look) -> Track:
    """90.04(B)(5): its number, or what it still waits for."""
    year = look.year_label(license_)
    if license_.is_issued:
        return Track(f"Licensed for {year}", DONE, f"Number {license_.number}, good to {day(license_.valid_until)}.")
    waits = list(_waits_for(animal, license_, look))
    detail = f"Issued as soon as {' and '.join(waits)}." if waits else "We are issuing it. You get a message."
    return Track(f"License for {year}", WAITING if waits else NOW, detail)


def unlicensed_track(animal: AnimalKept, look: Look) -> Track:
    """90.04(B)(1): from which day a dog needs a license."""
    apply = Link(partial(url_for, "dogs.renew", animal_id=animal.id), "Apply now")
    first_day = needed_from(animal.born_on) if animal.born_on else None
    if first_day and first_day > look.on:
        about = "" if animal.birth_date else "about "
        return Track(f"License needed from {about}{day(first_day)}", WAITING, "You may apply earlier.", apply)
    return Track("No license yet", PROBLEM, "Every dog over six months old needs one.", apply)


def ended_track(animal: AnimalKept, license_: LicenseKept, look: Look) -> Track:
    """90.04(B)(5): a license ends with its year."""
    ended = f"It ended on {day(license_.valid_until)}." if license_.is_issued else "It was not issued."
    renew = Link(partial(url_for, "dogs.renew", animal_id=animal.id), "Renew")
    return Track(f"License for {look.year_label(license_)} is over", PROBLEM, ended, renew)


def tag_track(animal: AnimalKept, license_: LicenseKept, look: Look) -> Track:
    """90.04(B)(5): the metal tag, by mail or at the counter."""
    tag, police = license_.tag, look.city.police
    is_mailed = (tag or license_).delivery is Delivery.MAIL
    days = look.city.license.tag_mail_days
    if tag is None and license_.is_issued:
        again = Link(partial(url_for, "dogs.duplicate_tag", animal_id=animal.id), "Get another")
        return Track("No tag", PROBLEM, "", again)
    if tag is None:
        way = "It goes in the mail" if is_mailed else f"It is ready at {police.name}"
        return Track("Tag", WAITING, f"{way} within {days} business days of the license.")
    if tag.state is TagState.SENT:
        return Track("Tag sent" if is_mailed else "Tag picked up", DONE, f"On {day(tag.sent_at)}.")
    by = look.promised(since, days) if (since := license_.tag_wanted_since) else None
    return _coming(animal, tag, by, look)


def _coming(animal: AnimalKept, tag: TagMade, by: date | None, look: Look) -> Track:
    police = look.city.police
    if tag.delivery is Delivery.PICK_UP:
        label = f"Pick up the tag from {day(by)}" if by else "Pick up the tag"
        return Track(label, NOW, f"{police.name}, {', '.join(police.address)}.")
    if by:
        return Track(f"Tag goes in the mail by {day(by)}", NOW, f"To {animal.mail_to}.")
    return Track("Tag goes in the mail", NOW, f"To {animal.mail_to}. If it does not come soon, call {police.phone}.")


def _waits_for(animal: AnimalKept, license_: LicenseKept, look: Look) -> Iterator[str]:
    order = license_.order
    if license_.is_waived:
        if license_.waiver_state is not WaiverState.CONFIRMED:
            yield f"{look.city.police.name} has confirmed the waiver"
    elif order is None or order.state is not OrderState.PAID or order.settled_state not in MONEY_IS_HERE:
        yield "the fee is paid"
    if animal.accepted is None:
        yield "a rabies certificate is accepted"
    elif animal.accepted.ordinance_until and animal.accepted.ordinance_until < look.on:
        yield "a certificate that has not run out is accepted"
    elif (good_to := look.good_to(animal.accepted)) and good_to < look.on:
        yield "a new certificate is accepted, or a person at the city lets the old one stand"


def _officer_looks(by: date | None, look: Look) -> str:
    until = f" by {day(by)}" if by else ""
    return f"An officer looks at it{until}. You get a message."


def _why(certificate: CertificateKept) -> str:
    reason = (certificate.decision_reason or "").strip()
    return reason if reason.endswith((".", "!", "?")) else f"{reason}."
