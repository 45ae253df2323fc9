"""Several processes on one port: the supervisor, and the workers that it keeps running.

Knows ``wiring.server``.
"""
