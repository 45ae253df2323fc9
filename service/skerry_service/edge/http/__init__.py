"""HTTP/1.1 itself: connections, TLS, bounds, origins and refusals, before an RPC is known.

Knows uvicorn and httptools; knows no session.
"""
