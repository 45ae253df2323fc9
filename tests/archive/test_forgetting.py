"""A player's name and id can go: the game stays, verifies, and nothing is left by which a guess could be tried."""

from __future__ import annotations

import gzip
from hashlib import blake2b

import pytest
from msgspec.structs import replace

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.catalogue import all_games
from skerry_service.api.session_methods import Methods
from skerry_service.archive.archive import Archive
from skerry_service.archive.archived_session import ArchivedSession, archived_from, forget, restored
from skerry_service.archive.erasure import ErasureResult, ErasureSubject, SessionEraser
from skerry_service.archive.locations import path_of
from skerry_service.archive.mover import Mover
from skerry_service.archive.redaction import commitment_to
from skerry_service.domain.errors import SessionDamaged
from skerry_service.domain.log import pack
from skerry_service.domain.record import unpack_record
from skerry_service.domain.table import BOT, OPEN
from skerry_service.replays.archived_replay import replay_of
from skerry_service.replays.verification import first_difference
from skerry_service.sessions.service import Sessions
from tests.archive.games import Place, finished, received
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, Sitting, begin, move_once, uuid

ADA, BOB = "Ada Lovelace", "Bob"
ADAS_ID = "shop:4711"


async def played(sessions: Sessions, request: int = 1) -> Sitting:
    """Return a game that Ada has given up, with ids."""
    sitting = await begin(sessions, all_games()["kreta"], OPEN, OPEN, public_player_ids=True)
    for name, player_id in ((ADA, ADAS_ID), (BOB, "shop:12")):
        joined = await sessions.players.join(sitting.id, name, None, uuid(request), player_id=player_id)
        sitting.seats.append(joined[2])
        request += 1
    await move_once(sessions, sitting)
    await sessions.players.resign(sitting.id, sitting.seats[0], None)
    return sitting


@pytest.fixture
def forgetting(store: FaultyStore, archive: Archive) -> SessionEraser:
    return SessionEraser(store, archive)


async def replay(store: FaultyStore, archive: Archive, sitting: Sitting) -> session_pb2.Replay:
    sessions = Sessions(store, clock_ms=Clock(), archive=archive)
    answer = await Methods(sessions).get_replay(pb.GetReplayRequest(name=f"sessions/{sitting.id}"), None)
    await sessions.close()
    return answer.message.replay


def plain(place: Place, session: str) -> bytes:
    """Return all that lies in the archive of a session, unpacked, its log too."""
    return gzip.decompress(place.inner.read(str(path_of(session))) or b"")


@pytest.mark.parametrize(
    "who",
    [ErasureSubject(player_id=ADAS_ID), ErasureSubject(name=ADA), ErasureSubject(seat=0)],
    ids=["id", "name", "seat"],
)
async def test_who_is_forgotten_is_nowhere_in_the_game_and_everything_else_is(
    store: FaultyStore,
    sessions: Sessions,
    archive: Archive,
    place: Place,
    forgetting: SessionEraser,
    who: ErasureSubject,
) -> None:
    sitting = await played(sessions)
    before = await replay(store, archive, sitting)
    assert ADA in str(before) and ADAS_ID in str(before)
    assert await forgetting.in_session(sitting.id, who) == ErasureResult(sitting.id, "forgotten")
    after = await replay(store, Archive(place), sitting)
    assert ADA not in str(after) and ADAS_ID not in str(after)
    assert [seat.display_name for seat in after.session.seats] == ["Forgotten 1", BOB]
    assert [seat.player_id for seat in after.session.seats] == ["", "shop:12"]
    assert after.session.outcome.reason == "Forgotten 1 resigned."
    assert str(after).replace("Forgotten 1", ADA) == "".join(
        line for line in str(before).splitlines(keepends=True) if ADAS_ID not in line
    )
    assert first_difference(after) is None
    data = plain(place, sitting.id)
    assert ADA.encode() not in data and ADAS_ID.encode() not in data and BOB.encode() in data
    assert await forgetting.in_session(sitting.id, who) == ErasureResult(sitting.id, "nobody")


async def test_no_hash_of_the_log_changes_and_none_is_left_by_which_to_guess(
    sessions: Sessions, archive: Archive, mover: Mover, forgetting: SessionEraser
) -> None:
    sitting = await played(sessions)
    await mover.move(sitting.id)
    before = await archive.get(sitting.id)
    await forgetting.in_session(sitting.id, ErasureSubject(name=ADA))
    after = await archive.get(sitting.id)
    assert before is not None and after is not None
    assert (after.batches, after.tip) == (before.batches, before.tip)
    assert [one.commitment for one in after.texts] == [one.commitment for one in before.texts]
    salts = {one.text: one.salt for one in before.texts}
    assert commitment_to(ADA, salts[ADA]) in {one.commitment for one in after.texts}
    assert salts[ADA] not in pack(after) and salts[ADAS_ID] not in pack(after) and salts[BOB] in pack(after)
    assert len({*salts.values()}) == 4 and all(len(salt) == 16 for salt in salts.values())
    # What the store's log hashed to, with the name in it, and hashes of what was asked.
    assert (after.origin, after.requests) == (b"", ()) != (before.origin, before.requests)
    guess = replace(after, texts=before.texts)
    assert blake2b(restored(guess)[-1], digest_size=8).digest() == before.origin not in pack(after)


