"""The files that are written from the code and its migrations; `python -m tests.contract.written` writes them anew.

Types, functions, triggers and policies have no models: migrations make them. `portal/schema/routines.sql` is their
present state, as the statements that make them.
"""

from pathlib import Path

from portal.schema import contract_sql
from portal.schema.base import SCHEMAS
from portal.schema.contract import contract
from portal.schema.contract_svg import contract_svg
from portal.schema.migrate import upgrade
from tests.migrations.catalog import lines
from tests.support.cluster import running_cluster

DOCS = Path(__file__).parents[2] / "docs"
PAGE, PICTURE = DOCS / "schema.md", DOCS / "schema.svg"
WRITE_ANEW = "run: make contract (python -m tests.contract.written)"
TYPES = """
    SELECT format('CREATE TYPE %s AS RANGE (subtype = %s, multirange_type_name = %s)', rngtypid::regtype,
                  rngsubtype::regtype, (SELECT quote_ident(typname) FROM pg_type WHERE oid = rngmultitypid))
    FROM pg_range r JOIN pg_type t ON t.oid = rngtypid JOIN pg_namespace n ON n.oid = t.typnamespace
    WHERE n.nspname = ANY(:schemas) ORDER BY 1
"""
FUNCTIONS = """
    SELECT pg_get_functiondef(p.oid) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    LEFT JOIN pg_range r ON r.rngtypid = p.prorettype OR r.rngmultitypid = p.prorettype
    WHERE n.nspname = ANY(:schemas) AND r.rngtypid IS NULL ORDER BY p.oid::regprocedure::text
"""
TRIGGERS = """
    SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE NOT t.tgisinternal AND n.nspname = ANY(:schemas) ORDER BY 1
"""
PROTECTED = """
    SELECT format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', c.oid::regclass)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relrowsecurity AND n.nspname = ANY(:schemas) ORDER BY 1
"""
POLICIES = """
    SELECT format('CREATE POLICY %I ON %I.%I AS %s FOR %s TO %s', policyname, schemaname, tablename, permissive, cmd,
                  array_to_string(roles, ', ')) || coalesce(format(' USING (%s)', qual), '')
                  || coalesce(format(' WITH CHECK (%s)', with_check), '')
    FROM pg_policies WHERE schemaname = ANY(:schemas) ORDER BY 1
"""


def routines(url: str) -> str:
    """What must be there before the tables, a mark, and what comes after them."""
    before, after = ([one for part in parts for one in lines(url, part, schemas=list(SCHEMAS))] for parts in PARTS)
    return "\n".join([*map(_statement, before), contract_sql.TABLES_HERE, "", *map(_statement, after)])


PARTS = ((TYPES, FUNCTIONS), (TRIGGERS, PROTECTED, POLICIES))


def _statement(one: str) -> str:
    return f"{one.strip()};\n"


if __name__ == "__main__":
    PAGE.write_text(contract())
    PICTURE.write_text(contract_svg())
    with running_cluster() as cluster:
        cluster.make_template(upgrade)
        contract_sql.ROUTINES.write_text(routines(cluster.fresh_database()))
