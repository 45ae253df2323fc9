"""Sessions as their callers use them: load, decide, commit, notify. Each change takes one trip to the store.

Knows ``domain``, ``watching``, ``timers`` and ``matching``. ``store_port`` declares what it needs of a store. Knows no
transport and no Redis.
"""
