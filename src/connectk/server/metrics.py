"""What Prometheus is told."""

from __future__ import annotations

import os

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

SHORT = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)

requests = Histogram(
    "connectk_request_seconds", "Time to answer a request", ["method", "route", "status"], buckets=SHORT
)
drops = Counter("connectk_drops", "Discs dropped", ["by"])
refusals = Counter("connectk_refusals", "What was refused", ["reason"])
commits = Histogram("connectk_commit_seconds", "Time to make a transaction durable", buckets=SHORT)
batches = Histogram("connectk_commit_batch", "Changes in one transaction", buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256))
sockets = Gauge("connectk_sockets", "Open sockets", multiprocess_mode="livesum")
matches = Gauge("connectk_matches_in_memory", "Matches in memory", multiprocess_mode="livesum")
waiting = Gauge("connectk_thinking_waiting", "Who waits for a thinker", ["what"], multiprocess_mode="livesum")


def on_commit(jobs: int, seconds: float) -> None:
    commits.observe(seconds)
    batches.observe(jobs)


def page() -> tuple[bytes, str]:
    """The text for Prometheus; with several workers, of all of them together."""
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST
