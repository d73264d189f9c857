"""Keys: what signs and seals, what reads the figures, and whoever may open a backup."""

import os
import secrets
from pathlib import Path

from portal.settings.reading import Values, several

SHORTEST_SECRET_KEY = 32
SHORTEST_METRICS_TOKEN = 20


def secret_keys(values: Values, *, kept_at: Path) -> tuple[str, ...]:
    """The first signs, the others still verify; without any, one that is made once and kept."""
    return several(values, "SECRET_KEY") or (_kept_secret(kept_at),)


def metrics_tokens(values: Values) -> tuple[str, ...]:
    """Each of them opens /metrics."""
    return several(values, "METRICS_TOKEN")


def backup_recipients(values: Values) -> tuple[str, ...]:
    """Whoever has the private key to one of these can open a backup."""
    return tuple(values.get("BACKUP_RECIPIENTS", "").replace(",", " ").split())


def key_problems(values: Values) -> list[str]:
    """Keys that are too short to keep anything, or not to be written down here."""
    problems = []
    if any(len(key) < SHORTEST_SECRET_KEY for key in several(values, "SECRET_KEY")):
        problems.append(f"SECRET_KEY must have at least {SHORTEST_SECRET_KEY} characters")
    if any(len(token) < SHORTEST_METRICS_TOKEN for token in metrics_tokens(values)):
        problems.append(f"METRICS_TOKEN must have at least {SHORTEST_METRICS_TOKEN} characters")
    if not all(key.startswith("age1") for key in backup_recipients(values)):
        problems.append("BACKUP_RECIPIENTS must hold public keys of age, which begin with age1")
    return problems


def _kept_secret(path: Path) -> str:
    """The key made at the first start; linked into place whole, so that two processes agree on one."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # the other process was first: its key counts
        finally:
            draft.unlink()
    return path.read_text().strip()
