"""The Valkey server that the service starts when no ``REDIS_URL`` is given.

Knows processes, files and locks; knows nothing of sessions.
"""
