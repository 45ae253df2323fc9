"""The operators' calls, at a port of their own.

Knows ``api``, ``sessions`` and ``edge.grpc``.
"""
