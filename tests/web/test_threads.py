"""Tests several threads of the page's core, which share one memory if the host allows it.

They find the same scores as one thread, and a search is answered even if one of the threads dies.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from connectk import _native
from connectk.rules import Position, Variant
from connectk.solver.bitboards import bitboards_of
from tests.core.asking import asked
from tests.web.conftest import OpenTable
from tests.web.hosts import Isolated
from tests.web.table import Table

THREAD_COUNT = 4  # whatever this machine has
# Each needs some hundred thousand nodes. An easier position is solved before a helper can begin.
CLASSIC_POSITION = Position.from_moves("31467667")
WIDE_POSITION = Position.from_moves("27726649668672137388273692", Variant(9, 7, 4))
# Keeps the helpers and the messages sent to them; an instance over their memory shows how many of them are at work.
WATCH_HELPERS_SCRIPT = f"""
Object.defineProperty(Navigator.prototype, "hardwareConcurrency", {{ value: {THREAD_COUNT} }});
const Real = Worker;
window.workers = 0;
window.helpers = [];
window.sent = [];
window.Worker = class extends Real {{
    constructor(address, how) {{
        super(address, how);
        if (!String(address).endsWith("/helper.js")) return void (window.workers += 1);
        window.helpers.push(this);
        const post = this.postMessage.bind(this);
        this.postMessage = (message, more) => {{ window.sent.push(message); post(message, more); }};
    }}
}};
window.atWork = async (isOver = () => false) => {{
    const {{ instantiate }} = await import("./js/core/numbers.js");
    const cores = new Map();
    while (!isOver()) {{
        for (const {{ module, memory }} of window.sent) {{
            if (!cores.has(memory)) cores.set(memory, await instantiate(module, () => false, memory));
            if (cores.get(memory).connectk_at_work()) return true;
        }}
        await new Promise(requestAnimationFrame);
    }}
    return false;
}};
"""
# The first searches may be over before the helpers have come.
TOGETHER_SCRIPT = """async ([who, position, wanted]) => {
    const { [who]: one } = await import("./js/core/core-workers.js");
    let found;
    for (const end = Date.now() + 20_000; Date.now() < end && found?.threads !== wanted;)
        found = await one.request("solve", [position, 0, wanted]);
    return found;
}"""
REQUEST_SCRIPT = (
    """async ([who, what, ...facts]) => (await import("./js/core/core-workers.js"))[who].request(what, facts)"""
)
STOP_WHILE_WORKING_SCRIPT = """async (position) => {
    const { scoreWorker } = await import("./js/core/core-workers.js");
    const stop = new AbortController();
    const search = scoreWorker.request("solve", [position, 0, 4], stop.signal).then(() => "solved", () => "stopped");
    await window.atWork();
    stop.abort();
    return [await search, (await scoreWorker.request("moment", [position])).ply, window.workers];
}"""
# A browser gives a worker some time to end by itself. Each helper holds a lock, so the lock is free after the last one.
HOLD_LOCK_SCRIPT = (
    "await new Promise((held) => navigator.locks.request('alive', { mode: 'shared' }, () => new Promise(held)));"
)
STOP_AT_ONCE_SCRIPT = """async (position) => {
    const { CoreWorker } = await import("./js/core/core-workers.js");
    const [someone, stop] = [new CoreWorker(), new AbortController()];
    const search = someone.request("solve", [position, 0, 1], stop.signal).then(() => "solved", () => "stopped");
    stop.abort();
    return [await search, (await someone.request("moment", [position])).ply];
}"""
KILL_WHILE_WORKING_SCRIPT = """async ([long, position]) => {
    const { scoreWorker } = await import("./js/core/core-workers.js");
    const stop = new AbortController();
    const search = scoreWorker.request("solve", [long, 0, 4], stop.signal).catch(() => {});
    await window.atWork();
    for (const helper of window.helpers) helper.terminate();
    await navigator.locks.request("alive", () => {});
    stop.abort();
    await search;
    return scoreWorker.request("solve", [position, 0, 4]);
}"""
PLAY_SCRIPT = """async (position) => {
    const { rulesWorker } = await import("./js/core/core-workers.js");
    for (let tries = 0; tries < 30; tries++) {
        let isOver = false;
        const choice = rulesWorker.request("choose", [position, "level:10", 2000, [0, 0]])
            .finally(() => { isOver = true; });
        const helped = await window.atWork(() => isOver);
        const { column } = await choice;
        if (helped) return column;
    }
}"""


@pytest.fixture
def me(open_table: OpenTable, host: Callable[..., str], folder: Path) -> Table:
    """A person at a page that may share memory and believes that the machine has four cores."""
    table = open_table(url=f"{host(folder, Isolated)}games/four/", service_workers="block")
    table.expected_complaints.add("Service Worker registration blocked")
    table.page.context.add_init_script(WATCH_HELPERS_SCRIPT)
    table.page.reload()
    table.page.locator("connectk-board[data-open]").wait_for()
    assert table.page.evaluate("crossOriginIsolated")
    return table


def score_of(position: Position) -> int:
    variant = position.variant
    return _native.Solver(variant.width, variant.height, variant.run).solve(*bitboards_of(position)).lower


@pytest.mark.parametrize("who", ["scoreWorker", "reviewWorker"])
@pytest.mark.parametrize("position", [CLASSIC_POSITION, WIDE_POSITION], ids=["one word", "several words"])
def test_threads_find_the_score_that_one_finds(me: Table, who: str, position: Position) -> None:
    """With each module of the page, several threads find the same score as one, with small and with large table
    entries."""
    found: dict[str, Any] = me.page.evaluate(TOGETHER_SCRIPT, [who, asked(position), THREAD_COUNT])
    assert (found["lower"], found["upper"], found["threads"]) == (score_of(position), score_of(position), THREAD_COUNT)


def test_one_thread_has_the_nodes_that_it_always_had(me: Table) -> None:
    me.page.evaluate(
        TOGETHER_SCRIPT, ["scoreWorker", asked(CLASSIC_POSITION), 2]
    )  # helpers have come, and are not called

    found = me.page.evaluate(REQUEST_SCRIPT, ["scoreWorker", "solve", asked(CLASSIC_POSITION), 0, 1])
    alone = _native.Solver(7, 6, 4, 1 << 25).solve(*bitboards_of(CLASSIC_POSITION))
    assert (found["lower"], found["nodes"], found["threads"]) == (alone.lower, alone.nodes, 1)


def test_a_search_of_several_threads_stops_when_told(me: Table) -> None:
    """When a search of several threads is stopped, the same workers continue and none is replaced."""
    me.page.evaluate(REQUEST_SCRIPT, ["scoreWorker", "moment", asked(Position())])
    workers = me.page.evaluate("window.workers")
    assert me.page.evaluate(STOP_WHILE_WORKING_SCRIPT, asked(Position())) == ["stopped", 0, workers]


def test_a_search_that_is_stopped_before_its_worker_has_come_is_never_begun(me: Table) -> None:
    assert me.page.evaluate(STOP_AT_ONCE_SCRIPT, asked(Position())) == ["stopped", 0]


def holding(script: str) -> str:
    assert script.count("const core = await") == 1
    return script.replace("const core = await", f"{HOLD_LOCK_SCRIPT} const core = await")


def test_helpers_that_are_killed_in_mid_search_are_survived(me: Table) -> None:
    """If helper threads are killed during a search, another worker without helpers answers, and the page notices
    nothing."""
    me.page.route("**/helper.js", lambda route: route.fulfill(response=(it := route.fetch()), body=holding(it.text())))
    found = me.page.evaluate(KILL_WHILE_WORKING_SCRIPT, [asked(Position()), asked(CLASSIC_POSITION)])

    assert (found["lower"], found["upper"], found["threads"]) == (
        score_of(CLASSIC_POSITION),
        score_of(CLASSIC_POSITION),
        1,
    )


def test_helpers_that_never_come_are_not_missed(me: Table) -> None:
    me.expected_complaints |= {"ERR_FAILED", "helper.js"}
    me.page.route("**/helper.js", lambda route: route.abort())
    found = me.page.evaluate(REQUEST_SCRIPT, ["scoreWorker", "solve", asked(CLASSIC_POSITION), 0, THREAD_COUNT])

    assert (found["lower"], found["threads"]) == (score_of(CLASSIC_POSITION), 1)


def test_level_10_is_helped_too(me: Table) -> None:
    assert me.page.evaluate(PLAY_SCRIPT, asked(Position())) in range(7)
