"""gRPC: bytes become requests, refusals become statuses; health and reflection beside them.

Knows ``api`` and grpcio.
"""
