"""Processes that answer one question after the other on standard input: work that would hold the event loop."""
