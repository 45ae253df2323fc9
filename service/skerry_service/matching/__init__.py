"""Matchmaking: tickets with criteria wait in a queue for each game until enough of them fit each other.

May know ``domain`` and ``sessions``. The queue of a game is one compare-and-set register of the store.
"""
