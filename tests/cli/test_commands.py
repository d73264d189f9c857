"""The console as a whole."""

from click.testing import CliRunner

from portal.cli import MODULES, main


def test_every_command_says_what_it_is_for():
    result = CliRunner().invoke(main, ["--help"], catch_exceptions=False)
    told = [line.split(maxsplit=1) for line in result.output.partition("Commands:\n")[2].splitlines()]
    assert {name for name, _ in told} == set(MODULES)


def test_a_command_that_is_not_there_is_named():
    result = CliRunner().invoke(main, ["licence"])
    assert result.exit_code == 2
    assert "No such command 'licence'" in result.output
