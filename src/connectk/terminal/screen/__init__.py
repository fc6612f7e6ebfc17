"""The full-screen game, drawn with Textual; imported only when used."""
