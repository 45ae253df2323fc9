"""The transports: gRPC, HTTP with JSON, and the operators' port. Adapters of ``api``, without rules of their own.

Each knows ``api`` and its protocol.
"""
