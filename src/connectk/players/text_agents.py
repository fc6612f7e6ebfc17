"""Agents that answer prompts in words, such as language models. An agent is a program of the user, or a server with a
URL.

agent = CommandAgent("my-model --quiet")                                     # prompt on stdin, answer on stdout
agent = UrlAgent("http://localhost:8000/v1", model="my-model")               # OpenAI's chat completions
TextPlayer(agent).choose(position, clock)
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import time
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Protocol
from urllib import request
from urllib.error import URLError

from connectk.errors import BotForfeit, BotUnusable, TextServerFailed, UnknownPlayer
from connectk.players.player import Choice, Clock, require_open
from connectk.players.text_prompts import PROMPT_STYLES, Parsing, PromptStyle, parse_answer, prompt_for
from connectk.rules import Position

DEFAULT_ANSWER_SECONDS = 120.0
MAX_ANSWER_CHARACTERS = 1 << 20
MAX_SHOWN_CHARACTERS = 80  # of an answer, in an error
TEXT_PREFIX = "text:"
URL_PREFIXES = ("http://", "https://")
URL_OPTIONS = {"model", "key", "prompt"}


@dataclass(frozen=True, slots=True)
class TextReply:
    """An unchanged answer of an agent, and the seconds that it took. The numbers of tokens that were read and written
    are None if they are unknown."""

    text: str
    seconds: float
    prompt_tokens: int | None = None
    answer_tokens: int | None = None


class TextAgent(Protocol):
    """An agent that answers prompts in words. `ask` raises `BotUnusable` if there is no answer, and `TextServerFailed`
    if the server fails."""

    @property
    def name(self) -> str: ...

    def ask(self, prompt: str, seconds: float | None = None) -> TextReply: ...


class CommandAgent:
    """A program that is started for each prompt. It reads the prompt from its standard input and writes the answer to
    its standard output."""

    def __init__(self, command: str) -> None:
        self.name = command
        self._words = shlex.split(command)
        if not self._words:
            raise BotUnusable(command, "error.BotUnusable.no_command")

    def ask(self, prompt: str, seconds: float | None = None) -> TextReply:
        began, limit = time.monotonic(), seconds or DEFAULT_ANSWER_SECONDS
        try:
            done = subprocess.run(
                self._words, input=prompt, capture_output=True, text=True, errors="replace", timeout=limit, check=False
            )
        except subprocess.TimeoutExpired:
            raise BotUnusable(self.name, "error.BotUnusable.no_answer", seconds=f"{limit:g}") from None
        except OSError as error:
            why = error.strerror or str(error)
            raise BotUnusable(self.name, "error.BotUnusable.text_failed", why=why) from error
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
            raise BotUnusable(self.name, "error.BotUnusable.text_failed", why=lines[-1])
        return TextReply(done.stdout[:MAX_ANSWER_CHARACTERS], time.monotonic() - began)


class UrlAgent:
    """A server that supports OpenAI's chat completions. `key_variable` is the name of the environment variable that
    holds the key of the server."""

    def __init__(self, url: str, model: str = "", key_variable: str = "") -> None:
        self.name = f"{model} at {url}" if model else url
        self._url = url.rstrip("/") + "/chat/completions"
        self._model, self._key_variable = model, key_variable

    def ask(self, prompt: str, seconds: float | None = None) -> TextReply:
        began, limit = time.monotonic(), seconds or DEFAULT_ANSWER_SECONDS
        try:
            with request.urlopen(self._request(prompt), timeout=limit) as response:
                answer = json.load(response)
            return self._reply(answer, time.monotonic() - began)
        except TimeoutError:
            raise BotUnusable(self.name, "error.BotUnusable.no_answer", seconds=f"{limit:g}") from None
        except (URLError, HTTPException, OSError) as error:
            why = str(getattr(error, "reason", "")) or str(error)
            raise TextServerFailed(self.name, "error.TextServerFailed", why=why) from error
        except (ValueError, LookupError, TypeError) as error:
            why = str(error) or type(error).__name__
            raise BotUnusable(self.name, "error.BotUnusable.text_failed", why=why) from error

    def _request(self, prompt: str) -> request.Request:
        body = {"model": self._model, "temperature": 0, "messages": [{"role": "user", "content": prompt}]}
        headers = {"Content-Type": "application/json"}
        if self._key_variable:
            headers["Authorization"] = f"Bearer {os.environ.get(self._key_variable, '')}"
        return request.Request(self._url, json.dumps(body).encode(), headers)

    def _reply(self, answer: Any, seconds: float) -> TextReply:
        text, usage = answer["choices"][0]["message"]["content"], answer.get("usage") or {}
        if not isinstance(text, str):
            raise ValueError("the answer has no text")
        tokens = (usage.get("prompt_tokens"), usage.get("completion_tokens"))
        return TextReply(text[:MAX_ANSWER_CHARACTERS], seconds, *tokens)


def text_agent(name: str, model: str = "", key_variable: str = "") -> TextAgent:
    """The agent for a URL (http:// or https://), or for any other text, which is run as a command."""
    return UrlAgent(name, model, key_variable) if name.startswith(URL_PREFIXES) else CommandAgent(name)


class TextPlayer:
    """A text agent as a player. The player forfeits the game if its answer names no legal column."""

    def __init__(
        self, agent: TextAgent, style: PromptStyle = "kaggle", parsing: Parsing = "lenient", name: str = ""
    ) -> None:
        self.name = name or agent.name
        self._agent, self._style, self._parsing = agent, style, parsing

    def choose(self, position: Position, clock: Clock) -> Choice:
        require_open(position)
        try:
            reply = self._agent.ask(prompt_for(position, self._style), clock.share)
        except (BotUnusable, TextServerFailed) as error:
            error.bot = self.name  # by which a tournament knows who failed
            raise
        found = parse_answer(reply.text, position, self._style, self._parsing)
        if found.column is None:
            shown = " ".join(reply.text.split())[-MAX_SHOWN_CHARACTERS:]
            raise BotForfeit(self.name, "illegal", f"error.BotForfeit.text_{found.kind}", answer=shown)
        return Choice(found.column)

    def new_game(self, seed: int | None = None) -> None:
        """Does nothing, because each prompt describes the whole position."""

    def close(self) -> None:
        """Does nothing, because no program runs between two answers."""


def make_text_player(name: str) -> TextPlayer:
    """Create the player `text:COMMAND`, or the player `text:URL` with its options, such as
    `text:URL,model=NAME,key=VARIABLE`."""
    words = name.removeprefix(TEXT_PREFIX).strip()
    if not words.startswith(URL_PREFIXES):
        return TextPlayer(CommandAgent(words), name=name)
    url, *given = words.split(",")
    options = dict(part.partition("=")[::2] for part in given)
    style = next((style for style in PROMPT_STYLES if style == options.get("prompt", "kaggle")), None)
    if style is None or not options.keys() <= URL_OPTIONS or len(options) < len(given):
        raise UnknownPlayer(name, "error.UnknownPlayer.text", styles=", ".join(PROMPT_STYLES))
    return TextPlayer(UrlAgent(url, options.get("model", ""), options.get("key", "")), style, name=name)
