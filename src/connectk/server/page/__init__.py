"""What the web page asks for beside matches: games to look at, files to read, pictures to scan, the page itself."""
