"""Players add entropy to the seed when they join: its hash is public at once, itself after the game, and verified."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from skerry.v1 import session_pb2
from skerry_games.api import CHANCE
from skerry_games.kreta import GAME as KRETA
from skerry_games.rng import SeededRng, chance_seed
from skerry_service.domain.cooperative import run_to_completion
from skerry_service.domain.errors import InvalidField, RequestIdReused
from skerry_service.domain.log import Moved
from skerry_service.domain.record import AbandonmentPolicy, Record
from skerry_service.domain.table import OPEN, apply_entry
from skerry_service.replays.verification import first_difference
from skerry_service.sessions.service import Sessions
from skerry_service.wire.session_messages import entries_to_wire, write_session
from skerry_service.wire.splice import message_field
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import SEED, Sitting, begin, live, log_of, play_out, uuid

ADA, BOB, EVE = (bytes([number]) * 32 for number in (1, 2, 3))


async def sit(sessions: Sessions, *entropy: bytes, seats: int | None = None, **new: Any) -> Sitting:
    """Create a game and join it with these contributions."""
    sitting = await begin(sessions, KRETA, *(OPEN,) * (seats or len(entropy)), **new)
    for name, added in zip(("Ada", "Bob", "Cyd", "Dot"), entropy, strict=False):
        sitting.seats.append((await sessions.players.join(sitting.id, name, None, None, entropy=added))[2])
    return sitting


async def replay_of(sessions: Sessions, sitting: Sitting) -> session_pb2.Replay:
    """Return the replay of a session as its spectators have it."""
    table, _, log = await sessions.replay(sitting.id, None)
    replay = session_pb2.Replay(session=write_session(table.record, table.sequence, "", with_player_ids=False))
    entries = run_to_completion(entries_to_wire(table, log, None))
    replay.MergeFromString(b"".join(map(message_field(session_pb2.Replay, "entries"), entries)))
    return replay


def shown(record: Record) -> session_pb2.Session:
    return write_session(record, 1, "", with_player_ids=True)


def hash_of(entropy: bytes, sitting: Sitting) -> bytes:
    return sha256(entropy + sitting.id.encode()).digest()


async def test_all_draws_come_from_the_seed_and_the_entropy_of_the_players(
    sessions: Sessions, store: FaultyStore
) -> None:
    sitting = await sit(sessions, ADA, b"", BOB)
    seed, table, drawn = sha256(SEED + ADA + BOB).digest(), None, 0
    for change in await log_of(store, sitting.id):
        for one in change.applied:
            if isinstance(one.entry, Moved) and one.entry.actor == CHANCE:
                assert table is not None
                assert one.move == KRETA.draw(table.state, SeededRng(seed, one.sequence))
                drawn += 1
            table, _ = apply_entry(table, one.entry, one.move)
    assert drawn


def test_without_entropy_the_seed_alone_decides() -> None:
    assert chance_seed(SEED, [b"", b""]) == SEED
    assert chance_seed(SEED, [ADA, b""]) == sha256(SEED + ADA).digest() != chance_seed(SEED, [BOB])


async def test_the_hash_is_public_before_the_deal_and_the_entropy_after_the_game(sessions: Sessions) -> None:
    sitting = await sit(sessions, ADA, seats=2)
    lobby = shown((await sessions.get(sitting.id, None))[0].record)
    assert [(seat.entropy_hash, seat.entropy) for seat in lobby.seats] == [(hash_of(ADA, sitting), b""), (b"", b"")]
    assert not lobby.seats[1].HasField("entropy_hash")
    sitting.seats.append((await sessions.players.join(sitting.id, "Bob", None, None, entropy=BOB))[2])
    playing = shown((await sessions.get(sitting.id, sitting.seats[0]))[0].record)
    assert [seat.entropy for seat in playing.seats] == [b"", b""], "not even to the other player"
    await play_out(sessions, sitting)
    replay = await replay_of(sessions, sitting)
    assert [seat.entropy for seat in replay.session.seats] == [ADA, BOB]
    assert [entry.joined.entropy_hash for entry in replay.entries if entry.HasField("joined")] == [
        hash_of(ADA, sitting),
        hash_of(BOB, sitting),
    ]


async def test_entropy_leaves_with_its_player_in_the_lobby_and_stays_in_play(sessions: Sessions) -> None:
    policy = AbandonmentPolicy(level="slow")
    sitting = await sit(sessions, ADA, seats=2, abandonment=policy)
    await sessions.players.leave(sitting.id, sitting.seats[0], None)
    assert (await live(sessions, Sitting(sitting.id, "", ""))).record.seats[0].entropy == b""
    sitting.seats.clear()
    for name, added in (("Bob", BOB), ("Cyd", b"")):
        sitting.seats.append((await sessions.players.join(sitting.id, name, None, None, entropy=added))[2])
    await sessions.players.leave(sitting.id, sitting.seats[0], None)
    await sessions.host.open_seat(sitting.id, sitting.host, 0, None)
    with pytest.raises(InvalidField, match="entropy: The game has begun"):
        await sessions.players.join(sitting.id, "Eve", None, None, entropy=EVE)
    table, _, _ = await sessions.players.join(sitting.id, "Eve", None, None)
    assert (table.record.seats[0].name, table.record.seats[0].entropy) == ("Eve", BOB)


async def test_a_repeated_join_keeps_its_entropy(sessions: Sessions) -> None:
    sitting = await begin(sessions, KRETA, OPEN, OPEN)
    for _ in range(2):
        table, _, _ = await sessions.players.join(sitting.id, "Ada", None, uuid(1), entropy=ADA)
        assert table.record.seats[0].entropy == ADA
    with pytest.raises(RequestIdReused):
        await sessions.players.join(sitting.id, "Ada", None, uuid(1), entropy=BOB)


async def test_a_rematch_takes_new_entropy(sessions: Sessions) -> None:
    sitting = await sit(sessions, ADA, BOB)
    await play_out(sessions, sitting)
    first = await sessions.rematches.rematch(sitting.id, sitting.seats[0], EVE)
    again = await sessions.rematches.rematch(sitting.id, sitting.seats[0], ADA)
    last = await sessions.rematches.rematch(sitting.id, sitting.seats[1])
    assert first.seat == again.seat == 1
    assert [one.entropy for one in last.table.record.seats] == [b"", EVE]


async def test_a_replay_is_verified_with_the_entropy(sessions: Sessions) -> None:
    sitting = await sit(sessions, ADA, b"", BOB)
    await play_out(sessions, sitting)
    assert first_difference(await replay_of(sessions, sitting)) is None


async def test_seats_that_close_up_are_verified(sessions: Sessions) -> None:
    sitting = await begin(sessions, KRETA, OPEN, OPEN, OPEN)
    for seat, name, added in ((0, "Ada", ADA), (2, "Bob", BOB)):
        sitting.seats.append((await sessions.players.join(sitting.id, name, seat, None, entropy=added))[2])
    await sessions.host.start(sitting.id, sitting.host, False, None)
    await play_out(sessions, sitting)
    assert first_difference(await replay_of(sessions, sitting)) is None


@pytest.mark.parametrize("fraud", ["changed", "left out", "added", "swapped"])
async def test_an_operator_who_changes_the_entropy_is_found_out(sessions: Sessions, fraud: str) -> None:
    sitting = await sit(sessions, ADA, BOB, b"")
    await play_out(sessions, sitting)
    replay = await replay_of(sessions, sitting)
    one, two, three = replay.session.seats
    if fraud == "changed":
        one.entropy = EVE
    elif fraud == "left out":
        one.entropy = b""
    elif fraud == "added":
        three.entropy = EVE
    else:
        one.entropy, two.entropy = BOB, ADA
    found = first_difference(replay)
    assert found is not None
    assert "entropy" in found.sentence
