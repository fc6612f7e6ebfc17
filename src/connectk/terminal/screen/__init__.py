"""The game on the full screen, drawn with Textual, which is imported only when it is used."""
