"""Agents that answer in words: their prompts, how their answers are read, and how they fail."""

import json
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from connectk.arena.match import play_fixture
from connectk.arena.tournament import Fixture
from connectk.errors import BotForfeit, BotUnusable, TextServerFailed, UnknownPlayer
from connectk.players import Clock, load_player
from connectk.players.registry import is_bot, is_safe
from connectk.players.text_agents import CommandAgent, TextPlayer, UrlAgent, text_agent
from connectk.players.text_prompts import parse_answer, prompt_for
from connectk.rules import CLASSIC, Position, Variant

FULL_FIRST = Position.from_moves("111111")  # column 1 is full


def python(program: str) -> str:
    return f"{sys.executable} -c '{program}'"


def test_the_prompt_has_all_that_is_needed():
    """The prompt has the sizes, the run, the side to move, the board from the top, and the open columns."""
    position = Position.from_moves("222223", Variant(4, 5, 3))
    prompt = prompt_for(position, "kaggle")
    assert "5 rows and 4 columns" in prompt
    assert "3 discs in a row" in prompt
    assert "You play X, your opponent plays O" in prompt
    assert "\n. X . .\n. O . .\n. X . .\n. O . .\n. X O .\n" in prompt
    assert "counted from 0 at the left: 0, 2, 3." in prompt
    plain = prompt_for(position.drop(0), "plain")
    assert "You are O" in plain
    assert "\n1 2 3 4\n" in plain
    assert plain.rstrip().endswith("nothing else: 1, 3, 4.")


def test_cells_stand_above_their_numbers_on_wide_boards():
    prompt = prompt_for(Position.start(Variant(10, 1, 4)).drop(9), "plain")
    assert "\n .  .  .  .  .  .  .  .  .  X\n 1  2  3  4  5  6  7  8  9 10\n" in prompt


STRICT = [
    ("kaggle", "I think.\nFinal Answer: 3\n\n", 3),
    ("kaggle", "**Final Answer: 3**", 3),
    ("kaggle", "final answer: 6.", 6),
    ("kaggle", "Final Answer: 3\nThat wins.", None),
    ("kaggle", "3", None),
    ("kaggle", "Final Answer: column 3", None),
    ("kaggle", "", None),
    ("plain", " 4 \n", 3),
    ("plain", "4.", 3),
    ("plain", "Column 4", None),
    ("plain", "4 or 5", None),
]
LENIENT = [
    ("kaggle", "Final Answer: 3\nThat wins.", 3),
    ("kaggle", "First column 2, no: column 5 is better than 1.", 5),
    ("kaggle", "I would say **4**.", 4),
    ("kaggle", r"So \boxed{2}", 2),
    ("kaggle", "Of 7 columns the best is 6", 6),
    ("kaggle", "worth 0.75", None),
    ("kaggle", "no idea", None),
    ("plain", "I play column 4!", 3),
]


@pytest.mark.parametrize(("style", "answer", "column"), STRICT)
def test_strict_reading_wants_the_form_that_was_asked_for(style: Any, answer: str, column: int | None):
    found = parse_answer(answer, Position.start(), style, "strict")
    assert (found.kind, found.column) == ("unreadable" if column is None else "played", column)


@pytest.mark.parametrize(("style", "answer", "column"), LENIENT)
def test_lenient_reading_takes_what_the_answer_ends_on(style: Any, answer: str, column: int | None):
    found = parse_answer(answer, Position.start(), style, "lenient")
    assert (found.kind, found.column) == ("unreadable" if column is None else "played", column)


@pytest.mark.parametrize("answer", ["Final Answer: 0", "Final Answer: 7", "Final Answer: -1"])
@pytest.mark.parametrize("parsing", ["strict", "lenient"])
def test_a_number_that_takes_no_disc_is_illegal_and_not_unreadable(answer: str, parsing: Any):
    assert parse_answer(answer, FULL_FIRST, "kaggle", parsing) == ("illegal", None)


def test_a_program_reads_the_prompt_and_answers():
    echo = CommandAgent(python('import sys; print(len(sys.stdin.read())); print("Final Answer: 3")'))
    prompt = prompt_for(Position.start())
    reply = echo.ask(prompt)
    assert reply.text == f"{len(prompt)}\nFinal Answer: 3\n"
    assert reply.seconds > 0


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import sys; sys.exit(3)", "exit status 3"),
        ('raise ValueError("no model")', "ValueError: no model"),
        ("import time; time.sleep(60)", "no answer within 0.5 seconds"),
    ],
)
def test_a_program_that_fails_is_named_with_its_reason(program: str, words: str):
    with pytest.raises(BotUnusable, match=words):
        CommandAgent(python(program)).ask("?", seconds=0.5 if "sleep" in program else None)


