"""The console of the portal, in a test: a command is run in this process, against the test's database and its clock."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from portal.cli import main
from portal.gateways.clock import FixedClock
from tests.support.database import Database

Console = Callable[..., str]


@pytest.fixture
def console(database: Database, tmp_path: Path, clock: FixedClock) -> Console:
    """Run a command: `console("certificate", "list")`; its output, or the sentence it failed with."""

    def run(*arguments: str, fails: bool = False) -> str:
        environment = {"DATABASE_URL": database.url, "PORTAL_DATA": str(tmp_path / "var")}
        result = CliRunner().invoke(main, list(arguments), env=environment, obj=clock, catch_exceptions=False)
        assert result.exit_code == (1 if fails else 0), result.output
        return str(result.output)

    return run
