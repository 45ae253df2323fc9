"""The store: sessions in Redis, with their indexes, webhook deliveries and quotas.

Implements the ports of ``sessions`` and ``access``. No other room knows Redis, its keys or its scripts.
"""

import sys
from importlib import import_module

# redis-py imports OpenTelemetry if it is installed, for counters that Skerry does not use. That costs each process a
# tenth of a second, so this import fails while redis-py loads.
if "opentelemetry" not in sys.modules:
    sys.modules["opentelemetry"] = None  # type: ignore[assignment]
    import_module("redis.asyncio")
    del sys.modules["opentelemetry"]
