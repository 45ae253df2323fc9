"""The transports: gRPC, REST, and the operators' port. They adapt ``api`` to a protocol and have no rules of their own.

Each knows ``api`` and its protocol.
"""
