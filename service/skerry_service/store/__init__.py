"""Sessions in Redis (``redis_store``) and the server of our own for when there is none (``embedded``).

The only room that knows Redis. What it implements is the port in ``sessions.port``; ``main`` binds the two.
"""

import sys
from importlib import import_module

# redis-py imports OpenTelemetry wherever it is installed, for counters that nobody here asks for: a tenth of a second
# in every process of ours. So it is told that there is none.
if "opentelemetry" not in sys.modules:
    sys.modules["opentelemetry"] = None  # type: ignore[assignment]
    import_module("redis.asyncio")
    del sys.modules["opentelemetry"]
