"""Work in child processes, so that the event loop never waits for rules: bots that think, and the engine.

A child answers one question after the other on standard input. Knows ``skerry_games`` and ``wire``; no session.
"""
