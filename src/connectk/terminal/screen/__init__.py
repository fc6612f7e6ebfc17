"""The game on a full screen, drawn with Textual; imported only when it is played."""
