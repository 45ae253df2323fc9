"""Matchmaking: tickets with criteria wait in a queue for each game until enough of them fit.

Knows ``domain`` and ``sessions``; the queue of a game is one register of the store, changed by compare-and-set.
"""
