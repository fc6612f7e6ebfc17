"""HTTP and WebSocket over `connectk.play`."""
