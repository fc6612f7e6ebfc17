"""Structured logs and Prometheus metrics."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog
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

from connectk.play.events import MATCH_EVENT_NAMES, Dropped
from connectk.play.service import MatchNews

LOG_ENCODER = json.JSONEncoder(default=lambda value: type(value).__name__)  # other values may contain secrets


class Stderr:
    """Writes to the current `sys.stderr`. If it is closed, the text is lost and nothing is raised."""

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()


STDERR: Any = Stderr()


class Log:
    """Logs with the latest configuration of structlog. The logger is looked up once, not for every line."""

    def __init__(self) -> None:
        self.rebind()

    def rebind(self, plain: bool = False) -> None:
        """Looks the logger up again. With `plain`, info lines are written as JSON without structlog, which took a tenth
        of the time of a drop."""
        self._logger, self._plain = structlog.get_logger("connectk").bind(), plain

    def info(self, event: str, **facts: Any) -> None:
        if not self._plain:
            self._logger.info(event, **facts)
        else:
            at = datetime.now(UTC).isoformat().replace("+00:00", "Z")
            STDERR.write(LOG_ENCODER.encode(facts | {"event": event, "level": "info", "timestamp": at}) + "\n")
            STDERR.flush()

    def __getattr__(self, level: str) -> Any:
        return getattr(self._logger, level)


log: Any = Log()


def configure_logging(style: str, level: str) -> None:
    """Makes this program, uvicorn and other libraries log to standard error, as text or as JSON."""
    shared: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _shorten_exception,
    ]
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if style == "json"
        else structlog.dev.ConsoleRenderer(
            pad_event_to=0,  # so that the address of a server fits on a line of 80 characters
            colors=sys.stderr.isatty(),
            exception_formatter=_no_exception,
        )
    )
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(STDERR),  # whole lines, because other workers write there
    )
    shows_info = logging.getLevelNamesMapping()[level.upper()] <= logging.INFO
    log.rebind(plain=style == "json" and shows_info)
    for name in ("uvicorn", "asyncio", "sqlalchemy"):
        _redirect_logger(logging.getLogger(name), shared, renderer)


def _shorten_exception(_logger: object, _method: str, facts: dict[str, Any]) -> dict[str, Any]:
    """Replaces an exception in a log line by its type and place. Its message may be long or contain a secret."""
    given = facts.pop("exc_info", None)
    error = sys.exc_info()[1] if given is True else given[1] if isinstance(given, tuple) else given
    for name in ("stack_info", "exception"):
        facts.pop(name, None)
    return facts | {"failed": describe_error(error)} if isinstance(error, BaseException) else facts


def describe_error(error: BaseException) -> str:
    """The type of an exception and the place where it was raised, such as `ValueError at server/views.py:31`."""
    at = error.__traceback__
    while at and at.tb_next:
        at = at.tb_next
    where = f" at {'/'.join(Path(at.tb_frame.f_code.co_filename).parts[-2:])}:{at.tb_lineno}" if at else ""
    return f"{type(error).__name__}{where}"


def _no_exception(_stream: object, _given: object) -> None:
    """Prints nothing, because `_shorten_exception` has already added the exception to the line."""


def _redirect_logger(logger: logging.Logger, shared: list[Any], renderer: Any) -> None:
    handler = logging.StreamHandler(STDERR)
    processors = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer]
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=processors, foreign_pre_chain=shared))
    logger.handlers, logger.propagate = [handler], False
    logger.setLevel("WARNING")  # lower levels would log data from clients


LATENCY_BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)

requests = Histogram(
    "connectk_request_seconds", "Time to answer a request", ["method", "route", "status"], buckets=LATENCY_BUCKETS
)
_drops = Counter("connectk_drops", "Discs dropped", ["by"])
drops = {by: _drops.labels(by) for by in ("person", "player")}
refusals = Counter("connectk_refusals", "What was refused", ["reason"])
commits = Histogram("connectk_commit_seconds", "Time to make a transaction durable", buckets=LATENCY_BUCKETS)
batches = Histogram("connectk_commit_batch", "Changes in one transaction", buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256))
failures = Counter("connectk_failures", "Requests and chores that failed", ["what"])
store_failures = Counter("connectk_store_failures", "Transactions that could not be made durable")
sockets = Gauge("connectk_sockets", "Open sockets", multiprocess_mode="livesum")
matches = Gauge("connectk_matches_in_memory", "Matches in memory", multiprocess_mode="livesum")
waiting = Gauge("connectk_thinking_waiting", "Who waits for a thinker", ["what"], multiprocess_mode="livesum")


def on_commit(jobs: int, seconds: float) -> None:
    commits.observe(seconds)
    batches.observe(jobs)


def log_change(news: MatchNews) -> None:
    """Logs a change of a match. Only the process that has made the change logs it."""
    match, event = news.match, news.event
    if match is None or not news.is_own:
        return
    if isinstance(event, Dropped):
        by = "player" if match.seat(event.side).player else "person"
        drops[by].inc()
        log.info("drop_played", match=match.id, seq=match.seq, ply=match.ply - 1, column=event.column, by=by)
    else:
        log.info(
            "match_changed",
            match=match.id,
            seq=match.seq,
            event_kind=MATCH_EVENT_NAMES[type(event)] if event else "made",
        )


def metrics_page() -> tuple[bytes, str]:
    """The metrics of all workers together, in the text format of Prometheus."""
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST
