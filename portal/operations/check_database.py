"""The database: does it answer, is it the portal's, may each process do its work there and no more."""

from collections.abc import Iterator
from datetime import UTC, datetime

from sqlalchemy import Connection, create_engine, pool, text
from sqlalchemy.exc import SQLAlchemyError

from portal.gateways.database.connections import connect
from portal.operations.findings import Finding, Installation, advice, well, wrong
from portal.schema import roles
from portal.schema.base import SCHEMAS
from portal.schema.migrate import Standing, current, head, in_words, standing
from portal.settings import Desk, Settings

TRIED_WITH = 18
OLDEST = 15
CLOCK_MAY_DIFFER_SECONDS = 5.0
ABOUT = text("SELECT current_setting('server_version_num')::int / 10000 AS major, clock_timestamp() AS now, version()")
MAY_TAKE = text("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = :role) AND pg_has_role(:role, 'MEMBER')")
# Everything that the three roles may do, table by table, column by column, function by function.
RIGHTS = text("""
    SELECT format('%s: %s may %s', c.oid::regclass, g.grantee::regrole, g.privilege_type)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, aclexplode(c.relacl) g
    WHERE n.nspname = ANY(:schemas) AND c.relkind = 'r' AND g.grantee::regrole::text = ANY(:roles)
    UNION SELECT format('%s.%s: %s may %s', c.oid::regclass, a.attname, g.grantee::regrole, g.privilege_type)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid,
         aclexplode(a.attacl) g
    WHERE n.nspname = ANY(:schemas) AND c.relkind = 'r' AND g.grantee::regrole::text = ANY(:roles)
    UNION SELECT format('%s: %s may %s', p.oid::regprocedure, g.grantee::regrole, g.privilege_type)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace, aclexplode(p.proacl) g
    WHERE n.nspname = ANY(:schemas) AND g.grantee <> 0 AND g.grantee::regrole::text = ANY(:roles)
""")
OWNS = text("""
    SELECT coalesce(bool_and(pg_has_role(c.relowner, 'MEMBER')), false)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ANY(:schemas) AND c.relkind = 'r'
""")
IN_RECOVERY = text("SELECT pg_is_in_recovery()")


def look_at_database(installation: Installation) -> Iterator[Finding]:
    """Whether it answers, how old it is, its clock, its schema, and the rights in it."""
    if installation.database_url is None:
        return
    engine = create_engine(installation.database_url, poolclass=pool.NullPool, connect_args={"connect_timeout": 5})
    try:
        with engine.connect() as connection:
            yield from _about(connection)
            yield from _schema(connection)
    except SQLAlchemyError as failure:
        yield wrong(
            "database",
            f"It does not let us in: {_first_line(failure)}",
            "Start PostgreSQL, or correct DATABASE_URL (DATABASE_DIRECT_URL where there is a pooler).",
        )


def look_at_logins(installation: Installation) -> Iterator[Finding]:
    """Whether the pages, the worker and the desk get in as they will."""
    settings, url = installation.settings, installation.settings.database_url or installation.database_url
    if url is None or installation.database_url is None:
        return
    wanted = {roles.WEB: url, roles.WORKER: url, roles.DESK: settings.desk_database_url or url}
    if settings.desk is Desk.OFF:
        del wanted[roles.DESK]
    for role, address in wanted.items():
        engine = connect(address, role=role, pool_size=1)
        try:
            with engine.connect() as connection:
                connection.execute(text("SELECT 1"))
            yield well("logins", f"A process can act as {role}")
        except SQLAlchemyError as failure:
            yield wrong(
                "logins",
                f"No process can act as {role}: {_first_line(failure)}",
                f"Run portal migrate, which makes the role; a login of its own needs GRANT {role} TO that login.",
            )
        finally:
            engine.dispose()
    yield from _desk_apart(settings, url)


