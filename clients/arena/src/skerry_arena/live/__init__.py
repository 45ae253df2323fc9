"""Shows a tournament while it runs: a page and its data over HTTP on this machine, and lines of text on a pipe.

Everything is read from the results as they arrive. Nothing here changes the games or the log.
"""