async def test_a_name_that_the_log_does_not_commit_to_is_noticed(
    store: FaultyStore, sessions: Sessions, archive: Archive, mover: Mover
) -> None:
    sitting = await played(sessions)
    await mover.move(sitting.id)
    kept = await archive.get(sitting.id)
    assert kept is not None
    forged = replace(kept, texts=(replace(kept.texts[0], text="Eve"), *kept.texts[1:]))
    swapped = replace(kept, batches=(*kept.batches[:-1], kept.batches[-2]))
    shorter = replace(kept, batches=kept.batches[:-1])
    nameless = replace(kept, texts=kept.texts[1:])
    for one in (forged, swapped, shorter, nameless):
        with pytest.raises(ValueError, match=r"name|log"):
            replay_of(one)
        await archive.rewrite(one)
        another = Sessions(store, clock_ms=Clock(), archive=archive)
        with pytest.raises(SessionDamaged):
            await another.get(sitting.id, None)
        await another.close()


async def test_replicas_show_the_name_for_no_longer_than_they_know_the_game(
    store: FaultyStore, place: Place, sessions: Sessions, mover: Mover
) -> None:
    sitting, now = await played(sessions), [0.0]
    await mover.move(sitting.id)
    reading = Sessions(store, clock_ms=Clock(), archive=Archive(place, clock=lambda: now[0]))
    assert any(
        ADA.encode() in answer for answer in (await received(reading, sitting)).values() if isinstance(answer, bytes)
    )
    await SessionEraser(store, Archive(place)).in_session(sitting.id, ErasureSubject(seat=0))
    now[0] += 61.0
    answers = await received(reading, sitting)
    assert ADA not in str(answers) and b"Forgotten 1" in answers["None gets"]
    await reading.close()


async def test_a_player_is_forgotten_in_all_games(
    store: FaultyStore, sessions: Sessions, archive: Archive, mover: Mover, forgetting: SessionEraser
) -> None:
    in_archive, in_store = await played(sessions, 1), await played(sessions, 5)
    await mover.move(in_archive.id)
    rematch = (await sessions.rematches.rematch(in_archive.id, in_archive.seats[1])).table.record.id
    without = await finished(sessions)
    await mover.move(without.id)
    found = {one.session: one.outcome async for one in forgetting.everywhere(ADAS_ID)}
    assert found == {in_archive.id: "forgotten", in_store.id: "forgotten", rematch: "forgotten"}
    assert await store.load(in_store.id) is None
    assert [one async for one in forgetting.everywhere("shop:nobody")] == []


async def test_a_damaged_session_is_named_and_keeps_no_other_from_being_looked_at(
    store: FaultyStore, sessions: Sessions, mover: Mover, forgetting: SessionEraser
) -> None:
    in_archive, torn, in_store = [await played(sessions, request) for request in (1, 5, 9)]
    await mover.move(in_archive.id)
    store._sessions[torn.id].batches[2] = b"rubbish"
    found = {one.session: one.outcome async for one in forgetting.everywhere(ADAS_ID)}
    assert found == {in_archive.id: "forgotten", torn.id: "unreadable", in_store.id: "forgotten"}


async def test_a_rematch_is_forgotten_with_the_names_that_were_kept_in_it(
    store: FaultyStore, sessions: Sessions, archive: Archive, place: Place, forgetting: SessionEraser
) -> None:
    sitting = await played(sessions)
    seated = [await sessions.rematches.rematch(sitting.id, token) for token in sitting.seats]
    again = Sitting(seated[0].table.record.id, seated[0].host, "", [one.token for one in seated])
    await sessions.players.resign(again.id, again.seats[0], None)
    before = await received(sessions, again)
    await Mover(store, archive, 0).move(again.id)
    assert await received(Sessions(store, clock_ms=Clock(), archive=archive), again) == before
    await forgetting.in_session(again.id, ErasureSubject(player_id=ADAS_ID))
    data = plain(place, again.id)
    assert ADA.encode() not in data and BOB.encode() in data
    after = await replay(store, Archive(place), again)
    assert first_difference(after) is None and ADA not in str(after)


async def test_what_was_forgotten_while_the_store_still_had_it_stays_forgotten(
    store: FaultyStore, sessions: Sessions, archive: Archive, mover: Mover
) -> None:
    """The mover died before the session left the store, and another mover goes on."""
    sitting = await played(sessions)
    found = await store.finished.read(sitting.id)
    head = await store.load(sitting.id)
    assert found is not None and head is not None
    await archive.begin()
    await archive.put(archived_from(unpack_record(head.record), found))
    await SessionEraser(None, archive).in_session(sitting.id, ErasureSubject(name=ADA))
    assert await mover.move(sitting.id)
    assert await store.load(sitting.id) is None
    assert ADA not in str(await replay(store, archive, sitting))


async def test_it_is_said_where_nothing_can_be_forgotten(
    store: FaultyStore, sessions: Sessions, archive: Archive, forgetting: SessionEraser
) -> None:
    bots = await begin(sessions, all_games()["kreta"], BOT, BOT)
    lobby = await begin(sessions, all_games()["kreta"], OPEN, OPEN)
    assert (await forgetting.in_session(bots.id, ErasureSubject(seat=0))).outcome == "nobody"
    assert (await forgetting.in_session(lobby.id, ErasureSubject(name=ADA))).outcome == "nobody"
    await archive.begin()
    assert (await forgetting.in_session("a" * 16, ErasureSubject(name=ADA))).outcome == "missing"
    over = await played(sessions)
    assert (await forgetting.in_session(over.id, ErasureSubject(seat=9))).outcome == "nobody"
    assert (await SessionEraser(None, archive).in_session(over.id, ErasureSubject(name=ADA))).outcome == "forgotten"


def test_what_is_forgotten_of_nobody_is_the_same() -> None:
    kept = ArchivedSession(1, "a" * 16, "kreta", 0, (), (), b"", b"origin", ())
    assert forget(kept, {"Ada"}) is kept
