"""The printed contract is the code's own, and nothing in it is left unsaid."""

from pathlib import Path

from portal.schema.base import CONFIDENTIAL, Privacy
from portal.schema.contract import contract
from portal.schema.described import described, undecided
from portal.schema.roles import WEB

DOCUMENT = Path(__file__).parents[2] / "docs" / "schema.md"


def test_every_table_and_column_says_what_it_is_whom_it_is_for_and_under_which_law():
    left = undecided()
    assert left == [], "\n" + "\n".join(left)


def test_the_document_says_what_the_schema_is():
    assert DOCUMENT.read_text() == contract(), "run: portal schema > docs/schema.md"


def test_a_table_has_the_class_of_its_strictest_column():
    order = list(Privacy)
    for table in described():
        assert max(table.columns, key=lambda column: order.index(column.privacy)).privacy is table.privacy, table.name


def test_whatever_tells_of_a_reporter_is_confidential_and_whatever_is_public_can_be_read_by_the_portal():
    for table in described():
        assert table.schema != CONFIDENTIAL or table.privacy is Privacy.CONFIDENTIAL
        for column in table.columns:
            if column.privacy is Privacy.PUBLIC:
                assert WEB in column.read_by, f"{table.fullname}.{column.name}"
            # The letters are the exception: the database shows the web process those that tell of no report.
            if column.privacy is Privacy.CONFIDENTIAL and table.name != "outgoing_message":
                assert WEB not in column.read_by, f"{table.fullname}.{column.name}"
