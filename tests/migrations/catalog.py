"""What a database consists of, in lines that can be compared."""

from sqlalchemy import create_engine, pool, text

COLUMNS = """
    SELECT format('%s.%s %s %s null=%s default=%s “%s”', n.nspname, c.relname, a.attname,
                  format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, pg_get_expr(d.adbin, d.adrelid),
                  col_description(c.oid, a.attnum))
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND n.nspname = ANY(:schemas)
"""
CONSTRAINTS = """
    SELECT format('%s %s %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
    FROM pg_constraint c JOIN pg_namespace n ON n.oid = c.connamespace WHERE n.nspname = ANY(:schemas)
"""
INDEXES = "SELECT indexdef FROM pg_indexes WHERE schemaname = ANY(:schemas)"
TRIGGERS = """
    SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE NOT t.tgisinternal AND n.nspname = ANY(:schemas)
"""
FUNCTIONS = """
    SELECT pg_get_functiondef(p.oid) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = ANY(:schemas)
"""
TABLES = """
    SELECT format('%s.%s “%s” %s', n.nspname, c.relname, obj_description(c.oid, 'pg_class'), c.relpersistence)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'S', 'v') AND n.nspname = ANY(:schemas)
"""
GRANTS = """
    SELECT format('%s %s.%s %s', grantee, table_schema, table_name, privilege_type)
    FROM information_schema.role_table_grants WHERE table_schema = ANY(:schemas)
"""
WHOLE = " UNION ALL ".join((COLUMNS, CONSTRAINTS, INDEXES, TRIGGERS, FUNCTIONS, TABLES, GRANTS))


def contents(url: str, *schemas: str) -> set[str]:
    """Tables, columns, constraints, indexes, triggers, functions and grants, a line each."""
    return set(lines(url, WHOLE, schemas=list(schemas)))


def lines(url: str, statement: str, **values: object) -> list[str]:
    """The first column of what a SELECT finds."""
    engine = create_engine(url, poolclass=pool.NullPool)
    with engine.connect() as connection:
        return list(connection.scalars(text(statement), values))
