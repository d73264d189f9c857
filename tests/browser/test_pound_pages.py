"""The pages of the pound, looked at closely, with long words and with none."""

from datetime import date, timedelta
from io import BytesIO

from playwright.sync_api import expect
from sqlalchemy.orm import Session

from portal.schema.documents import DocumentKind
from portal.schema.notices import Holding, NoticeKind, NoticeMatch
from portal.services.files.accept_upload import add_document, store_upload
from tests.browser.conftest import EMAIL
from tests.browser.test_every_page import BREED, DOG, LONG
from tests.support.documents import corners, saved
from tests.support.notices import notice
from tests.support.pound import impounded
from tests.support.registrations import LATER

CAT_GOES_HOME = (
    "UPDATE animal_control.impoundment SET left_on = '2026-11-30', outcome = 'reclaimed' WHERE species = 'cat'"
)


def test_the_pages_of_the_pound(open_screen, gallery, registrations, database, gateways):
    kept = registrations.dog(DOG, breed=BREED, certificate=LATER)
    screen = open_screen(keyboard=True).visit("/pound").arrive("At the pound now")
    gallery.look(screen, "pound-empty")
    photo_id = photo(database, gateways)
    impounded(database, animal_id=kept.animal_id, photo_id=photo_id, seized_on=date(2026, 11, 27))
    impounded(database, breed=BREED, marks=LONG, area=LONG)
    impounded(database, species="cat", breed="", marks="", age_text="", area="", seized_on=date(2026, 11, 10))
    for number in range(30):
        impounded(database, breed=f"hound {number}", seized_on=date(2026, 11, 24) - timedelta(days=number))
    gallery.look(screen.visit("/pound").arrive("At the pound now"), "pound")
    screen.follow("Dogs", leads_to="At the pound now").follow("Older", leads_to="At the pound now")
    gallery.look(screen, "pound-last-page")
    screen.visit("/pound").follow("Tan and white beagle", leads_to="Tan and white beagle at the pound")
    gallery.look(screen, "pound-animal")
    screen.visit("/pound?kind=cat").follow("Tan and white cat", leads_to="Tan and white cat at the pound")
    gallery.look(screen, "pound-past-its-day")
    screen.visit("/pound").follow("Records of the last six months", leads_to="Records of the pound")
    gallery.look(screen, "pound-records")
    database.run(CAT_GOES_HOME)
    with screen.complaining("Failed to load resource: the server responded with a status of 410"):
        left = database.value("SELECT id FROM animal_control.impoundment WHERE species = 'cat'")
        gallery.look(screen.visit(f"/pound/{left}"), "pound-over")
    mine = open_screen(email=EMAIL, then="/dogs", script=False).visit("/dogs").arrive("My dogs")
    mine.follow(f"See what taking {DOG} home asks", leads_to=f"{DOG} is at the pound")
    gallery.look(open_screen(email=EMAIL, then="/dogs").visit(f"/dogs/{kept.animal_id}/pound"), "dog-at-the-pound")


def test_a_notice_with_what_it_may_be_about(open_screen, gallery, registrations, database):
    missing = notice(database, account_id=registrations.account(EMAIL), name=DOG)
    found = notice(database, "7M3NB-QW8RT", kind=NoticeKind.FOUND, holding=Holding.HELD, breed=BREED, color=LONG)
    with Session(database.engine) as session, session.begin():
        for number, side in enumerate(({"found_notice_id": found.id}, {"impoundment_id": impounded(database).id})):
            why = ["same breed, color and collar", "0.4 miles", "next day"]
            session.add(NoticeMatch(lost_notice_id=missing.id, score=80 - number, reasons=why, **side))
    screen = open_screen(email=EMAIL, then="/dogs", keyboard=True).visit("/notices/4K7PQ-XRM2T")
    gallery.look(screen, "notice-with-likely-ones")
    another = screen.page.get_by_role("button", name="It is another animal")
    expect(another).to_have_count(2)
    screen.use(another.first)
    expect(another).to_have_count(1)
    gallery.look(screen, "notice-with-one-likely")


def photo(database, gateways):
    """A picture that the officer took."""
    content = BytesIO(saved(corners(640, 480), "JPEG"))
    stored = store_upload(
        content, name="dog.jpg", kind=DocumentKind.ANIMAL_PHOTO, storage=gateways.storage, largest_bytes=10**7
    )
    with Session(database.engine) as session, session.begin():
        return add_document(session, stored, at=gateways.clock.now()).id
