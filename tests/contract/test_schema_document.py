"""The printed contract is the code's own."""

from pathlib import Path

import pytest

from portal.schema.catalog import metadata
from portal.schema.contract import contract
from portal.schema.roles import GRANTS

DOCUMENT = Path(__file__).parents[2] / "docs" / "schema.md"


def test_the_document_says_what_the_schema_is():
    assert DOCUMENT.read_text() == contract(), "run: portal schema > docs/schema.md"


@pytest.mark.parametrize("table", metadata.sorted_tables, ids=lambda table: table.fullname)
def test_every_table_and_column_has_its_sentence_and_every_table_its_rights(table):
    assert table.comment
    assert [column.name for column in table.columns if not column.comment] == []
    assert table.fullname in GRANTS
