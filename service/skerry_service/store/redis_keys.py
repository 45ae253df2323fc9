"""All keys of Skerry in Redis, with their types, contents and lifetimes.

``skerry:{<session>}``
    Hash of a session: ``s`` sequence, ``r`` record, ``t`` snapshot, ``m`` chained hash, ``q`` window of requests
    (``request_window.py``), ``e`` uptime at which the session expires, ``w:<slot>`` state of a webhook delivery.
    Also the name of a sharded channel, which publishes each batch when it is stored.
    Lifetime: until the store's uptime reaches ``e``. ``RedisStore.expire_sessions`` then deletes the key.
``skerry:{<session>}:log``
    Stream of a session: one record for each batch, with the id ``<last sequence>-0`` and the one field ``b``.
    Lifetime: that of the hash. A log without its head, or a head without its log, is a damaged session.
``skerry:{<session>}:replicated``
    Empty string: ``CallRouter.confirm`` writes it so that replicas confirm everything written before.
    Lifetime: one second, by the clock of Redis.
``skerry:expiry``
    Sorted set of all sessions, by the uptime at which to check whether each has expired.
    Lifetime: none. ``RedisStore.expire_sessions`` removes an entry with its session.
``skerry:sessions``
    Sorted set of listed sessions, by the time of listing in ms since 1970.
    Lifetime: none. An entry goes when its session is unlisted or expires.
``skerry:{skerry:sessions}:index_keys``
    Sorted set in the order of bytes: for each index key of a listed session, that key, the time of listing and the id.
    Lifetime: none. A session's entries go when it is unlisted.
``skerry:{skerry:sessions}:keys_of``
    Hash: for each listed session, its sequence and its index keys (``relist.lua``).
    Lifetime: none. A field goes when its session is unlisted.
``skerry:timers``
    Sorted set of sessions in which something can happen by itself (a bot's decision, a player's absence, a clock), by
    the uptime at which to check whether it is due.
    Lifetime: none. An entry goes when its game is found to be over or its session to be gone.
``skerry:presence``
    Sorted set of seats with an absence limit, as ``<session>:<number>``, by the uptime when each player was last seen.
    Lifetime: none. An entry goes with the session's timer, or after 8 days.
``skerry:deliveries``
    Sorted set of sessions with webhooks, by the uptime at which to check whether a delivery is due.
    Lifetime: none. An entry goes when its session has nothing left to deliver, or is gone.
``skerry:finished``
    Sorted set of finished sessions, by the uptime at which each moves to the archive, if there is one.
    Lifetime: none. An entry goes when its session has moved, or is gone.
``skerry:store``
    Hash of the store: ``a`` uptime in ms (``uptime.py``), ``w`` latest wall-clock time of any replica, ``l`` lineage
    (an id that is set when stored entries may have been lost), ``x`` id of the archive to which sessions move.
    Lifetime: that of the store.
``skerry:{quota:<kind>}:<key>``
    Number: the time (us) at which a quota is unused again. ``<key>`` is ``<limit>:<seconds>:<caller>``; limits for all
    callers together leave the caller out.
    Lifetime: until that time, by the clock of Redis.
``skerry:register:<name>``
    Hash of a compare-and-set register: ``v`` version, ``p`` value. Registers hold the queues of the matchmaker.
    Lifetime: as long as its writer says, by the clock of Redis.

Keys whose lifetime is not by the clock of Redis have no TTL. Redis measures TTLs by the wall clock: a clock that jumps
a week ahead would end every game, and so would a week without a running replica. Each commit writes ``e``;
``skerry:expiry`` is written when a session is created, and corrected when the session is checked. So an entry there
can be too early and is never too late.

The braces make a hash tag: in a cluster all keys of a session are in one slot, and so are the two keys of the list in
braces. The channel has the name of the hash, because scripts declare that key anyway. The sequence is stored in
decimal: it compares as a string, and is valid as an entry id of the stream.

``tests/store/test_redis_keys.py`` compares this list with the code and the scripts.
"""

from __future__ import annotations

LISTED = b"skerry:sessions"
INDEX_KEYS = b"skerry:{%s}:index_keys" % LISTED
KEYS_OF = b"skerry:{%s}:keys_of" % LISTED
EXPIRY = b"skerry:expiry"
STORE = b"skerry:store"
TIMERS = b"skerry:timers"
PRESENCE = b"skerry:presence"
DELIVERIES = b"skerry:deliveries"
FINISHED = b"skerry:finished"

UPTIME, LATEST_TIME = b"a", b"w"
"""Fields of ``STORE``: the uptime in ms, and the latest wall-clock time of any replica in ms since 1970."""
LINEAGE = b"l"
"""Field of ``STORE``: absent as long as no stored entry is known to be lost."""
ARCHIVE_ID = b"x"
"""Field of ``STORE``: the archive to which sessions move; absent until the first move."""

VERSION, VALUE = b"v", b"p"
"""Fields of a register."""
SEQUENCE, RECORD, SNAPSHOT, WINDOW, HASH, EXPIRES = b"s", b"r", b"t", b"q", b"m", b"e"
"""Fields of a session's hash."""
BATCH = b"b"
"""Field of a record of a session's log."""


def head(session: str) -> bytes:
    """Return the key of a session's hash."""
    return b"skerry:{%s}" % session.encode()


def log(session: str) -> bytes:
    """Return the key of a session's log."""
    return b"skerry:{%s}:log" % session.encode()


def replicated(session: str) -> bytes:
    """Return the key that is written for replicas to confirm, and never read."""
    return b"skerry:{%s}:replicated" % session.encode()


def seat(session: str, number: int) -> bytes:
    """Return the entry of a seat in ``PRESENCE``."""
    return b"%s:%d" % (session.encode(), number)


def delivery_state(slot: str) -> bytes:
    """Return the field of a session's hash for the state of a webhook delivery."""
    return b"w:%s" % slot.encode()


def quota(kind: str, key: str) -> bytes:
    """Return the key of a quota for calls of that kind. All quotas of a kind are in one slot."""
    return b"skerry:{quota:%s}:%s" % (kind.encode(), key.encode())


def register(name: str) -> bytes:
    """Return the key of a register."""
    return b"skerry:register:%s" % name.encode()


channel = head
