"""The sockets that a server listens on, opened before it starts or taken over from the supervisor.

The supervisor, or systemd, opens them once and hands them to each web process in turn, so that while one is being
replaced nobody is refused: a request waits in the socket for the next process.
"""

import errno
import os
import socket
from collections.abc import Mapping, Sequence

SOCKETS = "PORTAL_SOCKETS"
FIRST_OF_SYSTEMD = 3
WAITING_CONNECTIONS = 1024
THIS_MACHINE = ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"))
EVERYBODY = ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::"))  # noqa: S104 - a public base address asks for it
NO_SUCH_FAMILY = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}


class PortTaken(Exception):
    """Another program listens there; the message says where and what to do."""


def listen(environ: Mapping[str, str], port: int, *, is_local: bool) -> list[socket.socket]:
    """The sockets that were handed over, or our own; raises PortTaken."""
    return take_sockets(environ) or open_sockets(port, is_local=is_local)


def open_sockets(port: int, *, is_local: bool) -> list[socket.socket]:
    """Listen on this machine's own addresses, or on all where the portal is public; IPv6 where there is any."""
    opened: list[socket.socket] = []
    for family, host in THIS_MACHINE if is_local else EVERYBODY:
        try:
            opened.append(socket.create_server((host, port), family=family, backlog=WAITING_CONNECTIONS))
        except OSError as error:
            if family == socket.AF_INET6 and error.errno in NO_SUCH_FAMILY:
                continue
            for other in opened:
                other.close()
            if error.errno == errno.EADDRINUSE:
                raise PortTaken(
                    f"Port {port} is taken by another program: stop that one, or set PORT to another number."
                ) from error
            raise
    return opened


def take_sockets(environ: Mapping[str, str]) -> list[socket.socket]:
    """The sockets that the supervisor, or systemd, handed over; none when neither is there."""
    handles = [int(handle) for handle in environ.get(SOCKETS, "").split(",") if handle]
    return [socket.socket(fileno=handle) for handle in handles or _of_systemd(environ)]


def _of_systemd(environ: Mapping[str, str]) -> range:
    """sd_listen_fds(3): so many descriptors, if they are meant for this process and not for its parent."""
    is_ours = environ.get("LISTEN_PID") == str(os.getpid())
    return range(FIRST_OF_SYSTEMD, FIRST_OF_SYSTEMD + int(environ["LISTEN_FDS"])) if is_ours else range(0)


def handing_over(sockets: Sequence[socket.socket]) -> dict[str, str]:
    """What tells a child which descriptors are its sockets."""
    return {SOCKETS: ",".join(str(opened.fileno()) for opened in sockets)}
