"""Turns refusals into HTTP statuses and messages. HTTP and the sockets share one table."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from connectk.errors import ConnectkError
from connectk.play.refusals import reason_of
from connectk.server import monitoring
from connectk.server.schemas import RefusedAnswer
from connectk.texts import LANGUAGES, load_texts

STATUS_BY_ERROR = {
    "not_found": 404,
    "no_seat": 403,
    "not_closable": 403,
    "no_network": 409,
    "seat_taken": 409,
    "waiting_for_opponent": 409,
    "not_your_turn": 409,
    "stale": 409,
    "match_over": 409,
    "match_open": 409,
    "damaged": 409,
    "too_long": 409,
    "column_full": 409,
    "nothing_to_take_back": 409,
    "nothing_to_redo": 409,
    "already_offered": 409,
    "no_offer": 409,
    "no_swap": 409,
    "bad_swap_discs": 422,
    "declined": 409,
    "key_reused": 409,
    "busy": 429,
    "too_fast": 429,
    "time_is_up": 422,
    "too_large": 413,
    "too_many": 429,
    "blocked": 403,
    "foreign_origin": 403,
    "foreign_host": 421,
    "not_stored": 503,
    "thinking_failed": 422,
    "no_room": 404,
    "no_member": 404,
    "not_host": 403,
    "not_for_these": 409,
    "room_closed": 409,
    "room_full": 409,
    "room_locked": 409,
    "room_decides": 409,
    "name_taken": 409,
    "name_reserved": 409,
    "not_your_game": 409,
    "already_begun": 409,
    "too_few": 409,
    "not_admitted": 409,
    "wrong_host_code": 403,
    "last_host": 409,
    "too_many_hosts": 409,
    "no_round": 409,
    "no_team": 409,
    "no_fair_start": 422,
    "no_challenges": 409,
    "no_challenge": 409,
    "no_profile": 404,
    "no_seek": 404,
    "profile_name_taken": 409,
    "paused": 429,
    "wrong_transfer_code": 403,
    "own_seek": 409,
    "fair_play": 409,
}
REASON_BY_STATUS = {
    400: "bad_request",
    404: "not_found",
    405: "not_allowed",
    413: "too_large",
    403: "forbidden",
    429: "too_fast",
}


def refused_answer(reason: str, message: str) -> RefusedAnswer:
    monitoring.refusals.labels(reason).inc()
    return {"reason": reason, "message": message}


def refusal_of(error: ConnectkError, language: str = "en") -> RefusedAnswer:
    return refused_answer(reason_of(error), error.localize(load_texts(language)))


def language_of(request: HTTPConnection) -> str:
    """The first language in `Accept-Language` if it has texts, otherwise English."""
    wanted = request.headers.get("accept-language", "")[:2]
    return wanted if wanted in LANGUAGES else "en"


class RefusalException(HTTPException):
    """A refusal as an `HTTPException`. FastAPI lets no other exception through while it reads a body."""

    def __init__(self, refusal: ConnectkError) -> None:
        self.refusal = refusal
        super().__init__(STATUS_BY_ERROR.get(reason_of(refusal), 422), str(refusal))


def add_refusal_handlers(app: FastAPI) -> None:
    """Makes the application answer every refusal as a `RefusedAnswer`."""
    app.add_exception_handler(ConnectkError, _connectk_error)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(HTTPException, _http_error)


def _connectk_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ConnectkError)
    body = refusal_of(error, language_of(request))
    error.with_traceback(None)  # its frames would keep a large body in memory until the next garbage collection
    return _answer(request, body, STATUS_BY_ERROR.get(body["reason"], 422))


def _answer(request: Request, body: RefusedAnswer, status: int, headers: Any = None) -> JSONResponse:
    request.state.refused = body["reason"]  # read by `middleware`
    return JSONResponse(body, status, headers)


def _bad_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return _answer(request, refused_answer("bad_request", validation_message(error.errors()[0])), 422)


def validation_message(problem: Any) -> str:
    """A sentence about an error that pydantic has found. It does not repeat the input, which may contain a secret."""
    where = ".".join(str(part) for part in problem["loc"] if part != "body") or "the request"
    return f"{where}: {problem['msg']}."


def _http_error(request: Request, error: Exception) -> JSONResponse:
    if isinstance(error, RefusalException):
        return _connectk_error(request, error.refusal)
    assert isinstance(error, HTTPException)
    reason = REASON_BY_STATUS.get(error.status_code, "bad_request")
    return _answer(request, refused_answer(reason, str(error.detail)), error.status_code, error.headers)