def _desk_apart(settings: Settings, url: str) -> Iterator[Finding]:
    """Decision 15: the public pages' login need not be able to take the role of the desk."""
    if settings.desk is Desk.BESIDE and settings.desk_database_url is None:
        return
    engine = create_engine(url, poolclass=pool.NullPool, connect_args={"connect_timeout": 5})
    try:
        with engine.connect() as connection:
            may = connection.scalar(MAY_TAKE, {"role": roles.DESK})
    except SQLAlchemyError:
        return  # already told
    if may and settings.desk is not Desk.ALONE:
        yield advice(
            "logins",
            "The login of the public pages can act as the desk, though the desk is served apart",
            "Give DATABASE_URL a login of its own (docs/decisions/0015-the-desk-is-an-application-of-its-own.md).",
        )
    elif not may:
        yield well("logins", "The login of the public pages can't act as the desk")


def look_at_replica(installation: Installation) -> Iterator[Finding]:
    """Whether the copy for reading answers and is a copy."""
    url = installation.settings.replica_url
    if url is None:
        return
    fix = "Start the standby, or correct DATABASE_REPLICA_URL. Until then pages read the primary."
    try:
        with create_engine(url, poolclass=pool.NullPool, connect_args={"connect_timeout": 5}).connect() as connection:
            if connection.scalar(IN_RECOVERY):
                yield well("replica", "It answers and follows")
            else:
                yield wrong("replica", "It is no standby: it takes writes itself", fix)
    except SQLAlchemyError as failure:
        yield wrong("replica", f"It does not let us in: {_first_line(failure)}", fix)


def _about(connection: Connection) -> Iterator[Finding]:
    major, now, said = connection.execute(ABOUT).one()
    words = " ".join(said.split()[:2])
    if major < OLDEST:
        yield wrong("database", f"It is {words}", f"Move to PostgreSQL {TRIED_WITH}: back up, and restore there.")
    elif major != TRIED_WITH:
        yield advice("database", f"It is {words}", f"The portal is tried with PostgreSQL {TRIED_WITH}.")
    else:
        yield well("database", f"{words} answers")
    yield clock_finding("the database", (datetime.now(UTC) - now).total_seconds())


def clock_finding(whose: str, ahead_seconds: float) -> Finding:
    """How far this machine's clock is from another."""
    if abs(ahead_seconds) <= CLOCK_MAY_DIFFER_SECONDS:
        return well("clock", f"It agrees with that of {whose}")
    way = "ahead of" if ahead_seconds > 0 else "behind"
    return wrong(
        "clock",
        f"This machine is {abs(ahead_seconds):.0f} seconds {way} {whose}",
        "Let both follow a time server (chrony, or timedatectl set-ntp true).",
    )


def _schema(connection: Connection) -> Iterator[Finding]:
    found = current(connection)
    match standing(found):
        case Standing.CURRENT:
            yield well("schema", f"It is {found}, the newest")
        case Standing.NEWER:
            yield advice("schema", f"It has {in_words(found)}", "Start the newest release everywhere.")
            return  # the rights are those of the later release
        case Standing.FOREIGN:
            yield wrong("schema", f"It has {in_words(found)}", "Give DATABASE_URL the portal's own database.")
            return
        case _:
            yield wrong("schema", f"It is {found or 'empty'}, and this release needs {head()}", "Run portal migrate.")
            return
    yield from _rights(connection)


def _rights(connection: Connection) -> Iterator[Finding]:
    """Give the roles their rights anew, compare, and take it back: nothing is changed."""
    named = {"schemas": list(SCHEMAS), "roles": list(roles.ROLES)}
    if not connection.scalar(OWNS, named):
        yield advice(
            "rights",
            "They were not looked at: this login does not own the tables",
            "Run portal check once with the login that runs portal migrate.",
        )
        return
    before = set(connection.scalars(RIGHTS, named))
    roles.enforce(connection)
    after = set(connection.scalars(RIGHTS, named))
    connection.rollback()
    if before == after:
        yield well("rights", "Each role may do what it needs, and no more")
        return
    too_much, missing = sorted(before - after), sorted(after - before)
    said = "; ".join(
        f"{word} {', '.join(some[:3])}{' and more' if len(some) > 3 else ''}"
        for word, some in (("too much:", too_much), ("missing:", missing))
        if some
    )
    yield wrong("rights", f"They are not as they should be: {said}", "Run portal migrate, which puts them right.")


def _first_line(failure: SQLAlchemyError) -> str:
    """What PostgreSQL or the network said: never the address, which holds a password."""
    said = str(getattr(failure, "orig", None) or type(failure).__name__).strip().splitlines()
    return said[0] if said else type(failure).__name__
