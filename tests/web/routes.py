"""Every address of the portal, filled in with things that exist."""

from dataclasses import dataclass

from flask import Flask
from werkzeug.routing import Rule

from portal.views.access import Access

# Whoever adds a route says here, a second time, who may reach it.
ACCESS = {
    "home.index": Access.ANYONE,
    "sign_in.ask": Access.ANYONE,
    "sign_in.code": Access.ANYONE,
    "sign_in.link": Access.ANYONE,
    "sign_in.confirm": Access.ANYONE,
    "sign_in.out": Access.ANYONE,
    "register.situation": Access.ANYONE,
    "register.age": Access.ANYONE,
    "register.answer": Access.ANYONE,
    "register.resume": Access.RESIDENT,
    "register.owner": Access.RESIDENT,
    "register.home": Access.RESIDENT,
    "register.about": Access.RESIDENT,
    "register.license_year": Access.RESIDENT,
    "register.photo": Access.RESIDENT,
    "register.certificate": Access.RESIDENT,
    "register.ask_vet": Access.RESIDENT,
    "register.certificate_details": Access.RESIDENT,
    "register.uploaded_picture": Access.RESIDENT,
    "register.animals": Access.RESIDENT,
    "register.remove": Access.RESIDENT,
    "register.other_dogs": Access.RESIDENT,
    "register.check": Access.RESIDENT,
    "dogs.index": Access.RESIDENT,
    "dogs.show": Access.RESIDENT,
    "dogs.picture": Access.RESIDENT,
    "dogs.proof": Access.RESIDENT,
    "dogs.duplicate_tag": Access.RESIDENT,
    "dogs.renew": Access.RESIDENT,
    "dogs.gone": Access.RESIDENT,
    "dogs.farewell": Access.RESIDENT,
    "dogs.past": Access.RESIDENT,
    "dogs.pound": Access.RESIDENT,
    "dogs.certificate": Access.RESIDENT,
    "dogs.certificate_details": Access.RESIDENT,
    "dogs.certificate_page": Access.RESIDENT,
    "dogs.ask": Access.RESIDENT,
    "dogs.withdraw_ask": Access.RESIDENT,
    "dogs.desk_code": Access.RESIDENT,
    "dogs.keepers": Access.RESIDENT,
    "dogs.contact": Access.RESIDENT,
    "dogs.withdraw_invited": Access.RESIDENT,
    "dogs.leave": Access.RESIDENT,
    "dogs.new_owner": Access.RESIDENT,
    "invitations.link": Access.ANYONE,
    "invitations.answer": Access.ANYONE,
    "invitations.waiting": Access.RESIDENT,
    "me.index": Access.RESIDENT,
    "me.details": Access.RESIDENT,
    "me.address": Access.RESIDENT,
    "me.moved": Access.RESIDENT,
    "me.email": Access.RESIDENT,
    "me.give_up_email": Access.RESIDENT,
    "me.email_link": Access.ANYONE,
    "me.confirm_email": Access.ANYONE,
    "me.email_changed": Access.ANYONE,
    "me.data": Access.RESIDENT,
    "me.data_file": Access.RESIDENT,
    "me.close": Access.RESIDENT,
    "me.closed": Access.ANYONE,
    "pay.show": Access.RESIDENT,
    "pay.card": Access.RESIDENT,
    "pay.back": Access.RESIDENT,
    "pay.counter": Access.RESIDENT,
    "pay.slip": Access.RESIDENT,
    "pay.receipt": Access.RESIDENT,
    "stripe.webhook": Access.PROCESSOR,
    "texts.incoming": Access.PROCESSOR,
    "reminders.choices": Access.RESIDENT,
    "reminders.stop": Access.ANYONE,
    "reminders.again": Access.ANYONE,
    "reminders.one_click": Access.LETTER,
    "reminders.open_page": Access.ANYONE,
    "dogs.found": Access.RESIDENT,
    "dogs.found_talk": Access.RESIDENT,
    "dogs.found_home": Access.RESIDENT,
    "dogs.found_end": Access.RESIDENT,
    "dogs.found_picture": Access.RESIDENT,
    "tags.ask": Access.ANYONE,
    "tags.show": Access.ANYONE,
    "tags.link": Access.ANYONE,
    "tags.talk": Access.ANYONE,
    "tags.end": Access.ANYONE,
    "tags.leave": Access.ANYONE,
    "tags.picture": Access.ANYONE,
    "reports.index": Access.ANYONE,
    "reports.open_link": Access.ANYONE,
    "reports.confirm_link": Access.ANYONE,
    "reports.confirm": Access.ANYONE,
    "reports.not_mine": Access.ANYONE,
    "reports.show": Access.ANYONE,
    "reports.answer": Access.ANYONE,
    "reports.add_files": Access.ANYONE,
    "reports.file": Access.ANYONE,
    "reports.identity": Access.ANYONE,
    "reports.not_public": Access.ANYONE,
    "reports.withdraw": Access.ANYONE,
    "reports.reopen": Access.ANYONE,
    "reports.forget": Access.ANYONE,
    "reports.barking_log": Access.ANYONE,
    "reports.log_sheet": Access.ANYONE,
    "reports.timer": Access.ANYONE,
    "reports.no_signal": Access.ANYONE,
    "reports.log_worker": Access.ANYONE,
    "reports.invite": Access.ANYONE,
    "reports.join": Access.ANYONE,
    "reports.new": Access.ANYONE,
    "reports.new_kind": Access.ANYONE,
    "reports.new_where": Access.ANYONE,
    "reports.new_when": Access.ANYONE,
    "reports.new_log": Access.ANYONE,
    "reports.new_remove_episode": Access.ANYONE,
    "reports.new_details": Access.ANYONE,
    "reports.new_animal": Access.ANYONE,
    "reports.new_words": Access.ANYONE,
    "reports.new_files": Access.ANYONE,
    "reports.new_remove_file": Access.ANYONE,
    "reports.new_picture": Access.ANYONE,
    "reports.new_who": Access.ANYONE,
    "reports.new_contact": Access.ANYONE,
    "reports.new_check": Access.ANYONE,
    "reports.new_sent": Access.ANYONE,
    "notices.board": Access.ANYONE,
    "notices.feed": Access.ANYONE,
    "notices.as_json": Access.ANYONE,
    "notices.poster": Access.ANYONE,
    "notices.show": Access.ANYONE,
    "notices.picture": Access.ANYONE,
    "pound.index": Access.ANYONE,
    "pound.public_records": Access.ANYONE,
    "pound.show": Access.ANYONE,
    "pound.picture": Access.ANYONE,
    "proof.ask": Access.ANYONE,
    "proof.show": Access.ANYONE,
    "town.fees": Access.ANYONE,
    "fee_questions.ask": Access.ANYONE,
    "fee_questions.sent": Access.ANYONE,
    "town.rules": Access.ANYONE,
    "town.privacy": Access.ANYONE,
    "town.accessibility": Access.ANYONE,
    "vet.index": Access.ANYONE,
    "vet.ask_to_join": Access.ANYONE,
    "vet.asked": Access.ANYONE,
    "vet.staff": Access.CLINIC,
    "vet.remove_staff": Access.CLINIC,
    "vet.tokens": Access.CLINIC,
    "vet.revoke": Access.CLINIC,
    "vet.new_certificate": Access.CLINIC,
    "vet.certificates": Access.CLINIC,
    "vet.certificate": Access.CLINIC,
    "vet.fill_in_certificate": Access.CLINIC,
    "vet.correct_certificate": Access.CLINIC,
    "vet.withdraw_certificate": Access.CLINIC,
    "vet.certificate_picture": Access.CLINIC,
    "vet.files": Access.CLINIC,
    "vet.table": Access.CLINIC,
    "vet.table_template": Access.CLINIC,
    "vet.table_to_correct": Access.CLINIC,
    "vet.suspected_rabies": Access.CLINIC,
    "vet.suspected_rabies_sent": Access.CLINIC,
    "certificates.file_certificate": Access.CLINIC_API,
    "certificates.certificates": Access.CLINIC_API,
    "certificates.certificate": Access.CLINIC_API,
    "certificates.withdraw_certificate": Access.CLINIC_API,
    "certificates.put_file": Access.CLINIC_API,
    "api_document.openapi": Access.ANYONE,
    "vet_link.link": Access.ANYONE,
    "vet_link.answer": Access.ANYONE,
    "open311.discover": Access.OPEN311,
    "open311.services": Access.OPEN311,
    "open311.service": Access.OPEN311,
    "open311.requests": Access.OPEN311,
    "open311.create": Access.OPEN311,
    "open311.one_request": Access.OPEN311,
    "open311.token": Access.OPEN311,
    "health.live": Access.MACHINE,
    "health.ready": Access.MACHINE,
}


@dataclass(frozen=True)
class Things:
    """What the addresses are about: one person's own, by the names of the routes' arguments."""

    usual: dict[str, object]
    instead: dict[str, dict[str, object]]  # by endpoint or blueprint, where an address is about something else

    def address(self, app: Flask, endpoint: str) -> str:
        """The address of an endpoint, about these things."""
        blueprint = endpoint.partition(".")[0]
        values = self.usual | self.instead.get(blueprint, {}) | self.instead.get(endpoint, {})
        with app.test_request_context():
            return app.url_for(endpoint, **{name: values[name] for name in rule_of(app, endpoint).arguments})


def rule_of(app: Flask, endpoint: str) -> Rule:
    (rule,) = app.url_map.iter_rules(endpoint)
    return rule


def methods_of(app: Flask, endpoint: str) -> set[str]:
    return rule_of(app, endpoint).methods or set()


def endpoints_of(*access: Access) -> list[str]:
    """The endpoints that these may reach."""
    return [endpoint for endpoint, who in ACCESS.items() if who in access]


def forms_of(app: Flask) -> list[str]:
    """The endpoints that take forms from people."""
    return [one for one in endpoints_of(Access.ANYONE, Access.RESIDENT) if "POST" in methods_of(app, one)]
