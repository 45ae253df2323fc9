"""gRPC: decodes requests, encodes answers and errors, and serves health and reflection.

Knows ``api`` and grpcio.
"""
