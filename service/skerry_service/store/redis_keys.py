"""Every name that Skerry uses in Redis, and how long each lives.

========================  ===============================================  =========================================
``skerry:{<id>}``         hash: ``s`` sequence, ``r`` record,              until the store's age is ``e``; then
                          ``t`` snapshot, ``m`` hash, ``q`` request        ``RedisStore.sweep`` deletes it
                          window, ``e`` age at which it ends
``skerry:{<id>}:log``     stream: one record for each batch, its id        the hash's: a log without its head, or the
                          ``<last sequence>-0``, its one field ``b``       reverse, would be a session half lost
``skerry:{<id>}``         sharded channel: each batch as it is stored      none
``skerry:sessions``       sorted set: ids of listed sessions by the time   none of its own; an entry goes when the
                          since when they are listed (ms)                  session is unlisted, or swept
``skerry:{skerry:         sorted set, in the order of bytes: for each      none of its own; a session's entries go
sessions}:index_keys``        index_key that a listed session is found under       with it from the list
                          the index_key, since when it is listed, its id
``skerry:{skerry:         hash: what each listed session is found under    likewise
sessions}:found``         (``relist.lua``)
``skerry:ends``           sorted set: ids of all sessions by the age at    none of its own; an entry goes when the
                          which to look whether their end has come         session is swept
``skerry:reminders``      sorted set: ids of sessions in play at which     none of its own; an entry goes when the
                          something happens by itself, by the age at       game is found over, or gone
                          which to look whether it is due: a bot that
                          thinks, a player who is away, a clock
``skerry:seen``           sorted set: ``<id>:<seat>`` of seats whose       none of its own; an entry goes with the
                          presence is watched, by the age at which their   reminder, or when it is 8 days old
                          players were last seen
``skerry:finished``       sorted set: ids of finished sessions by the age    none of its own; an entry goes when the
                          at which they leave for the archive, where         session has left
                          there is one
``skerry:store``          hash: ``a`` age of the store in ms (``age.py``), the store's
                          ``w`` the latest time that a clock has shown,
                          ``l`` id of what is left since entries were lost,
                          ``x`` id of the archive
``skerry:{quota:<kind>}:  number: the time by which all that a caller, or  until that time, by the clock of Redis
<limit>:<seconds>:<who>`` all of them, took from a limit has come back
                          (us)
``skerry:{<id>}:kept``    empty: written so that replicas confirm what    a second, by the clock of Redis
                          was written before (``calls.py``)
``skerry:note:<name>``     hash: ``v`` version, ``p`` value: who waits for   as long as its writer says, by the clock
                          a table of a game, where somebody was seated     of Redis
========================  ===============================================  =========================================

No key but the last three has a lifetime that Redis knows of. Redis measures by the wall clock: one that jumps a week
ahead would end every game, and so would a week in which nothing ran. A commit writes ``e`` with the rest;
``skerry:ends`` is written when a session is created, and put right by the sweep, so that it may be too early and is
never too late.

The braces make the id the hash tag, so that on a cluster all names of a session lie in one slot, and those of the list
and of what is found there in another. The channel bears the hash's name, which the scripts declare anyway. The sequence
is stored in decimal: it compares as a string and is an entry id of the stream as it stands.
"""

from __future__ import annotations

INDEX = b"skerry:sessions"
INDEX_KEYS = b"skerry:{%s}:index_keys" % INDEX
FOUND_UNDER = b"skerry:{%s}:found" % INDEX
ENDS = b"skerry:ends"
STORE = b"skerry:store"
REMINDERS = b"skerry:reminders"
SEEN = b"skerry:seen"
OUTBOX = b"skerry:outbox"
FINISHED = b"skerry:finished"

LINEAGE = b"l"
"""Field of ``STORE``: absent as long as nothing that was stored is known to be lost."""

ARCHIVE = b"x"
"""Field of ``STORE``: which archive has sessions of this store; absent as long as none has."""

VERSION, VALUE = b"v", b"p"
"""Fields of a note."""
SEQUENCE, RECORD, SNAPSHOT, WINDOW, HASH = b"s", b"r", b"t", b"q", b"m"


def head(session: str) -> bytes:
    """Return the key of a session's hash."""
    return b"skerry:{%s}" % session.encode()


def log(session: str) -> bytes:
    """Return the key of a session's stream."""
    return b"skerry:{%s}:log" % session.encode()


def confirmed(session: str) -> bytes:
    """Return the key that is written where nothing else is, for replicas to confirm."""
    return b"skerry:{%s}:kept" % session.encode()


def seat(session: str, number: int) -> bytes:
    """Return what a seat is called in ``SEEN``."""
    return b"%s:%d" % (session.encode(), number)


def mark(place: str) -> bytes:
    """Return the field of a session's hash in which stands how far something has come that is to be told outside."""
    return b"w:%s" % place.encode()


def quota(kind: str, key: str) -> bytes:
    """Return the key of a number that limits calls of that kind. Those of one kind lie in one slot."""
    return b"skerry:{quota:%s}:%s" % (kind.encode(), key.encode())


def note(name: str) -> bytes:
    """Return the key of a note."""
    return b"skerry:note:%s" % name.encode()


channel = head
