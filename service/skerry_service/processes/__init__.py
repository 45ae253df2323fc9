"""Child processes in which bots think and the engine computes, so that the event loop never waits for rules.

A child answers one question at a time on standard input. Knows ``skerry_games`` and ``wire``; knows no session.
"""
