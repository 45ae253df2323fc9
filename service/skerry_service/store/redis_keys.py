"""All keys of Skerry in Redis, with their types, contents and lifetimes.

``skerry:{<session>}``
    Hash of a session: ``s`` sequence, ``r`` record, ``t`` snapshot, ``m`` chained hash, ``q`` window of requests
    (``request_window.py``), ``e`` uptime at which the session expires, ``w:<slot>`` state of a webhook delivery.
    Also the name of a sharded channel, which publishes each batch when it is stored.
    Lifetime: until the store's uptime reaches ``e``. ``RedisStore.expire`` then deletes the key.
``skerry:{<session>}:log``
    Stream of a session: one record for each batch, with the id ``<last sequence>-0`` and the one field ``b``.
    Lifetime: that of the hash. A log without its head, or a head without its log, is a damaged session.
``skerry:{<session>}:replicated``
    Empty string: ``CallRouter.confirm`` writes it so that replicas confirm everything written before.
    Lifetime: one second, by the clock of Redis.
``skerry:{due:<shard>}:<queue>``
    Sorted set of sessions by the uptime at which each is due to be checked (``redis_schedule.py``). The shard, from 0
    to 7, follows from the session's slot. The queues are ``timers`` (a bot's decision, a player's absence, a clock),
    ``deliveries`` (webhooks), ``archive`` (the move of a finished session) and ``expiry`` (the end of its lifetime).
    Lifetime: none. The scheduler removes an entry when its session is gone, or has nothing left to be done.
``skerry:sessions``
    Sorted set of listed sessions, by the time of listing in ms since 1970.
    Lifetime: none. An entry goes when its session is unlisted or expires.
``skerry:{skerry:sessions}:index_keys``
    Sorted set in the order of bytes: for each index key of a listed session, that key, the time of listing and the id.
    Lifetime: none. A session's entries go when it is unlisted.
``skerry:{skerry:sessions}:keys_of``
    Hash: for each listed session, its sequence and its index keys (``relist.lua``).
    Lifetime: none. A field goes when its session is unlisted.
``skerry:{player:<player>}:sessions``
    Sorted set of the sessions of a vouched player, by the time of creation in ms since 1970, with 10^15 added while a
    session is not over (``indexes/player_index.py``).
    Lifetime: none. An entry goes when its session expires, when a list finds that it is gone, or when the player has
    1,000 later ones that are over. Entries of archived sessions stay.
``skerry:presence``
    Sorted set of seats with an absence limit, as ``<session>:<number>``, by the uptime when each player was last seen.
    Lifetime: none. An entry goes with the session's entry in ``timers``, or after 8 days.
``skerry:store``
    Hash of the store: ``a`` uptime in ms (``uptime.py``), ``w`` latest wall-clock time of any replica, ``l`` lineage
    (an id that is set when stored entries may have been lost), ``x`` id of the archive to which sessions move,
    ``f`` number of the store's format, ``b`` build that wrote the store in that format (``upgrades/store_format.py``),
    ``n`` random value of the last change of the bans (``ticks.py``), ``load:<replica>`` the load of a replica,
    ``drain:<replica>`` present if the replica drains. Both go with the replica's entry in the next key.
    Lifetime: that of the store.
``skerry:{heartbeat:<number>}``
    Hash with the fields ``a`` and ``w`` of ``skerry:store``, on each other master of a cluster (``ticks.py``). Its
    writes show whether that master accepts any.
    Lifetime: that of the store. No key depends on it.
``skerry:{skerry:store}:replicas``
    Sorted set of live replicas, each with what it supports (``replica_registry.py``), by the uptime of its last
    announcement, which comes with every second tick.
    Lifetime: none. An entry goes when its replica stops, or a minute after that.
``skerry:{quota:<kind>}:<key>``
    Number: the time (us) at which a quota is unused again. ``<key>`` is ``<limit>:<seconds>:<caller>``; limits for all
    callers together leave the caller out.
    Lifetime: until that time, by the clock of Redis.
``skerry:{match:<game>}``
    Hash of the matcher of a game: ``term`` id of its lease, ``until`` uptime at which the lease ends, ``replica`` that
    holds it, ``handled`` id of the last message that it has handled. Also the name of a sharded channel.
    Lifetime: an hour after its last use, by the clock of Redis, as for the next two.
``skerry:{match:<game>}:messages``
    Stream of messages from replicas to the matcher, in the one field ``message``. Handled ones are removed.
``skerry:{match:<game>}:news``
    Stream of the last 256 rounds of the matcher: a field for each replica that a round has news for.
``skerry:{match:<game>}:agreed``
    Sorted set of agreed matches whose sessions are about to be created. All scores are 0.
    Lifetime: none. An entry goes when its session exists.
``skerry:{match:<game>}:no_shows``
    Sorted set of callers that did not confirm a proposal, by the time and number of such proposals (``no_shows.py``).
    Lifetime: two hours after its last use, by the clock of Redis.
``skerry:{match:<game>}:claim:<ticket>``
    The session in which a ticket has its seat or is about to get it.
    Lifetime: ten minutes, by the clock of Redis.
``skerry:{resource:<resource>}:<part>``
    Hash: a part of a resource beside sessions, such as a ladder, the bots, the webhook endpoints,
    the bans or the audit log (``resource_port.py``).
    Lifetime: none. The part ``revisions`` has the number of changes of each other part, by key.

Keys whose lifetime is not by the clock of Redis have no TTL. Redis measures TTLs by the wall clock: a clock that jumps
a week ahead would end every game, and so would a week without a running replica. Each commit writes ``e``; the
queue ``expiry`` has every session. It is written when a session is created, and corrected when the session is checked.
So an entry there can be too early and is never too late.

The braces make a hash tag: in a cluster all keys of a session are in one slot, and so are the two keys of the list in
braces. The channel has the name of the hash, because scripts declare that key anyway. The sequence is stored in
decimal: it compares as a string, and is valid as an entry id of the stream.

Format 0 is the store of the builds that wrote no format number. It has the same sessions, but some of those builds had
other indexes (``FORMAT_0_INDEXES``), and the earliest gave sessions a TTL instead of ``e``.

``tests/store/test_redis_keys.py`` compares this list with the code and the scripts.
"""

