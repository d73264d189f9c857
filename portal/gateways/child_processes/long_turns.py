"""Long turns on the processor for work that nobody watches, so that it yields at once to whoever wakes.

Linux lets a process run to the end of its turn, some four milliseconds, even where one with a larger share wakes on the
same core, unless that one asks for shorter turns (sched_setattr(2), `sched_runtime` of an ordinary process; since Linux
6.12). A page wakes six times. Long turns cost nothing of the share: what is left of a turn comes later.

Python has no function for it, and the GNU library only since 2.41.
"""

import ctypes
import os
import platform

LONGEST_NANOSECONDS = 100_000_000  # the kernel's own bound
ORDINARY = 0  # SCHED_OTHER
# Of the kernel's tables of system calls.
NUMBERS = {"x86_64": 314, "aarch64": 274}


class _Attributes(ctypes.Structure):
    """`struct sched_attr` in its first version, which every kernel takes."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("sched_policy", ctypes.c_uint32),
        ("sched_flags", ctypes.c_uint64),
        ("sched_nice", ctypes.c_int32),
        ("sched_priority", ctypes.c_uint32),
        ("sched_runtime", ctypes.c_uint64),
        ("sched_deadline", ctypes.c_uint64),
        ("sched_period", ctypes.c_uint64),
    )


def ask_for_long_turns(process: int) -> bool:
    """Let a process have the longest turns, its niceness as it is; whether the system was asked and did not refuse.

    An older kernel takes it without a change. Other systems and machines aren't asked.
    """
    number = NUMBERS.get(platform.machine()) if platform.system() == "Linux" else None
    if number is None:
        return False
    wanted = _Attributes(
        size=ctypes.sizeof(_Attributes),
        sched_policy=ORDINARY,
        sched_nice=os.getpriority(os.PRIO_PROCESS, process),
        sched_runtime=LONGEST_NANOSECONDS,
    )
    refused: int = ctypes.CDLL(None).syscall(number, process, ctypes.byref(wanted), 0)
    return not refused
