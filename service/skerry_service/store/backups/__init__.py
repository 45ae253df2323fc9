"""Backups: all sessions of a store in one file, and their restore into an empty store.

Knows ``redis_store`` and the keys of Redis.
"""
