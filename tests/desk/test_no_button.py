"""Nothing at the desk is decided by default: a form that comes without a button, or with a strange one, is refused."""

from portal.ordinance.licensing import Situation
from portal.schema.clinics import ClinicState
from portal.schema.notices import NoticeState
from tests.support.notices import notice
from tests.support.registrations import LATER


def test_of_a_certificate(officer, registrations, press_nothing):
    officer.visit(f"/desk/certificates/{registrations.dog().vaccination_id}")
    press_nothing("Send back", own_words="The lot is missing.")


def test_of_a_clinics_certificate(officer, filings, press_nothing):
    filings.file(filings.clinic(), animal_name="Zorro", owner_name="Nobody Known", owner_address="1 Main St")
    filings.match()
    officer.visit("/desk?kind=filing").click("Certificate from Prairie Vet Clinic: Zorro")
    press_nothing("Send back to the clinic", own_words="Nobody here knows Zorro.")


def test_of_a_clinic(officer, filings, press_nothing):
    filings.clinic("Valley Vets", state=ClinicState.ASKED)
    officer.visit("/desk").click("Valley Vets asks to file certificates")
    press_nothing("Refuse", reason="Nobody at your number knows of it.")


def test_of_a_waived_fee(officer, registrations, press_nothing):
    registrations.dog("Helper", situation=Situation.ASSISTANCE_DOG)
    officer.visit("/desk?kind=waiver").click("Fee waived for Helper?")
    press_nothing("Decline: the fee is due", reason="It is a pet.")


def test_of_a_new_owner(officer, registrations, household, press_nothing):
    household.claims(registrations.dog("Pepper", certificate=LATER), "gavin@example.com")
    officer.visit("/desk").click("Gavin Lind has Pepper now")
    press_nothing("Do not record", reason="Pat wants Pepper back.")


def test_of_a_pets_notice(officer, database, press_nothing):
    notice(database, state=NoticeState.CHECKING, flagged_for="a link in the text")
    officer.visit("/desk").click("Lost notice: Pepper")
    press_nothing("Take it down", reason="It is not a pet.")


def test_of_a_report(officer, reporting, press_nothing):
    reporting.send()
    officer.visit("/desk").click("Barking: 1312 Idaho Ave, Benson, MN 56215")
    press_nothing("Close the report", own_words="We were there on Monday.")
