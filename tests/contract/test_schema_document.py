"""The printed contract is the code's own, and nothing in it is left unsaid."""

import json
from xml.etree import ElementTree

from click.testing import CliRunner

from portal.cli import main
from portal.schema.base import CONFIDENTIAL, PORTAL, Privacy
from portal.schema.catalog import metadata
from portal.schema.contract import contract
from portal.schema.contract_svg import contract_svg
from portal.schema.described import described, undecided
from portal.schema.roles import ROLES, WEB
from tests.contract.written import PAGE, PICTURE, WRITE_ANEW

IN_THE_DATABASE = """
    SELECT format('%s.%s.%s', n.nspname, c.relname, a.attname) AS name,
           has_column_privilege(:role, c.oid, a.attnum, 'SELECT') AS read,
           has_column_privilege(:role, c.oid, a.attnum, 'INSERT') AS added,
           has_column_privilege(:role, c.oid, a.attnum, 'UPDATE') AS changed
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND c.relname <> 'alembic_version'
    AND n.nspname = ANY(:schemas)
"""


def printed(way: str) -> str:
    result = CliRunner().invoke(main, ["schema", "--as", way], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_every_table_and_column_says_what_it_is_whom_it_is_for_and_under_which_law():
    left = undecided()
    assert left == [], "\n" + "\n".join(left)


def test_the_page_says_what_the_schema_is():
    assert PAGE.read_text() == contract() == printed("page"), WRITE_ANEW


def test_the_picture_shows_every_shared_table_and_needs_nothing_else():
    picture = PICTURE.read_text()
    assert picture == contract_svg() == printed("svg"), WRITE_ANEW
    drawn = {one.text for one in ElementTree.fromstring(picture).iter() if one.get("class") == "head"}  # noqa: S314
    assert drawn == {table.name for table in metadata.tables.values() if table.schema != PORTAL}
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")


def test_software_reads_of_each_column_what_people_read():
    tables = {f"{table['schema']}.{table['name']}": table for table in json.loads(printed("json"))["tables"]}
    assert tables.keys() == metadata.tables.keys()
    for name, table in tables.items():
        assert [column["name"] for column in table["columns"]] == metadata.tables[name].columns.keys()
        for column in table["columns"]:
            assert column["meaning"]
            assert column["sections"]
            assert column["privacy"] in ("public", "private", "confidential")
            assert column["unit"] or column["type"] not in ("INTEGER", "BIGINT", "DATE", "TIMESTAMP WITH TIME ZONE")
    state = next(one for one in tables["animal_control.license"]["columns"] if one["name"] == "state")
    assert state["words"] == ["applied", "issued", "withdrawn", "revoked"]


def test_who_reads_and_writes_a_column_is_what_the_database_lets_them(shared_database):
    for role in ROLES:
        allowed = {
            row.name: (row.read, row.added, row.changed)
            for row in shared_database.rows(IN_THE_DATABASE, role=role, schemas=list({t.schema for t in described()}))
        }
        said = {
            f"{table.fullname}.{column.name}": tuple(
                role in able for able in (column.read_by, column.added_by, column.changed_by)
            )
            for table in described()
            for column in table.columns
        }
        assert said.items() ^ allowed.items() == set()


def test_a_table_has_the_class_of_its_strictest_column():
    order = list(Privacy)
    for table in described():
        assert max(table.columns, key=lambda column: order.index(column.privacy)).privacy is table.privacy, table.name


def test_whatever_tells_of_a_reporter_is_confidential_and_whatever_is_public_can_be_read_by_the_portal():
    for table in described():
        assert table.schema != CONFIDENTIAL or table.privacy is Privacy.CONFIDENTIAL
        for column in table.columns if table.sections else ():
            if column.privacy is Privacy.PUBLIC:
                assert WEB in column.read_by, f"{table.fullname}.{column.name}"
            # The letters are the exception: the database shows the web process those that tell of no report.
            if column.privacy is Privacy.CONFIDENTIAL and table.name != "outgoing_message":
                assert WEB not in column.read_by, f"{table.fullname}.{column.name}"