def test_a_program_that_is_not_there_is_named():
    with pytest.raises(BotUnusable, match="no-such-program gave no answer"):
        CommandAgent("no-such-program").ask("?")
    with pytest.raises(BotUnusable, match="no command"):
        load_player("text:")


@contextmanager
def model_server(answer: Any, status: int = 200) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A server on loopback with OpenAI's chat completions, and a list of the requests that it has received."""
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the name that http.server calls
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append({"path": self.path, "key": self.headers.get("Authorization"), **body})
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *words: object) -> None:
            """Log nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1", asked
        finally:
            server.shutdown()
            thread.join()


def said(text: str) -> dict[str, Any]:
    usage = {"prompt_tokens": 200, "completion_tokens": 10}
    return {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage}


def test_a_server_is_asked_as_openai_describes_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MY_KEY", "secret")
    with model_server(said("Final Answer: 3")) as (url, asked):
        reply = UrlAgent(url + "/", model="small", key_variable="MY_KEY").ask("where?")
    assert (reply.text, reply.prompt_tokens, reply.answer_tokens) == ("Final Answer: 3", 200, 10)
    [request] = asked
    assert request["path"] == "/v1/chat/completions"
    assert request["key"] == "Bearer secret"
    assert request["model"] == "small"
    assert request["messages"] == [{"role": "user", "content": "where?"}]


@pytest.mark.parametrize("answer", [{}, [], {"choices": [{"message": {"content": None}}]}])
def test_a_server_without_an_answer_is_named(answer: Any):
    with model_server(answer) as (url, _), pytest.raises(BotUnusable, match="gave no answer"):
        text_agent(url).ask("where?")


@pytest.mark.parametrize("status", [401, 429, 503])
def test_a_server_that_fails_is_not_the_agents_fault(status: int):
    with model_server({}, status) as (url, _), pytest.raises(TextServerFailed, match=r"The server behind .* failed"):
        text_agent(url).ask("where?")
    with pytest.raises(TextServerFailed, match=r"The server behind .* failed"):
        text_agent("http://127.0.0.1:9/v1").ask("where?", seconds=5)


def test_an_answer_that_is_cut_off_is_the_servers_fault():
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def cut_off() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1 << 16)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(1 << 16):  # a request that is not read to its end would reset the connection
                    pass

        thread = threading.Thread(target=cut_off)
        thread.start()
        with pytest.raises(TextServerFailed, match="IncompleteRead"):
            text_agent(f"http://127.0.0.1:{listening.getsockname()[1]}/v1").ask("where?")
        thread.join()


def fixture(first: str, second: str) -> Fixture:
    return Fixture(1, 0, first, second, CLASSIC, 0, (), None, 1)


def test_who_gives_no_answer_loses_the_game():
    """An agent that gives no answer loses from either side. A failed server stops the tournament, which can be
    continued."""
    silent = "text:" + python("import sys; sys.exit(1)")
    for names in ((silent, "random"), ("random", silent)):
        record = play_fixture(fixture(*names), load_player)
        assert (record.first, record.second)[record.winner == "second"] == "random"
        assert record.forfeit is not None
        assert record.forfeit.startswith(silent)
    with pytest.raises(TextServerFailed, match="text:http"):
        play_fixture(fixture("random", "text:http://127.0.0.1:9/v1"), load_player)


def test_a_text_agent_is_a_player():
    """`text:...` makes an agent a player in any command. Without a legal column in its answer it forfeits, and the
    reason quotes the answer."""
    player = load_player("text:" + python('print("I take column 3")'))
    assert player.choose(Position.start(), Clock()).column == 3
    assert player.name.startswith("text:")
    for words, kind in (("column 0", "takes no disc: column 0"), ("no idea", "named no column: no idea")):
        lost = TextPlayer(CommandAgent(python(f'print("{words}")')), name="model")
        with pytest.raises(BotForfeit, match=f"model named .*{kind.rpartition('named ')[2]}"):
            lost.choose(FULL_FIRST, Clock())


def test_a_players_name_says_model_key_and_prompt(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MY_KEY", "secret")
    with model_server(said("4")) as (url, asked):
        player = load_player(f"text:{url},model=small,key=MY_KEY,prompt=plain")
        assert player.choose(Position.start(), Clock()).column == 3
    assert (asked[0]["model"], asked[0]["key"]) == ("small", "Bearer secret")
    assert "Answer with the number of a column and nothing else" in asked[0]["messages"][0]["content"]
    for options in ("models=small", "prompt=long", "model=a,model=b", "small"):
        with pytest.raises(UnknownPlayer, match=r"is no text agent; write text:COMMAND or text:URL,model=NAME"):
            load_player(f"text:http://127.0.0.1:9/v1,{options}")


def test_nobody_else_may_start_programs_by_such_a_name():
    for name in ("text:cat", "text:5", "text:http://127.0.0.1:1/v1"):
        assert not is_safe(name)
        assert not is_bot(name)
