"""A command that `portal run` started ends when `portal run` does, even if that was killed.

The supervisor keeps one end of a pipe open and hands the other to its children. The kernel closes it with the
supervisor, however that ended, and the children read the end of the file.
"""

import os
import signal
import threading
import time
from collections.abc import Mapping

LIFELINE = "PORTAL_LIFELINE"
GRACE_SECONDS = 20


def hold_lifeline(environ: Mapping[str, str]) -> None:
    """Stop this process as SIGTERM would once the supervisor is gone; nothing when there is none."""
    if LIFELINE in environ:
        threading.Thread(target=_watch, args=[int(environ[LIFELINE])], name="lifeline", daemon=True).start()


def _watch(handle: int) -> None:
    os.read(handle, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os._exit(1)
