"""What has served its time goes; what anything still holds on to stays."""

from datetime import timedelta
from io import BytesIO
from uuid import uuid4

import pytest
from sqlalchemy.orm import Session

from portal.gateways.storage.store import new_key
from portal.ordinance.dangerous import Requirement
from portal.schema.documents import DocumentKind
from portal.schema.reports import ReportFileKind
from portal.services.accounts.change_email import ask_for_email_change, confirm_email_change
from portal.services.animals.find_tag import TagNumber
from portal.services.draft_answers import Registration
from portal.services.files.accept_upload import make_document, note_upload, store_upload
from portal.services.files.join_uploads import store_pages
from portal.services.notices.tell_found import Found, tell_found
from portal.services.registering.keep_draft import keep, open_draft, submit
from portal.services.reports.answers import FileAnswers
from portal.services.reports.draft import ReportDraft, drop_draft, keep_draft
from portal.services.sweeping.files import old_files, orphans_among
from portal.services.sweeping.rows import sweep_rate_limits
from portal.worker.jobs import sweep_files, sweep_rows
from tests.support.documents import corners, saved
from tests.support.registering import SAMPLES
from tests.support.registrations import LATER
from tests.web.vet.conftest import VET, join


def never() -> bool:
    return False


@pytest.fixture
def upload(gateways, registrations, database, clock):
    """Someone uploaded a file so many days ago; its key."""

    def upload(email="pat@example.com", *, days_ago):
        account_id = registrations.account(email)
        with Session(gateways.engine) as session, session.begin():
            noted = note_upload(session, registrations.stored(), account_id=account_id).id
        database.run(
            "UPDATE portal.upload SET created_at = :at WHERE id = :id",
            id=noted,
            at=clock.now() - timedelta(days=days_ago),
        )
        return noted

    return upload


@pytest.fixture
def hold(gateways, registrations, clock):
    """An open draft holds on to the upload."""

    def hold(upload_id, email="pat@example.com", *, submitted=False):
        account_id = registrations.account(email)
        animal = registrations.animal(photo_upload_id=upload_id)
        with Session(gateways.engine) as session, session.begin():
            draft = open_draft(session, account_id=account_id)
            keep(session, draft, Registration(animals=(animal,)), clock=clock)
            if submitted:
                submit(session, draft, clock=clock)

    return hold


def left(database, table):
    return database.value(f"SELECT count(*) FROM {table}")  # noqa: S608


def test_codes_sign_ins_answers_and_counts_go_when_they_are_over(parts, database, registrations, clock, gateways):
    """Dated by hand: the database has a clock of its own."""
    account_id = registrations.account("pat@example.com")
    now = clock.now()
    database.run("DELETE FROM portal.sign_in; DELETE FROM portal.sign_in_request")
    request = (
        "INSERT INTO portal.sign_in_request"
        " (email, email_key, browser_hash, code_hash, link_hash, next_path, expires_at)"
        " VALUES ('a', 'a', 'b', 'c', :hash, '/', :at)"
    )
    sign_in = (
        "INSERT INTO portal.sign_in (account_id, token_hash, expires_at, ended_at) VALUES (:id, :hash, :at, :ended)"
    )
    answers = "INSERT INTO portal.kept_answers (token_hash, path, fields, expires_at) VALUES (:hash, '/', '{}', :at)"
    count = "INSERT INTO portal.rate_limit (key, count, expires_at) VALUES (:hash, 1, :at)"
    hour, two_days = timedelta(hours=1), timedelta(days=2)
    database.run(request, hash="old", at=now - two_days)
    database.run(request, hash="over today", at=now - hour)
    database.run(sign_in, id=account_id, hash="over", at=now - hour, ended=None)
    database.run(sign_in, id=account_id, hash="ended", at=now + hour, ended=now - hour)
    database.run(sign_in, id=account_id, hash="live", at=now + hour, ended=None)
    for statement in (answers, count):
        database.run(statement, hash="over", at=now - hour)
        database.run(statement, hash="live", at=now + hour)
    sweep_rows(parts, never)
    found = {
        table: [row.hash for row in database.rows(f"SELECT {column} AS hash FROM portal.{table}")]  # noqa: S608
        for table, column in {
            "sign_in_request": "link_hash",
            "sign_in": "token_hash",
            "kept_answers": "token_hash",
            "rate_limit": "key",
        }.items()
    }
    assert found == {
        "sign_in_request": ["over today"],
        "sign_in": ["live"],
        "kept_answers": ["live"],
        "rate_limit": ["live"],
    }


