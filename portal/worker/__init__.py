"""The worker: letters, payments nobody told the end of, and what has served its time.

`run_worker` is what `portal worker` runs. Any number of workers may run at once.
"""

from portal.worker.running import run_worker

__all__ = ["run_worker"]
