"""What this process counts of its own work, in the form that Prometheus reads; the only module that knows its client.

The counters are the process's own, as its memory is, and so they stand in the module: each web process is asked at its
own address, and Prometheus adds them up. The one that receives its uploads has no address, and tells it what to count.
What all processes share is counted in the database when it is asked for.
Names of routes and reasons are the labels, never an address, a name or anything else that somebody could make up.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

MEDIA_TYPE = CONTENT_TYPE_LATEST

REQUESTS = Counter("portal_requests", "Requests answered, by route and status.", ["method", "route", "status"])
SECONDS = Histogram(
    "portal_request_seconds",
    "Time until the answer was there, by route.",
    ["route"],
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
UPLOADS_REFUSED = Counter("portal_uploads_refused", "Files that were not taken, by reason.", ["reason"])


@dataclass(frozen=True)
class Gauge:
    """Something counted in the database: what it is, by which label it is split, and what was found."""

    name: str
    words: str
    label: str
    values: tuple[tuple[str, float], ...]


def count_request(*, method: str, route: str, status: int, seconds: float) -> None:
    _happened({"method": method, "route": route, "status": status, "seconds": seconds})


def count_refused_upload(reason: str) -> None:
    _happened({"refused": reason})


def tell_counts(tell: Callable[[bytes], None]) -> None:
    """From now on count nothing here: what happens is told to the process that counts for both (`count_told`)."""
    global _happened

    def told(what: dict[str, Any]) -> None:
        tell(json.dumps(what).encode())

    _happened = told


def count_told(message: bytes) -> None:
    """Count what another process told."""
    _count(json.loads(message))


def _count(what: dict[str, Any]) -> None:
    if "refused" in what:
        UPLOADS_REFUSED.labels(what["refused"]).inc()
        return
    REQUESTS.labels(what["method"], what["route"], str(what["status"])).inc()
    SECONDS.labels(what["route"]).observe(what["seconds"])


_happened: Callable[[dict[str, Any]], None] = _count


def exposed(gauges: Iterable[Gauge]) -> bytes:
    """The text that Prometheus reads: this process's counters, and what was found in the database."""
    shared = CollectorRegistry()
    shared.register(_Found(tuple(gauges)))
    return generate_latest(REGISTRY) + generate_latest(shared)


@dataclass(frozen=True)
class _Found(Collector):
    gauges: tuple[Gauge, ...]

    def collect(self) -> Iterator[Metric]:
        for gauge in self.gauges:
            family = GaugeMetricFamily(gauge.name, gauge.words, labels=[gauge.label] if gauge.label else [])
            for label, value in gauge.values:
                family.add_metric([label] if gauge.label else [], value)
            yield family