def test_any_number_of_rows_goes_batch_by_batch(parts, database, clock, monkeypatch):
    monkeypatch.setattr("portal.services.sweeping.rows.BATCH", 10)
    database.run(
        "INSERT INTO portal.rate_limit SELECT 'key' || n, 1, :at FROM generate_series(1, 35) n",
        at=clock.now() - timedelta(days=1),
    )
    assert [sweep_once(parts) for _ in range(5)] == [10, 10, 10, 5, 0]


def sweep_once(parts):
    with parts.transaction() as session:
        return sweep_rate_limits(session, keeps=parts.gateways.city.retention, clock=parts.gateways.clock)


def test_an_upload_that_an_open_draft_holds_is_never_swept(parts, upload, hold, database, files):
    held = upload(days_ago=400)
    hold(held)
    for key in files.files:
        files.modified[key] = parts.gateways.clock.now() - timedelta(days=400)
    before = dict(files.files)
    sweep_rows(parts, never)
    sweep_files(parts, never)
    assert left(database, "portal.upload") == 1
    assert files.files == before


@pytest.mark.parametrize(
    ("days_ago", "stays"), [pytest.param(6, 1, id="six days old"), pytest.param(8, 0, id="eight days old")]
)
def test_an_upload_that_no_draft_holds_goes_after_a_week(parts, upload, database, days_ago, stays):
    upload(days_ago=days_ago)
    sweep_rows(parts, never)
    assert left(database, "portal.upload") == stays


def test_somebody_elses_draft_and_one_that_was_sent_hold_nothing(parts, upload, hold, database):
    hold(upload(days_ago=8), email="gavin@example.com")
    hold(upload("mai@example.com", days_ago=8), email="mai@example.com", submitted=True)
    sweep_rows(parts, never)
    assert left(database, "portal.upload") == 0


def test_the_original_of_a_pdf_among_several_files_stays(parts, gateways, registrations, database, files, clock):
    """First its upload mentions it, afterwards its document alone."""
    pdf = BytesIO((SAMPLES / "certificate-3-year.pdf").read_bytes())
    photo = BytesIO(saved(corners(640, 480), "JPEG"))
    kind, storage = DocumentKind.CERTIFICATE, gateways.storage
    sent = [("image.jpg", photo), ("certificate.pdf", pdf)]
    stored = store_pages(sent, kind=kind, storage=storage, largest_bytes=10_000_000)
    account_id = registrations.account("pat@example.com")
    with Session(gateways.engine) as session, session.begin():
        upload = note_upload(session, stored, account_id=account_id)
    _grow_old(files, clock)
    sweep_files(parts, never)
    with Session(gateways.engine) as session, session.begin():
        make_document(session, session.merge(upload))
    database.run("UPDATE portal.upload SET created_at = :at", at=clock.now() - timedelta(days=400))
    sweep_rows(parts, never)
    sweep_files(parts, never)
    assert left(database, "portal.upload") == 0
    [original] = [key for key in files.files if key.startswith("certificates-originals")]
    assert database.value("SELECT original_key FROM animal_control.document_page WHERE number = 2") == original


def test_what_was_shown_for_a_requirement_stays_and_what_no_row_mentions_goes(
    parts, registrations, dangerous, files, clock
):
    """90.13(H): evidence is kept with its decision."""
    pepper = registrations.licensed("Pepper")
    dangerous.designated(pepper)
    dangerous.send(pepper, Requirement.SIGNS)
    kept = {key for key in files.files if key.startswith("evidence/")}
    orphan = registrations.stored(DocumentKind.EVIDENCE)
    _grow_old(files, clock)
    sweep_files(parts, never)
    assert kept
    assert {key for key in files.files if key.startswith("evidence/")} == kept
    assert orphan.thumbnail_key not in files.files


def _grow_old(files, clock):
    for key in files.files:
        files.modified[key] = clock.now() - timedelta(days=400)


def test_a_sheet_that_is_still_offered_for_another_pet_stays(parts, registrations, resident, database, clock):
    registrations.dog("Pepper")
    rex = registrations.dog("Rex", certificate=LATER)
    offer = f"/dogs/{rex.animal_id}/certificate"
    at = clock.now() - timedelta(days=20)
    database.run("UPDATE portal.upload SET created_at = :at", at=at)
    sweep_rows(parts, never)
    assert "sheet" in resident.visit(offer).text
    database.run("UPDATE portal.upload SET created_at = :at", at=clock.now() - timedelta(days=31))
    assert "sheet" not in resident.visit(offer).text
    sweep_rows(parts, never)
    assert left(database, "portal.upload") == 0


