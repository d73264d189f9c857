"""The ways to PostgreSQL: through a pooler or past it, to a replica, and the desk's own."""

from urllib.parse import parse_qs, urlsplit

from portal.settings.reading import Values, listed, scheme_problems

DATABASES = ("DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL", "DESK_DATABASE_URL")
NEED_THE_FIRST = ("DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL")
POOLER = "pooler"
POOLERS = frozenset({"transaction", "transaction-prepared"})


def database_url(url: str | None) -> str | None:
    """Hosts hand out `postgres://`; SQLAlchemy wants the driver named, and several hosts after the question mark."""
    if not url:
        return None
    rest = url.partition(":")[2]
    parts = urlsplit(rest)
    user, at, hosts = parts.netloc.rpartition("@")
    if "," in hosts:
        each = [host.rpartition(":") if ":" in host else (host, "", "5432") for host in hosts.split(",")]
        told = f"host={','.join(host for host, _, _ in each)}&port={','.join(port for _, _, port in each)}"
        query = f"{told}&{parts.query}" if parts.query else told
        rest = f"//{user}{at}{parts.path}?{query}"
    return f"postgresql+psycopg:{rest}"


def database_problems(values: Values, *, has_desk_beside: bool) -> list[str]:
    """Addresses that lead nowhere, or to less than is asked of them."""
    problems = [
        problem
        for name in DATABASES
        for problem in scheme_problems(values, name, "postgresql", "postgres", "postgresql+psycopg")
    ]
    problems += [
        f"{name} says pooler={pooler}: say {listed([f'pooler={one}' for one in sorted(POOLERS)], last='or')}"
        for name in DATABASES
        for pooler in parse_qs(values.get(name, "").partition("?")[2], keep_blank_values=True).get(POOLER, ())
        if pooler not in POOLERS
    ]
    if f"{POOLER}=" in values.get("DATABASE_DIRECT_URL", ""):
        problems.append("DATABASE_DIRECT_URL must lead to PostgreSQL itself, past any pooler")
    if "DATABASE_URL" not in values and (lone := [name for name in NEED_THE_FIRST if name in values]):
        problems.append(f"{listed(lone)} without DATABASE_URL would be of no use: set that too")
    login_decides = f"{POOLER}=" in values.get("DATABASE_URL", "")
    if login_decides and "DESK_DATABASE_URL" not in values and has_desk_beside:
        problems.append("behind a pooler the desk needs a login of its own: set DESK_DATABASE_URL, or PORTAL_DESK=off")
    return problems
