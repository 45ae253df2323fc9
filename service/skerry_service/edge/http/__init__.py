"""HTTP/1.1: connections, TLS, limits, CORS, allowed hosts, and the errors of HTTP itself.

Knows uvicorn and httptools, and no sessions.
"""
