"""What an officer types at the console: a day, or one of some words, and what is said where it is neither."""

import pytest
from click.testing import CliRunner

from portal.cli import main


def test_a_day_is_asked_for_as_it_is_written():
    assert "--on YYYY-MM-DD" in CliRunner().invoke(main, ["demand", "shown", "--help"]).output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["demand", "shown", "1", "--on", "yesterday"], "'yesterday' does not match", id="no day"),
        pytest.param(["pound", "told", "1", "--how", "phone"], "'phone' is not one of 'personally'", id="no word"),
        pytest.param(["pound", "told", "1", "--how", "MAIL"], "'MAIL' is not one of", id="no word as it is spelled"),
    ],
)
def test_what_cannot_be_read_is_said_before_anything_is_done(arguments, said):
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert said in result.output
