"""The application that Granian serves for bench/server.py and bench/attacks.py. It does nothing when run by itself."""

from connectk.server.app import create_from_environment


def create():
    app = create_from_environment()

    async def serve(scope, receive, send):
        if scope["type"] == "websocket":  # our connections write at once if they can; Granian's go through `send`
            scope.setdefault("state", {})["write_now"] = lambda text: False
        await app(scope, receive, send)

    return serve
