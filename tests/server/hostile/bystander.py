"""Plays one ordinary game after the other until standard input ends, and prints the seconds and the status of each
drop.

This program runs in its own process, so that an attack in the test's process cannot slow it down and its figures show
only the delays of the server.
"""

import sys
import threading
import time

from tests.server.clients import drop, make
from tests.server.serving import Client


def play(client: Client, over: threading.Event) -> None:
    while not over.is_set():
        made = make(client)
        for ply in range(7):  # the last disc wins, so that no match stays open
            began = time.perf_counter()
            answer = drop(client, made["match"]["id"], made["secret"], ply % 2, ply)
            print(time.perf_counter() - began, answer.status_code, flush=True)
            over.wait(0.02)


def wait_for_end(over: threading.Event) -> None:
    sys.stdin.read()
    over.set()


if __name__ == "__main__":
    over = threading.Event()
    threading.Thread(target=wait_for_end, args=(over,), daemon=True).start()
    play(Client(int(sys.argv[1])), over)