def test_what_was_read_from_a_clinics_file_stays_until_somebody_has_filled_it_in(
    parts, filings, arrive, database, clock
):
    join(filings, filings.clinic(), VET)
    vet = arrive(VET).sign_in(then="/vet/files").submit(files=(saved(corners(640, 480), "JPEG"), "a.jpg"))
    filing_id = database.value("SELECT id FROM animal_control.clinic_filing")
    read = """{"animal_name": {"value": "Pepper", "sure": 1}}"""
    database.run("UPDATE portal.reading SET state = 'done', fields = CAST(:read AS jsonb)", read=read)
    database.run("UPDATE portal.upload SET created_at = :at", at=clock.now() - timedelta(days=60))
    sweep_rows(parts, never)
    assert vet.visit(f"/vet/certificates/{filing_id}/fill-in").page.values["animal_name"] == ["Pepper"]
    database.run("UPDATE animal_control.clinic_filing SET state = 'waiting'")
    sweep_rows(parts, never)
    assert left(database, "portal.upload") == 0


def test_the_files_of_a_document_stay_although_its_upload_went(parts, registrations, database, files, clock):
    registrations.licensed("Pepper")
    database.run("UPDATE portal.upload SET created_at = :at", at=clock.now() - timedelta(days=30))
    for key in files.files:
        files.modified[key] = clock.now() - timedelta(days=30)
    before = dict(files.files)
    assert before
    sweep_rows(parts, never)
    sweep_files(parts, never)
    assert left(database, "portal.upload") == 0
    assert files.files == before


@pytest.mark.parametrize(
    ("days_ago", "stays"), [pytest.param(89, 1, id="89 days old"), pytest.param(91, 0, id="91 days old")]
)
def test_a_talk_with_a_finder_goes_with_its_picture_after_ninety_days(
    parts, registrations, gateways, database, files, clock, days_ago, stays
):
    registrations.licensed()
    photo = new_key("animals")
    files.put(photo, BytesIO(b"jpeg"))
    found = Found(
        text="She is here.",
        place=None,
        phone=None,
        email="robin@example.com",
        confined_at=None,
        photo_key=photo,
        is_suspicious=False,
    )
    with Session(gateways.engine) as session, session.begin():
        tell_found(
            session, found, tag=TagNumber(1, 2026), key=uuid4(), token=uuid4().hex, city=gateways.city, clock=clock
        )
    files.modified[photo] = clock.now() - timedelta(days=2)
    clock.move_to(clock.at + timedelta(days=days_ago))
    sweep_rows(parts, never)
    sweep_files(parts, never)
    assert [left(database, f"portal.{table}") for table in ("relay", "relay_message")] == [stays, stays]
    assert left(database, "portal.relay_link") == 2 * stays
    assert (photo in files.files) is bool(stays)


@pytest.mark.parametrize(("days", "stays"), [(43, 1), (45, 0)])
def test_an_invitation_that_nobody_answered_goes_a_month_after_it_is_over(
    parts, registrations, household, database, clock, days, stays
):
    pepper = registrations.dog("Pepper")
    household.joins(pepper, "gavin@example.com")
    household.invites(pepper, "mai@example.com")
    clock.move_to(clock.at + timedelta(days=days))
    sweep_rows(parts, never)
    kept = {row.email for row in database.rows("SELECT email FROM portal.keeper_invitation")}
    assert kept == {"gavin@example.com"} | ({"mai@example.com"} if stays else set())


@pytest.mark.parametrize(("days", "stays"), [(31, 1), (33, 0)])
def test_a_change_of_mailbox_that_came_to_nothing_goes_a_month_after_it_is_over(
    parts, registrations, gateways, database, clock, days, stays
):
    account_id = registrations.account("pat@example.com")
    with Session(gateways.engine) as session, session.begin():
        ask_for_email_change(session, account_id=account_id, new_email="new@example.com", clock=clock)
    clock.move_to(clock.at + timedelta(days=days))
    sweep_rows(parts, never)
    assert left(database, "portal.email_change") == stays


def test_files_that_no_row_mentions_go_after_a_day(parts, files, clock):
    old, young = new_key("certificates"), new_key("animals")
    for key, hours in {old: 25, young: 23}.items():
        files.put(key, BytesIO(b"jpeg"))
        files.modified[key] = clock.now() - timedelta(hours=hours)
    sweep_files(parts, never)
    assert list(files.files) == [young]


def test_files_of_a_report_and_of_a_draft_of_one_stay_as_long_as_it_does(parts, reporting, files, clock):
    keys = [new_key("reports") for _ in range(3)]
    for key in keys:
        files.put(key, BytesIO(b"jpeg"))
        files.modified[key] = clock.now() - timedelta(days=2)
    sent, drafted, dropped = keys
    reporting.send(files=(photo(sent),))
    with reporting.portal() as session:
        keep_draft(session, token="browser", draft=ReportDraft({}, (photo(drafted),)), clock=clock)
        keep_draft(session, token="given up", draft=ReportDraft({}, (photo(dropped),)), clock=clock)
        drop_draft(session, token="given up")
    sweep_rows(parts, never)
    sweep_files(parts, never)
    assert list(files.files) == [sent, drafted]
    clock.move_to(clock.now() + timedelta(days=8))
    sweep_rows(parts, never)
    sweep_files(parts, never)
    assert list(files.files) == [sent]


