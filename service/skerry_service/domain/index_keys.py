"""Index keys: a public session is listed under one for its game and state, and under one more for each of its labels.

A filtered list reads a few index keys, however many other sessions there are: one key where the filter names the game,
the state and at most one label, else one for each combination of game and state.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

from skerry_service.domain.delay import leaves_lists, listed
from skerry_service.domain.record import Phase, Record, Visibility

FACET_BYTES = 8
NOWHERE = frozenset[bytes](), frozenset[bytes]()
"""What a change comes to be found under, and what it leaves, that moves nothing."""
LISTED = (Phase.LOBBY, Phase.PLAYING, Phase.FINISHED)
"""What was called off is in no list."""


def index_keys_of(record: Record) -> frozenset[bytes]:
    """Return what a session is found under; nothing if it is in no list."""
    if record.visibility is not Visibility.PUBLIC or leaves_lists(record):
        return frozenset()
    phases: tuple[Phase, ...] = (record.phase,)
    if record.delay is not None and record.phase is not Phase.LOBBY:
        # Where it stands tells nobody what is not shown yet: from its beginning on it stands where it will when over.
        record, phases = listed(record), (Phase.PLAYING, Phase.FINISHED)
    tags = ["", *(one for label in record.labels for one in (_labelled(label[0], None), _labelled(*label)))]
    tags += [_reserved(record.seats[seat].reserved_for) for seat in record.open_seats()]
    return frozenset(_facet(record.game, phase, tag) for phase in phases for tag in tags)


def index_keys_for(
    games: Iterable[str], phase: Phase | None, label: tuple[str, str | None] | None, bot: str
) -> tuple[bytes, ...]:
    """Return under which index_keys those are found, and perhaps others, who are asked for.

    ``label``: key, and value unless any will do; ``bot``: a handle for which a seat is reserved, or empty.
    """
    tag = _reserved(bot) if bot else _labelled(*label) if label else ""
    return tuple(_facet(game, one, tag) for game in games for one in ((phase,) if phase else LISTED))


def moved(before: Record, after: Record) -> tuple[frozenset[bytes], frozenset[bytes]]:
    """Return the index_keys that a session comes to be found under by a change, and those that it leaves."""
    if _alike(before, after):
        return NOWHERE
    old, new = index_keys_of(before), index_keys_of(after)
    return new - old, old - new


def _alike(before: Record, after: Record) -> bool:
    """Whether no field that index keys are made of has changed."""
    if before.phase is not after.phase or before.labels != after.labels:
        return False
    return not any(one.reserved_for for one in before.seats)


def _labelled(key: str, value: str | None) -> str:
    return f"label {key}" if value is None else f"label {key}={value}"


def _reserved(handle: str) -> str:
    return f"reserved {handle}" if handle else ""


@lru_cache(maxsize=1 << 12)
def _facet(game: str, phase: Phase, tag: str) -> bytes:
    """Return a index_key: a digest, so that nobody's words become a part of a name in the store."""
    return blake2b(f"{game} {phase:d} {tag}".encode(), digest_size=FACET_BYTES).digest()
