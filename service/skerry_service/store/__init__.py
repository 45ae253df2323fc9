"""The store: sessions in Redis.

Implements the ports of ``sessions`` and ``access``; alone knows Redis, its keys and its scripts.
"""

import sys
from importlib import import_module

# redis-py imports OpenTelemetry wherever it is installed, for counters that nothing here reads. That takes a tenth of a
# second in every process, so the import is made to fail while redis-py loads.
if "opentelemetry" not in sys.modules:
    sys.modules["opentelemetry"] = None  # type: ignore[assignment]
    import_module("redis.asyncio")
    del sys.modules["opentelemetry"]
