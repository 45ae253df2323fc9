"""Sessions in Redis (``redis_store``) and the server of our own for when there is none (``embedded``).

The only room that knows Redis. What it implements is the port in ``sessions.port``; ``main`` binds the two.
"""
