"""``AdminService``: the RPCs for operators, on a port of their own.

Knows ``api``, ``sessions`` and ``edge.grpc``.
"""
