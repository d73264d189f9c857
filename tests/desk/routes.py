"""Every address of the desk, and who may reach it, said a second time."""

from portal.views.desk.access import Desk

ACCESS = {
    "queue.show": Desk.CLERK,
    "sign_in.ask": Desk.ANYONE,
    "sign_in.code": Desk.ANYONE,
    "sign_in.second": Desk.HALF_WAY,
    "sign_in.set_up": Desk.HALF_WAY,
    "sign_in.recovery_codes": Desk.CLERK,
    "sign_in.out": Desk.ANYONE,
    "keys.show": Desk.CLERK,
    "rabies.show": Desk.OFFICER,
    "reports.show": Desk.OFFICER,
    "reports.file": Desk.OFFICER,
    "reports.reporter": Desk.OFFICER,
    "certificates.show": Desk.CLERK,
    "certificates.sheet": Desk.CLERK,
    "tags.mail": Desk.CLERK,
    "tags.counter": Desk.CLERK,
    "tags.labels": Desk.CLERK,
    "counter.find": Desk.CLERK,
    "counter.show": Desk.CLERK,
    "counter.till": Desk.CLERK,
    "filings.show": Desk.CLERK,
    "filings.sheet": Desk.CLERK,
    "fee_questions.show": Desk.CLERK,
    "waivers.show": Desk.OFFICER,
    "clinics.show": Desk.OFFICER,
    "lookalikes.show": Desk.OFFICER,
    "claims.show": Desk.OFFICER,
}
