"""The check of the matchmaker's keys, for ``skerry doctor``. It writes nothing."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from skerry_games.catalogue import supported_games
from skerry_service.matching.no_shows import is_sound
from skerry_service.matching.tickets import read_agreement, read_message, read_news
from skerry_service.store import redis_keys
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.stored_values import number_of

_ID = re.compile(rb"\d+-\d+")
_Check = Callable[[RedisStore, bytes, int], Awaitable[bool]]


async def damaged_keys(store: RedisStore) -> list[str]:
    """Return the keys that have something that the matchmaker cannot read. Claims are left out: they expire soon.

    Raises StoreUnavailable.
    """
    found, uptime_ms = [], await store.uptime_ms()
    for ruleset in sorted({game.ruleset for game in supported_games()}):
        for name, is_readable in _CHECKS.items():
            key = name(ruleset)
            kind = (await store.query("TYPE", key)).decode()
            if kind != "none" and not (kind == redis_keys.match_type(key) and await is_readable(store, key, uptime_ms)):
                found.append(key.decode())
    return found


async def _matcher(store: RedisStore, key: bytes, _: int) -> bool:
    term, replica, until, handled = await store.query("HMGET", key, "term", "replica", "until", "handled")
    return bool(term and replica and until == b"%d" % number_of(until) and _ID.fullmatch(handled or b"0-0"))


async def _messages(store: RedisStore, key: bytes, _: int) -> bool:
    entries = await store.query("XRANGE", key, "-", "+")
    return all(fields[0] == b"message" and read_message(fields[1]) is not None for _, fields in entries)


async def _news(store: RedisStore, key: bytes, _: int) -> bool:
    entries = await store.query("XRANGE", key, "-", "+")
    return all(read_news(packed) is not None for _, fields in entries for packed in fields[1::2])


async def _agreed(store: RedisStore, key: bytes, _: int) -> bool:
    return all(read_agreement(packed) is not None for packed in await store.query("ZRANGE", key, 0, -1))


async def _no_shows(store: RedisStore, key: bytes, uptime_ms: int) -> bool:
    scores = (await store.query("ZRANGE", key, 0, -1, "WITHSCORES"))[1::2]
    return all(score.isdigit() and is_sound(int(score), uptime_ms) for score in scores)


_CHECKS: dict[Callable[[str], bytes], _Check] = {
    redis_keys.matcher: _matcher,
    redis_keys.match_messages: _messages,
    redis_keys.match_news: _news,
    redis_keys.agreed_matches: _agreed,
    redis_keys.match_no_shows: _no_shows,
}
