"""What a process that serves keeps of its memory, and what it gives back."""

import ctypes
import gc
from collections.abc import Callable

# Of glibc's <malloc.h>.
M_MMAP_THRESHOLD = -3
M_ARENA_MAX = -8
HEAPS = 2
# A piece of a photo, or more, comes from the kernel and goes back to it; by itself glibc raises this to whatever was
# freed last, up to 32 MB, and then keeps such pieces in its heap, with holes between them.
LARGE_BYTES = 128 * 1024


def keep_heaps_small() -> None:
    """Else glibc gives nearly every thread a heap of its own, and what a large form leaves free in one helps no other:
    in an hour of uploads a process grew by a megabyte or two for each."""
    set_option = _of_glibc("mallopt")
    if set_option:
        set_option(M_ARENA_MAX, HEAPS)
        set_option(M_MMAP_THRESHOLD, LARGE_BYTES)


def leave_alone_what_is_loaded() -> None:
    """What was loaded at the start lives until the end: the collector need not look at it again."""
    gc.collect()
    gc.freeze()


def give_back() -> None:
    """Let the kernel have what lies free between what is in use. Takes some 20 ms.

    What holds itself in circles is let go first, or what stays of it until the collector's own turn keeps pages of
    memory that nothing else needs.
    """
    gc.collect()
    trim = _of_glibc("malloc_trim")
    if trim:
        trim(0)


def _of_glibc(name: str) -> Callable[..., int] | None:
    """macOS and musl have none, nor such heaps."""
    return getattr(ctypes.CDLL(None), name, None)
