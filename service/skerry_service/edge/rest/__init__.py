"""REST: the RPCs as HTTP with JSON. The ``google.api.http`` annotations of the protos define all routes.

Knows ``api``, ``wire`` and ``edge.http``.
"""