from __future__ import annotations

import re

from redis import crc

LISTED = b"skerry:sessions"
INDEX_KEYS = b"skerry:{%s}:index_keys" % LISTED
KEYS_OF = b"skerry:{%s}:keys_of" % LISTED
STORE = b"skerry:store"
REPLICAS = b"skerry:{%s}:replicas" % STORE
PRESENCE = b"skerry:presence"
_SHARDS = 8
_SLOTS = 16_384
"""Slots of a cluster."""

UPTIME, LATEST_TIME = b"a", b"w"
"""Fields of ``STORE``: the uptime in ms, and the latest wall-clock time of any replica in ms since 1970."""


def load_of(replica: str) -> bytes:
    """Return the field of ``STORE`` with the load of a replica (``replica_registry.py``)."""
    return b"load:%s" % replica.encode()


def drain_of(replica: str) -> bytes:
    """Return the field of ``STORE`` that marks a replica that drains."""
    return b"drain:%s" % replica.encode()


LINEAGE = b"l"
"""Field of ``STORE``: absent as long as no stored entry is known to be lost."""
ARCHIVE_ID = b"x"
"""Field of ``STORE``: the archive to which sessions move; absent until the first move."""
BANS_CHANGED = b"n"
"""Field of ``STORE``: changes with the bans, so that a tick notices; absent until the first ban."""
FORMAT, BUILD = b"f", b"b"
"""Fields of ``STORE``: the number of its format in decimal, and the build that wrote the store in that format."""

HEADS = "skerry:{*}"
"""Pattern of the keys of all sessions' hashes, and of a few other keys (``session_in``)."""
_HEAD = re.compile(rb"skerry:\{([\w-]+)\}", re.ASCII)
RESOURCE_PARTS = "skerry:{resource:*}:*"
"""Pattern of the keys of all parts of resources."""
REVISIONS = "revisions"
_PART = re.compile(rb"skerry:\{resource:([^{}]+)\}:(.+)", re.ASCII)
FORMAT_0_INDEXES = {
    "ends": b"skerry:ends",
    "expiry": b"skerry:expiry",
    "reminders": b"skerry:reminders",
    "timers": b"skerry:timers",
    "outbox": b"skerry:outbox",
    "deliveries": b"skerry:deliveries",
    "finished": b"skerry:finished",
    "seen": b"skerry:seen",
    "facets": b"skerry:{%s}:facets" % LISTED,
    "found": b"skerry:{%s}:found" % LISTED,
}
"""Indexes of format 0 that later builds do not read."""

