"""One structured line for each thing that happened."""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog

log: Any = structlog.get_logger("connectk")


def set_up(style: str, level: str) -> None:
    """Lines for people or for programs, on standard error; uvicorn's own lines go the same way."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if style == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    _take_over(logging.getLogger("uvicorn"), style, shared, renderer, level)


def _take_over(logger: logging.Logger, style: str, shared: list[Any], renderer: Any, level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    processors = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer]
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=processors, foreign_pre_chain=shared))
    logger.handlers, logger.propagate = [handler], False
    logger.setLevel("DEBUG" if level == "debug" else "WARNING")  # we say ourselves what happens
