"""Reading variables: numbers, lists, addresses, and the words in which a wrong one is told."""

from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1"})

Values = Mapping[str, str]


def whole_number(values: Values, name: str, *, default: int, low: int, high: int, problems: list[str]) -> int:
    """A number within limits; else the default, and a sentence."""
    text = values.get(name, str(default))
    if text.isascii() and text.isdigit() and low <= int(text) <= high:
        return int(text)
    problems.append(f"{name} must be a whole number from {low} to {high}, not “{text}”")
    return default


def several(values: Values, name: str) -> tuple[str, ...]:
    """Comma separated, so that keys can be changed: the new one stands beside the old one for a while."""
    return tuple(key.strip() for key in values.get(name, "").split(",") if key.strip())


def split(url: str) -> SplitResult | None:
    """The parts of an address; None for what is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # a port that is no number is only noticed when asked for
    except ValueError:
        return None
    return parts


def host_of(url: str) -> str | None:
    """The host of an address, if it has one."""
    parts = split(url)
    return parts.hostname if parts else None


def scheme_problems(values: Values, name: str, *schemes: str) -> list[str]:
    """What an address may begin with, told where it begins with something else."""
    if name not in values or values[name].partition(":")[0] in schemes:
        return []
    return [f"{name} must begin with {listed([f'{scheme}:' for scheme in schemes], last='or')}"]


def listed(names: list[str], *, last: str = "and") -> str:
    """One, two and three."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"
