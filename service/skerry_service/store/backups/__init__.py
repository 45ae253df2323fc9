"""Backups: every session of a store in one file, and back into an empty store.

Knows ``redis_store``.
"""
