"""The RPCs as HTTP with JSON, by the ``google.api.http`` annotations. No route is written by hand.

Knows ``api``, ``wire`` and ``edge.http``.
"""
