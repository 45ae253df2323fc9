"""Erasure of a player from the log of a session that stays in the store.

The log is written anew, with a neutral name in the player's place, and so is all that follows from it. So the hashes of
the log change. A client that follows the session sees a log that was rolled back, and reads it again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import count

from msgspec.structs import replace

from skerry_service.domain.cooperative import CooperativeTask
from skerry_service.domain.log import Batch, Created, Entry, Joined, WebhookSet, chained_hash_of, pack
from skerry_service.domain.packed import head_of
from skerry_service.domain.record import Record, SeatRecord
from skerry_service.domain.seating.display_names import FORGOTTEN, look_alike
from skerry_service.domain.table import Change
from skerry_service.sessions.loader import replay, report_damage
from skerry_service.sessions.store_port import ArchivedData


def without_texts(session: str, found: ArchivedData, texts: Collection[str]) -> CooperativeTask[ArchivedData]:
    """Return a session without a player's names and ids, which are ``texts``. The seats stay taken, by the same tokens.

    The player's webhooks go, and so do the requests whose hashes cover a name. Raises SessionDamaged, GameNotFound,
    RulesetUnsupported.
    """
    changes = yield from replay(session, found.batches)
    neutral = _neutral_names(changes, texts)
    batches, after, rewritten = list[bytes](), b"", set[int]()
    for change in changes:
        entries = tuple([_without(entry, change.table.record, texts, neutral) for entry in change.batch.entries])
        if entries != change.batch.entries:
            rewritten.add(change.batch.last)
        batches.append(pack(replace(change.batch, entries=entries, after=after)))
        after = chained_hash_of(batches[-1])
    again = yield from replay(session, batches)
    if not again or again[-1].table.sequence != found.head.sequence:
        raise report_damage(session, f"its log does not lead to entry {found.head.sequence} of its head")
    requests = tuple([(one, done) for one, done in found.requests if done.last not in rewritten])
    return ArchivedData(head_of(again[-1].table), tuple(batches), requests)


def people_of(batches: Iterable[Batch]) -> Iterator[tuple[str, str]]:
    """Yield display name and id of each player who joined, or for whom a seat was reserved."""
    for batch in batches:
        for entry in batch.entries:
            if isinstance(entry, Joined):
                yield entry.name, entry.player_id
            elif isinstance(entry, Created):
                yield from ((one.name, one.player_id) for one in entry.record.seats)


def _neutral_names(changes: Iterable[Change], texts: Collection[str]) -> Mapping[str, str]:
    """Return a neutral name for each name among the texts. No other name in the session looks like it."""
    names = list(dict.fromkeys(name for name, _ in people_of(change.batch for change in changes) if name))
    taken = [name for name in names if name not in texts]
    free = (FORGOTTEN if number == 1 else f"{FORGOTTEN} {number}" for number in count(1))
    free = (one for one in free if not any(look_alike(one, name) for name in taken))
    return {name: next(free) for name in names if name in texts}


def _without(entry: Entry, after: Record, texts: Collection[str], neutral: Mapping[str, str]) -> Entry:
    """Return an entry without the texts. ``after``: the record after the entry."""

    def hidden(one: SeatRecord) -> SeatRecord:
        if not _is_one_of(one.name, one.player_id, texts):
            return one
        return replace(one, name=neutral.get(one.name, one.name), player_id=_kept(one.player_id, texts), webhook=None)

    match entry:
        case Created(record) if any(_is_one_of(one.name, one.player_id, texts) for one in record.seats):
            # The hash of the request covers the names of a rematch, without a salt.
            return Created(replace(record, seats=tuple(map(hidden, record.seats)), request=b""))
        case Joined(_, name, _, player_id) if _is_one_of(name, player_id, texts):
            return replace(entry, name=neutral.get(name, name), player_id=_kept(player_id, texts))
        case WebhookSet(seat, webhook) if webhook is not None and seat is not None:
            one = after.seats[seat]
            return replace(entry, webhook=None) if _is_one_of(one.name, one.player_id, texts) else entry
    return entry


def _is_one_of(name: str, player_id: str, texts: Collection[str]) -> bool:
    return name in texts or player_id in texts


def _kept(text: str, texts: Collection[str]) -> str:
    return "" if text in texts else text
