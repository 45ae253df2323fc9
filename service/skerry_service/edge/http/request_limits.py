"""Limits on requests, for every version of HTTP."""

from __future__ import annotations

LONGEST_URI = 8 * 1024
"""Bytes of path and query."""
LARGEST_HEADERS = 8 * 1024
"""Bytes of all headers, equal to the limit of gRPC's metadata."""
MAX_HEADERS = 100
"""Header fields of a request. Each costs memory beyond its bytes."""
REQUEST_SECONDS = 10.0
"""How long a request may take to arrive. For the first one, since the connection was opened."""
KEEP_ALIVE_SECONDS = 60.0
"""How long a connection without a request stays open."""
