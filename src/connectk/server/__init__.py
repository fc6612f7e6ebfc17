"""The server, which offers `connectk.play` over HTTP and WebSockets."""
