"""Several threads of the page's core over one memory, where the host allows that: the same scores, and a search that a
helper leaves in the lurch still has its answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from connectk import _native
from connectk.rules import Position, Variant
from connectk.solver.bits import bits_of
from tests.core.asking import asked
from tests.web.conftest import OpenTable
from tests.web.hosts import Isolated
from tests.web.table import Table

THREADS = 4  # whatever this machine has
# Some hundred thousand nodes each: what is easier is solved before anyone could help.
CLASSIC = Position.from_moves("31467667")
WIDE = Position.from_moves("27726649668672137388273692", Variant(9, 7, 4))
# Keeps the helpers, and what each was told; an instance over their memory tells how many of them are at work.
WATCH_HELPERS = f"""
Object.defineProperty(Navigator.prototype, "hardwareConcurrency", {{ value: {THREADS} }});
const Real = Worker;
window.workers = 0;
window.helpers = [];
window.told = [];
window.Worker = class extends Real {{
    constructor(address, how) {{
        super(address, how);
        if (!String(address).endsWith("/helper.js")) return void (window.workers += 1);
        window.helpers.push(this);
        const tell = this.postMessage.bind(this);
        this.postMessage = (message, more) => {{ window.told.push(message); tell(message, more); }};
    }}
}};
window.atWork = async (isOver = () => false) => {{
    const {{ instantiate }} = await import("./js/core/numbers.js");
    const cores = new Map();
    while (!isOver()) {{
        for (const {{ module, memory }} of window.told) {{
            if (!cores.has(memory)) cores.set(memory, await instantiate(module, () => false, memory));
            if (cores.get(memory).connectk_at_work()) return true;
        }}
        await new Promise(requestAnimationFrame);
    }}
    return false;
}};
"""
# The first searches may be over before the helpers have come.
TOGETHER = """async ([who, position, wanted]) => {
    const { [who]: one } = await import("./js/core/crew.js");
    let found;
    for (const end = Date.now() + 20_000; Date.now() < end && found?.threads !== wanted;)
        found = await one.ask("solve", [position, 0, wanted]);
    return found;
}"""
ONCE = """async ([who, what, ...facts]) => (await import("./js/core/crew.js"))[who].ask(what, facts)"""
STOPPED_AT_WORK = """async (position) => {
    const { analyst } = await import("./js/core/crew.js");
    const stop = new AbortController();
    const search = analyst.ask("solve", [position, 0, 4], stop.signal).then(() => "solved", () => "stopped");
    await window.atWork();
    stop.abort();
    return [await search, (await analyst.ask("moment", [position])).ply, window.workers];
}"""
# A browser gives a worker some time to end by itself. Each helper holds a lock, which is free when the last is gone.
HOLD = "await new Promise((held) => navigator.locks.request('alive', { mode: 'shared' }, () => new Promise(held)));"
STOPPED_AT_ONCE = """async (position) => {
    const { Crewman } = await import("./js/core/crew.js");
    const [someone, stop] = [new Crewman(), new AbortController()];
    const search = someone.ask("solve", [position, 0, 1], stop.signal).then(() => "solved", () => "stopped");
    stop.abort();
    return [await search, (await someone.ask("moment", [position])).ply];
}"""
KILLED_AT_WORK = """async ([long, position]) => {
    const { analyst } = await import("./js/core/crew.js");
    const stop = new AbortController();
    const search = analyst.ask("solve", [long, 0, 4], stop.signal).catch(() => {});
    await window.atWork();
    for (const helper of window.helpers) helper.terminate();
    await navigator.locks.request("alive", () => {});
    stop.abort();
    await search;
    return analyst.ask("solve", [position, 0, 4]);
}"""
PLAYED = """async (position) => {
    const { rules } = await import("./js/core/crew.js");
    for (let tries = 0; tries < 30; tries++) {
        let isOver = false;
        const choice = rules.ask("choose", [position, "level:10", 2000, [0, 0]]).finally(() => { isOver = true; });
        const helped = await window.atWork(() => isOver);
        const { column } = await choice;
        if (helped) return column;
    }
}"""


@pytest.fixture
def me(open_table: OpenTable, host: Callable[..., str], folder: Path) -> Table:
    """At a page that may share memory, on a machine of four cores as far as it knows."""
    table = open_table(url=f"{host(folder, Isolated)}games/four/", service_workers="block")
    table.expected_complaints.add("Service Worker registration blocked")
    table.page.context.add_init_script(WATCH_HELPERS)
    table.page.reload()
    table.page.locator("connectk-board[data-open]").wait_for()
    assert table.page.evaluate("crossOriginIsolated")
    return table


def score_of(position: Position) -> int:
    variant = position.variant
    return _native.Solver(variant.width, variant.height, variant.run).solve(*bits_of(position)).lower


@pytest.mark.parametrize("who", ["analyst", "reviewer"])
@pytest.mark.parametrize("position", [CLASSIC, WIDE], ids=["one word", "several words"])
def test_threads_find_the_score_that_one_finds(me: Table, who: str, position: Position) -> None:
    """In both of the page's modules; with one word for an entry of the table, and with several under a busy mark."""
    found: dict[str, Any] = me.page.evaluate(TOGETHER, [who, asked(position), THREADS])
    assert (found["lower"], found["upper"], found["threads"]) == (score_of(position), score_of(position), THREADS)


def test_one_thread_has_the_nodes_that_it_always_had(me: Table) -> None:
    me.page.evaluate(TOGETHER, ["analyst", asked(CLASSIC), 2])  # helpers have come, and are not called

    found = me.page.evaluate(ONCE, ["analyst", "solve", asked(CLASSIC), 0, 1])
    alone = _native.Solver(7, 6, 4, 1 << 25).solve(*bits_of(CLASSIC))
    assert (found["lower"], found["nodes"], found["threads"]) == (alone.lower, alone.nodes, 1)


def test_a_search_of_several_threads_stops_when_told(me: Table) -> None:
    """By the same worker, which goes on: nobody is replaced."""
    me.page.evaluate(ONCE, ["analyst", "moment", asked(Position())])
    workers = me.page.evaluate("window.workers")
    assert me.page.evaluate(STOPPED_AT_WORK, asked(Position())) == ["stopped", 0, workers]


def test_a_search_that_is_stopped_before_its_worker_has_come_is_never_begun(me: Table) -> None:
    assert me.page.evaluate(STOPPED_AT_ONCE, asked(Position())) == ["stopped", 0]


def holding(script: str) -> str:
    assert script.count("const core = await") == 1
    return script.replace("const core = await", f"{HOLD} const core = await")


def test_helpers_that_are_killed_in_mid_search_are_survived(me: Table) -> None:
    """Without a word to the page: another worker takes over, alone, and what was stopped is not begun again."""
    me.page.route("**/helper.js", lambda route: route.fulfill(response=(it := route.fetch()), body=holding(it.text())))
    found = me.page.evaluate(KILLED_AT_WORK, [asked(Position()), asked(CLASSIC)])

    assert (found["lower"], found["upper"], found["threads"]) == (score_of(CLASSIC), score_of(CLASSIC), 1)


def test_helpers_that_never_come_are_not_missed(me: Table) -> None:
    me.expected_complaints |= {"ERR_FAILED", "helper.js"}
    me.page.route("**/helper.js", lambda route: route.abort())
    found = me.page.evaluate(ONCE, ["analyst", "solve", asked(CLASSIC), 0, THREADS])

    assert (found["lower"], found["threads"]) == (score_of(CLASSIC), 1)


def test_level_10_is_helped_too(me: Table) -> None:
    assert me.page.evaluate(PLAYED, asked(Position())) in range(7)
