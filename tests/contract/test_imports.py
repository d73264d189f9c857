"""Which way imports go, and who may know which vendor: the contracts of pyproject.toml."""

import pytest
from importlinter.application.use_cases import lint_imports
from importlinter.configuration import configure


def test_every_contract_about_imports_is_kept(pytestconfig: pytest.Config, capsys: pytest.CaptureFixture[str]) -> None:
    configure()
    is_kept = lint_imports(config_filename=str(pytestconfig.rootpath / "pyproject.toml"), cache_dir=None)
    assert is_kept, capsys.readouterr().out
