"""Every name that Skerry uses in Redis, and how long each lives.

========================  ===============================================  =========================================
``skerry:{<id>}``         hash: ``s`` sequence, ``r`` record,              the lifetime that commits give it: lobby,
                          ``t`` snapshot, ``m`` mark, ``q`` request        game or finished, by ``Commit.lifetime_ms``
                          window
``skerry:{<id>}:log``     stream: one record for each batch, its id        the hash's: a log without its head, or the
                          ``<last sequence>-0``, its one field ``b``       reverse, would be a session half lost
``skerry:{<id>}``         sharded channel: each batch as it is stored      none
``skerry:sessions``       sorted set: ids of listed sessions by the time   none of its own; an entry goes when the
                          since when they are listed (ms)                  session is unlisted, or is found gone
========================  ===============================================  =========================================

The braces make the id the hash tag, so that on a cluster all names of a session lie in one slot. The channel bears the
hash's name, which the scripts declare anyway. The sequence is stored in decimal: it compares as a string and is an
entry id of the stream as it stands.
"""

from __future__ import annotations

INDEX = b"skerry:sessions"

SEQUENCE, RECORD, SNAPSHOT, WINDOW, MARK = b"s", b"r", b"t", b"q", b"m"

TRIM_AFTER_MS = 60_000
"""Age below which a listed session that does not exist may be one whose creation is still under way: it is listed
first, so that no crash leaves a public session that nobody can find."""

TRIM_SAMPLE = 4
"""Index entries looked at by each creation. More than one, so that dead entries go faster than they can come."""


def head(session: str) -> bytes:
    """Return the key of a session's hash."""
    return b"skerry:{%s}" % session.encode()


def log(session: str) -> bytes:
    """Return the key of a session's stream."""
    return b"skerry:{%s}:log" % session.encode()


channel = head
