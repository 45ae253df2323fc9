"""Index keys: a public session is listed under one for its game and state, and under one more for each of its labels.

A filtered list reads a few index keys, however many other sessions there are: one key where the filter names the game,
the state and at most one label, else one for each combination of game and state.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

from skerry_service.domain.delay import is_unlisted, listed_record
from skerry_service.domain.record import Phase, Record, Visibility

INDEX_KEY_BYTES = 8
NO_CHANGES = frozenset[bytes](), frozenset[bytes]()
"""What a change comes to be found under, and what it leaves, that moves nothing."""
LISTED_PHASES = (Phase.LOBBY, Phase.PLAYING, Phase.FINISHED)
"""What was called off is in no list."""


def index_keys_of(record: Record) -> frozenset[bytes]:
    """Return what a session is found under; nothing if it is in no list."""
    if record.visibility is not Visibility.PUBLIC or is_unlisted(record):
        return frozenset()
    phases: tuple[Phase, ...] = (record.phase,)
    if record.delay is not None and record.phase is not Phase.LOBBY:
        # Where it stands tells nobody what is not shown yet: from its beginning on it stands where it will when over.
        record, phases = listed_record(record), (Phase.PLAYING, Phase.FINISHED)
    tags = ["", *(one for label in record.labels for one in (_label_tag(label[0], None), _label_tag(*label)))]
    tags += [_reservation_tag(record.seats[seat].reserved_for) for seat in record.open_seats()]
    return frozenset(_index_key(record.game, phase, tag) for phase in phases for tag in tags)


def index_keys_for(
    games: Iterable[str], phase: Phase | None, label: tuple[str, str | None] | None, bot: str
) -> tuple[bytes, ...]:
    """Return under which index_keys those are found, and perhaps others, who are asked for.

    ``label``: key, and value unless any will do; ``bot``: a handle for which a seat is reserved, or empty.
    """
    tag = _reservation_tag(bot) if bot else _label_tag(*label) if label else ""
    return tuple(_index_key(game, one, tag) for game in games for one in ((phase,) if phase else LISTED_PHASES))


def index_key_changes(before: Record, after: Record) -> tuple[frozenset[bytes], frozenset[bytes]]:
    """Return the index_keys that a session comes to be found under by a change, and those that it leaves."""
    if _same_keys(before, after):
        return NO_CHANGES
    old, new = index_keys_of(before), index_keys_of(after)
    return new - old, old - new


def _same_keys(before: Record, after: Record) -> bool:
    """Whether no field that index keys are made of has changed."""
    if before.phase is not after.phase or before.labels != after.labels:
        return False
    return not any(one.reserved_for for one in before.seats)


def _label_tag(key: str, value: str | None) -> str:
    return f"label {key}" if value is None else f"label {key}={value}"


def _reservation_tag(handle: str) -> str:
    return f"reserved {handle}" if handle else ""


@lru_cache(maxsize=1 << 12)
def _index_key(game: str, phase: Phase, tag: str) -> bytes:
    """Return a index_key: a digest, so that nobody's words become a part of a name in the store."""
    return blake2b(f"{game} {phase:d} {tag}".encode(), digest_size=INDEX_KEY_BYTES).digest()
