"""Sessions as callers use them: load, decide, commit, notify. One trip to the store for each change.

Knows ``domain``, ``watching``, ``timers`` and ``matching``. ``store_port`` says what it needs of a store; knows no
transport and no Redis.
"""
