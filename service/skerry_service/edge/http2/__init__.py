"""HTTP/2: connections, streams, flow control in both directions, and limits on hostile clients.

Knows ngh2 (in one module), and no sessions.
"""
