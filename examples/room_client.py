"""A short bot that plays in a room. Besides Python it needs only `pip install websockets`.

connectk serve                                                          in one terminal; make a room on its page
python examples/room_client.py http://127.0.0.1:8000 ABC346 Robo        in another, with the code of the room

The protocol is in docs/reference/rooms.md.
"""

import json
import random
import secrets
import sys
import time
import urllib.error
import urllib.request

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

SERVER, CODE, NAME = sys.argv[1:4]
SECRET = secrets.token_urlsafe(32)  # identifies this bot: joining again with it returns the same member
DROP_DELAY_SECONDS = 0.1  # the server refuses more than twenty messages a second
RETRY_DELAY_SECONDS = 1.0  # after a refusal


def choose(state):
    """Replace this with your own idea. `state` has the board, the legal columns and whose turn it is."""
    return random.choice(state["legal_columns"])


def join():
    order = json.dumps({"name": NAME, "kind": "bot", "secret": SECRET}).encode()
    request = urllib.request.Request(f"{SERVER}/api/rooms/{CODE}/join", order, {"Content-Type": "application/json"})
    while True:
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)["room"]["code"]
        except urllib.error.HTTPError as refusal:
            if refusal.code != 429:  # too fast: many come in at once
                raise
            time.sleep(RETRY_DELAY_SECONDS)


def move(socket, match, state, sides):
    """Send a drop if it is our turn, and return the message. Its key makes sure that only one disc drops, even if the
    message is sent again."""
    if state["result"] is not None or state["side_to_move"] not in sides:
        return None
    time.sleep(DROP_DELAY_SECONDS)
    drop = {"type": "drop", "match": match, "column": choose(state), "ply": state["ply"]}
    text = json.dumps({**drop, "key": f"{match}:{state['ply']}"[-60:], "id": state["ply"]})
    socket.send(text)
    return text


def visit(socket):
    """Play during one connection. Returns whether the room is closed."""
    socket.send(json.dumps({"type": "hello", "secret": SECRET}))
    sides, sent = {}, None
    for text in socket:
        message = json.loads(text)
        if message["type"] in ("welcome", "changed"):
            room = message.get("room", message)
            if room["state"]["closed"]:
                return True
        elif message["type"] == "match":  # the room assigns us a board, or we return to it
            match = message["match"]
            sides[match["id"]] = message["sides"]
            sent = move(socket, match["id"], match["state"], message["sides"])
        elif message["type"] == "board":  # the state of the board has changed
            sent = move(socket, message["match"], message["message"]["state"], sides[message["match"]])
        elif message["type"] == "refused":
            print(message["message"])
            if message["reason"] == "too_fast" and sent:
                time.sleep(RETRY_DELAY_SECONDS)
                socket.send(sent)
    return False


def main():
    address = f"ws{SERVER.removeprefix('http')}/api/rooms/{join()}/socket"
    closed = False
    while not closed:
        try:
            with connect(address) as socket:
                closed = visit(socket)
        except (OSError, WebSocketException):
            print("the connection is lost")
        if not closed:
            time.sleep(RETRY_DELAY_SECONDS)  # the server restarts or the network is down: connect again
    print("the room is closed")


if __name__ == "__main__":
    main()