SEQUENCE, RECORD, SNAPSHOT, WINDOW, HASH, EXPIRES = b"s", b"r", b"t", b"q", b"m", b"e"
"""Fields of a session's hash."""
BATCH = b"b"
"""Field of a record of a session's log."""


def head(session: str) -> bytes:
    """Return the key of a session's hash."""
    return b"skerry:{%s}" % session.encode()


def session_in(key: bytes) -> str | None:
    """Return the session of the key of a hash; ``None`` for any other key."""
    found = _HEAD.fullmatch(key)
    return found[1].decode() if found else None


def log(session: str) -> bytes:
    """Return the key of a session's log."""
    return b"skerry:{%s}:log" % session.encode()


def replicated(session: str) -> bytes:
    """Return the key that is written for replicas to confirm, and never read."""
    return b"skerry:{%s}:replicated" % session.encode()


def seat(session: str, number: int) -> bytes:
    """Return the entry of a seat in ``PRESENCE``."""
    return b"%s:%d" % (session.encode(), number)


def due(shard: int, queue: str) -> bytes:
    """Return the key of a shard of a queue. All queues of a shard are in one slot."""
    return b"skerry:{due:%d}:%s" % (shard, queue.encode())


def shards(queue: str) -> list[bytes]:
    """Return the keys of all shards of a queue."""
    return [due(shard, queue) for shard in range(_SHARDS)]


def shard_of(session: str) -> int:
    """Return the shard of a session: each has an equal range of slots."""
    return crc.key_slot(head(session)) * _SHARDS // _SLOTS


def delivery_state(slot: str) -> bytes:
    """Return the field of a session's hash for the state of a webhook delivery."""
    return b"w:%s" % slot.encode()


def player_sessions(player: str) -> bytes:
    """Return the key of the sessions of a vouched player, by id, which has letters, digits and an underscore."""
    return b"skerry:{player:%s}:sessions" % player.encode()


def heartbeat(number: int) -> bytes:
    """Return the key of that number of those that are written to see whether a server accepts writes."""
    return b"skerry:{heartbeat:%d}" % number


def quota(kind: str, key: str) -> bytes:
    """Return the key of a quota for calls of that kind. All quotas of a kind are in one slot."""
    return b"skerry:{quota:%s}:%s" % (kind.encode(), key.encode())


def matcher(game: str) -> bytes:
    """Return the key of the matcher of a game, which is the name of its channel too."""
    return b"skerry:{match:%s}" % game.encode()


def match_messages(game: str) -> bytes:
    """Return the key of the messages to the matcher of a game."""
    return b"skerry:{match:%s}:messages" % game.encode()


def match_news(game: str) -> bytes:
    """Return the key of the news from the matcher of a game."""
    return b"skerry:{match:%s}:news" % game.encode()


def agreed_matches(game: str) -> bytes:
    """Return the key of the agreed matches of a game."""
    return b"skerry:{match:%s}:agreed" % game.encode()


def match_no_shows(game: str) -> bytes:
    """Return the key of the callers that did not confirm proposals of a game."""
    return b"skerry:{match:%s}:no_shows" % game.encode()


def match_type(key: bytes) -> str:
    """Return the type of the value under a key of the matchmaker."""
    field = key.partition(b"}")[2]
    types = {b"": "hash", b":messages": "stream", b":news": "stream", b":agreed": "zset", b":no_shows": "zset"}
    return types.get(field, "string")


def match_claim(game: str, ticket: str) -> bytes:
    """Return the key of the claim of a ticket."""
    return b"skerry:{match:%s}:claim:%s" % (game.encode(), ticket.encode())


def resource_part(resource: str, part: str) -> bytes:
    """Return the key of a part of a resource."""
    return b"skerry:{resource:%s}:%s" % (resource.encode(), part.encode())


def part_in(key: bytes) -> tuple[str, str] | None:
    """Return the resource and the part of a key; ``None`` for any other key."""
    found = _PART.fullmatch(key)
    return (found[1].decode(), found[2].decode()) if found else None


channel = head
