"""`portal check` opens the mailbox of returned letters and asks the virus scanner, and says what to put right."""

from dataclasses import replace

import pytest

from portal.operations.check_outside import look_at_bounces, look_at_scanner, look_at_texts
from portal.operations.findings import Installation
from portal.settings import BounceSettings, SmsSettings
from tests.support.imap_double import imap_double
from tests.support.returned import returned


@pytest.fixture
def found(settings):
    """What is found where one thing is set otherwise: how grave, and the words."""

    def found(look, **otherwise):
        installation = Installation(replace(settings, **otherwise), "")
        return [(finding.weight.value, f"{finding.said}. {finding.fix}") for finding in look(installation)]

    return found


def test_the_mailbox_of_returned_letters_is_opened_and_left_as_it_is(found):
    with imap_double() as box:
        box.letters = [returned("")]
        [(weight, _)] = found(look_at_bounces, bounces=BounceSettings(url=box.url))
        assert (weight, box.read) == ("ok", set())
        box.password = "changed"
        [(weight, said)] = found(look_at_bounces, bounces=BounceSettings(url=box.url))
    assert (weight, "Correct BOUNCE_URL" in said, "hush" in said) == ("wrong", True, False)
    [(weight, said)] = found(look_at_bounces)
    assert (weight, "BOUNCE_ADDRESS" in said) == ("advice", True)


def test_the_scanner_looks_at_a_file_as_large_as_people_may_send(found, scanner, clamd_folder):
    assert [weight for weight, _ in found(look_at_scanner, clamd_url=scanner.url)] == ["ok"]
    [(weight, said)] = found(look_at_scanner, clamd_url=f"unix:{clamd_folder}/clamd.ctl")
    assert (weight, "StreamMaxLength" in said) == ("wrong", True), "the tests' takes two megabytes"
    [(weight, said)] = found(look_at_scanner, clamd_url="unix:/nowhere")
    assert (weight, "Start clamd" in said) == ("wrong", True)
    [(weight, said)] = found(look_at_scanner)
    assert (weight, "set CLAMD_URL" in said) == ("advice", True)


def test_twilio_on_this_machine_is_reached_without_tls(found, scanner):
    port = scanner.url.rpartition(":")[2]
    sms = SmsSettings(f"twilio+http://AC1:token@127.0.0.1:{port}/+13205550100", "", "", is_offered=True)
    assert [weight for weight, _ in found(look_at_texts, sms=sms)] == ["ok"]
