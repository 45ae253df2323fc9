"""Connections: sockets, TLS, choice of the protocol, limits on their number, and the drain of all of them.

Knows no HTTP beyond the response that rejects a connection.
"""
