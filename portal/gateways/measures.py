"""What this process counts of its own work, in the form that Prometheus reads; the only module that knows its client.

The counters are the process's own, as its memory is, and so they stand in the module: each web process is asked at its
own address, and Prometheus adds them up. What all processes share is counted in the database when it is asked for.
Names of routes and reasons are the labels, never an address, a name or anything else that somebody could make up.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
    REQUESTS.labels(method, route, str(status)).inc()
    SECONDS.labels(route).observe(seconds)


def count_refused_upload(reason: str) -> None:
    UPLOADS_REFUSED.labels(reason).inc()


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
