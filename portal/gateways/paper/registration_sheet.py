"""The certificate of registration of a dangerous dog, on one letter page (90.13(H)(1))."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from portal.gateways.mail.letter import one_line
from portal.gateways.paper.typesetting import breakable, typeset
from portal.gateways.qr import qr_svg
from portal.ordinance.days import spoken

FOOT = (
    "Issued by animal control once every requirement was settled. "
    "Renew the registration every year for as long as the dog lives."
)


@dataclass(frozen=True, kw_only=True)
class RegistrationSheet:
    """What the certificate says; texts as they were typed. `link` opens the page where anyone can check it."""

    city: str
    office: Sequence[str]
    name: str
    looks: str
    microchip: str
    license_label: str
    owner: str
    kept_at: str
    starts_on: date
    until: date
    issued_on: date
    code: str
    link: str
    checked_at: str
    rules: Sequence[str]


def registration_pdf(sheet: RegistrationSheet) -> bytes:
    """The certificate as a PDF; see `typeset` for what may be raised."""
    facts = {
        "Breed, color, sex": sheet.looks,
        "Microchip": sheet.microchip,
        "Dog license": sheet.license_label,
        "Owner": sheet.owner,
        "Kept at": sheet.kept_at,
    }
    terms = {
        "Registered from": spoken(sheet.starts_on),
        "Good through": spoken(sheet.until),
        "Issued": spoken(sheet.issued_on),
    }
    said = {
        "title": f"Certificate of registration: {one_line(sheet.name)}",
        "city": sheet.city,
        "office": list(sheet.office),
        "number": sheet.code,
        "name": breakable(one_line(sheet.name)),
        "facts": [{"label": label, "value": breakable(one_line(value))} for label, value in facts.items() if value],
        "terms": [{"label": label, "value": value} for label, value in terms.items()],
        "checked_at": breakable(sheet.checked_at),
        "foot": FOOT,
        "rules": "; ".join(sheet.rules),
    }
    return typeset("dangerous_certificate", said, pictures={"code": qr_svg(sheet.link).encode()})
