"""Letters about reports leave although nobody but the worker sees them, and what they tell is forgotten after."""

from portal.ordinance.nuisances import Nuisance
from portal.services.reports.file_report import Sender
from portal.services.reports.handle_report import close_report
from portal.worker.jobs import deliver_letters
from tests.support.reporting import ATTESTED, ROBIN


def never() -> bool:
    return False


def test_reporter_police_and_whoever_is_named_by_another_each_get_their_letter(
    reporting, parts, post, gateways, database
):
    pat = reporting.sign_in("pat@example.com")
    sent = reporting.send(sender=pat.sender())
    reporting.send(Nuisance.BITE, sender=Sender(attestation=ATTESTED, identity=ROBIN))
    with reporting.desk() as session:
        close_report(session, report_id=sent.id, reason="Told", officer="amy@benson.example", clock=reporting.clock)
    deliver_letters(parts, never)
    told = {letter.to: [] for letter in post.taken}
    for letter in post.taken:
        told[letter.to].append(letter.subject)
    assert len(told["pat@example.com"]) == 2
    assert told["robin@example.com"] == ["Is this your address?"]
    assert told[gateways.city.police.email][0].startswith("URGENT: a bite was reported")
    everything = " ".join(f"{letter.subject} {letter.text}" for letter in post.taken)
    assert "Robin" not in everything
    assert "bark" not in everything
    left = database.rows("SELECT context FROM portal.outgoing_message WHERE is_secret")
    assert [row.context for row in left] == [{}, {}, {}]
