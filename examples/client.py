"""A short client for the game server that needs only the standard library.

connectk serve                     in one terminal
python examples/client.py          in another: plays a match against level 3 and prints the board
"""

import json
import random
import sys
import time
import urllib.error
import urllib.request

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"


def ask(path, body=None, secret=None):
    """Send one request and return the answer, which has a `reason` if it is a refusal. After `too_fast` the request is
    repeated."""
    request = urllib.request.Request(SERVER + path, data=None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if secret:
        request.add_header("Authorization", f"Bearer {secret}")
    while True:
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            if refusal.code != 429:
                return json.load(refusal)
            time.sleep(float(refusal.headers.get("Retry-After", 1)))


def draw(match):
    """Print the board, top row first. The server sends each column as text from the bottom up."""
    columns, height = match["state"]["board"], match["variant"]["height"]
    for row in reversed(range(height)):
        print(" ".join(column[row] if row < len(column) else "." for column in columns))
    print()


def choose(state):
    """Replace this with your own idea. `state` has the board, the legal columns and whose turn it is."""
    return random.choice(state["legal_columns"])


def main():
    made = ask("/api/matches", {"first": {"kind": "me"}, "second": {"kind": "player", "player": "level:3"}})
    match, secret = made["match"], made["secret"]
    while match["state"]["result"] is None:
        if match["state"]["side_to_move"] == "first":
            drop = {"column": choose(match["state"]), "ply": match["state"]["ply"]}
            match = ask(f"/api/matches/{match['id']}/drops", drop, secret)["match"]
        else:  # wait for the computer's move
            ask(f"/api/matches/{match['id']}/events?after={match['seq']}&wait=20", secret=secret)
            match = ask(f"/api/matches/{match['id']}", secret=secret)["match"]
        draw(match)
    winner = match["state"]["result"]["winner"]
    print(f"the {winner} player won" if winner else "a draw")


if __name__ == "__main__":
    main()
