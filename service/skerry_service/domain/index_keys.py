"""Index keys of the list of public sessions: one for each session's game and phase, and more for its labels.

A filtered list reads few index keys, whatever the number of other sessions: one key if the filter names the game, the
phase and at most one label, otherwise one for each combination of game and phase.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

from skerry_service.domain.delay import is_unlisted, listed_record
from skerry_service.domain.limits import VOUCHED_PREFIX
from skerry_service.domain.record import Phase, Record, Visibility

INDEX_KEY_BYTES = 8
_RATED_TAG = "rated people"
NO_CHANGES = frozenset[bytes](), frozenset[bytes]()
"""Index keys added and removed by a change that affects none."""
LISTED_PHASES = (Phase.LOBBY, Phase.PLAYING, Phase.FINISHED)
"""The phases that lists contain: all but CANCELLED."""


def index_keys_of(record: Record) -> frozenset[bytes]:
    """Return the index keys of a session; none if lists do not contain it."""
    if record.visibility is not Visibility.PUBLIC or is_unlisted(record):
        return frozenset()
    phases: tuple[Phase, ...] = (record.phase,)
    if record.delay is not None and record.phase is not Phase.LOBBY:
        # From its start, a delayed game has the keys of both phases, so the index does not reveal its end.
        record, phases = listed_record(record), (Phase.PLAYING, Phase.FINISHED)
    tags = ["", *(one for label in record.labels for one in (_label_tag(label[0], None), _label_tag(*label)))]
    tags += [_RATED_TAG] * (record.rated and has_distinct_player_ids(record))
    tags += [_reservation_tag(record.seats[seat].reserved_for) for seat in record.open_seats()]
    return frozenset(_index_key(record.game, phase, tag) for phase in phases for tag in tags)


def index_keys_for(
    games: Iterable[str], phase: Phase | None, label: tuple[str, str | None] | None, bot: str
) -> tuple[bytes, ...]:
    """Return the index keys to read for a filter. They contain all matching sessions, and perhaps others.

    ``label``: a key, and a value or ``None`` for any. ``bot``: the handle that a seat is reserved for; empty for none.
    """
    tag = _reservation_tag(bot) if bot else _label_tag(*label) if label else ""
    return tuple(_index_key(game, one, tag) for game in games for one in ((phase,) if phase else LISTED_PHASES))


def rated_index_keys(game: str) -> tuple[bytes, ...]:
    """Return the index keys of a game's rated sessions that have begun, with an id of its own for each player."""
    return tuple(_index_key(game, phase, _RATED_TAG) for phase in (Phase.PLAYING, Phase.FINISHED))


def has_distinct_player_ids(record: Record) -> bool:
    """Return whether each seat has a player with an id of its own."""
    ids = _player_ids(record)
    return "" not in ids and len(set(ids)) == len(ids)


def vouched_players(record: Record) -> frozenset[str]:
    """Return the ids of the vouched players who have a seat, or for whom one is kept. They can list the session."""
    return frozenset(one.player_id for one in record.seats if one.player_id.startswith(VOUCHED_PREFIX))


def index_key_changes(before: Record, after: Record) -> tuple[frozenset[bytes], frozenset[bytes]]:
    """Return the index keys that a change adds to a session, and those that it removes."""
    if _same_keys(before, after):
        return NO_CHANGES
    old, new = index_keys_of(before), index_keys_of(after)
    return new - old, old - new


def _same_keys(before: Record, after: Record) -> bool:
    """Return whether the fields that index keys derive from are unchanged."""
    if before.phase is not after.phase or before.labels != after.labels:
        return False
    if before.rated and _player_ids(before) != _player_ids(after):
        return False
    return not any(one.reserved_for for one in before.seats)


def _player_ids(record: Record) -> list[str]:
    return [one.player_id for one in record.seats]


def _label_tag(key: str, value: str | None) -> str:
    return f"label {key}" if value is None else f"label {key}={value}"


def _reservation_tag(handle: str) -> str:
    return f"reserved {handle}" if handle else ""


@lru_cache(maxsize=1 << 12)
def _index_key(game: str, phase: Phase, tag: str) -> bytes:
    """Return an index key: a digest, so that no user's text becomes part of a key in the store."""
    return blake2b(f"{game} {phase:d} {tag}".encode(), digest_size=INDEX_KEY_BYTES).digest()