def photo(key: str) -> FileAnswers:
    return FileAnswers(
        id=uuid4(),
        kind=ReportFileKind.PHOTO,
        key=key,
        thumbnail_key=None,
        original_name="image.jpg",
        media_type="image/jpeg",
        size_bytes=4,
    )


def test_files_of_a_kind_the_sweep_does_not_know_are_left_alone(parts, files, clock):
    key = new_key("posters")
    files.put(key, BytesIO(b"pdf"))
    files.modified[key] = clock.now() - timedelta(days=30)
    sweep_files(parts, never)
    assert list(files.files) == [key]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *(("photo.jpg", kind) for kind in DocumentKind),
        *(("certificate-3-year.pdf", kind) for kind in DocumentKind if kind is not DocumentKind.ANIMAL_PHOTO),
    ],
)
def test_everything_that_an_upload_stores_is_swept_if_it_was_never_noted(parts, files, clock, kind, name, pytestconfig):
    """A photo keeps no original and a PDF does: both leave nothing behind."""
    sample = pytestconfig.rootpath / "tests" / "samples" / name
    content = sample.read_bytes() if sample.exists() else saved(corners(64, 48), "JPEG")
    store_upload(BytesIO(content), name=name, kind=kind, storage=files, largest_bytes=10_000_000)
    assert files.files
    for key in files.files:
        files.modified[key] = clock.now() - timedelta(days=2)
    sweep_files(parts, never)
    assert files.files == {}


def test_the_files_of_many_rows_are_looked_up_with_one_question_a_batch(
    parts, registrations, files, clock, monkeypatch
):
    monkeypatch.setattr("portal.services.sweeping.files.FILES_A_BATCH", 4)
    registrations.dog("Pepper")
    registrations.dog("Rex", email="gavin@example.com")
    strays = [new_key("certificates") for _ in range(3)]
    for key in strays:
        files.put(key, BytesIO(b"jpeg"))
    for key in files.files:
        files.modified[key] = clock.now() - timedelta(days=2)
    batches = list(old_files(files, clock=clock))
    assert [len(batch) for batch in batches] == [4, 3]
    with parts.transaction() as session:
        found = [key for batch in batches for key in orphans_among(session, batch)]
    assert sorted(found) == sorted(strays)


def test_a_change_of_mailbox_that_was_made_stays_and_tells_whose_the_earlier_letters_are(
    parts, registrations, gateways, outbox, database, clock
):
    account_id = registrations.account("pat@example.com")
    with Session(gateways.engine) as session, session.begin():
        ask_for_email_change(session, account_id=account_id, new_email="new@example.com", clock=clock)
    for letter in [one for one in outbox.messages() if one.template.startswith("email_change_")]:
        with Session(gateways.engine) as session, session.begin():
            confirm_email_change(session, token=letter.context["path"].rpartition("/")[2], clock=clock)
    clock.move_to(clock.at + timedelta(days=400))
    sweep_rows(parts, never)
    assert left(database, "portal.email_change") == 1


def test_of_the_desk_goes_what_is_over(parts, database, clock):
    now, day = clock.now(), timedelta(days=1)
    staff = (
        "INSERT INTO portal.staff (email, email_key, role, added_by, set_up_until) VALUES ('o', 'o', 'clerk', 'c', :at)"
    )
    database.run(staff, at=now)
    for name, at in {"over": now - 2 * day, "live": now + day}.items():
        for statement in (
            "INSERT INTO portal.staff_sign_in_request (browser_hash, code_hash, expires_at) VALUES ('', :name, :at)",
            "INSERT INTO portal.staff_sign_in (staff_id, token_hash, expires_at) "
            "SELECT id, :name, :at FROM portal.staff",
            "INSERT INTO portal.desk_opening (kind, item_id, staff_id, opened_at) "
            "SELECT :name, id, id, :at FROM portal.staff",
            "INSERT INTO portal.desk_rate_limit VALUES (:name, 1, :at)",
        ):
            database.run(statement, name=name, at=at)
    sweep_rows(parts, never)
    left = database.rows(
        "SELECT code_hash AS name FROM portal.staff_sign_in_request "
        "UNION ALL SELECT token_hash FROM portal.staff_sign_in "
        "UNION ALL SELECT kind FROM portal.desk_opening UNION ALL SELECT key FROM portal.desk_rate_limit"
    )
    assert [row.name for row in left] == ["live"] * 4
