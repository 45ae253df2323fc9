"""Matchmaking: tickets with criteria wait in queues until enough of them fit each other.

May know ``domain`` and ``sessions``. One replica leads the queues of a game; the others send it their tickets.
"""
