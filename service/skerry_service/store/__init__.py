"""The store: sessions in Redis (``redis_store``) or in this process (``memory_store``).

Implements the ports of ``sessions`` and ``access``; alone knows Redis, its keys and its scripts.
"""
