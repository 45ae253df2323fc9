"""RecoverSeat: a vouched player gets a new token for its own seat, and the old one dies at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import BOT, OPEN, Api, Sitting, bearer, create, refused, served
from tests.identity.issuing import token, write_issuers
from tests.identity.test_identity_calls import identity
from tests.store.servers import PATIENCE, ask


@pytest.fixture
def issuers(tmp_path: Path) -> Path:
    return write_issuers(tmp_path / "issuers.json")


@asynccontextmanager
async def seated(
    valkey: EmbeddedServer, issuers: Path, *players: str, seats: int = 2, **fields: Any
) -> AsyncIterator[tuple[Api, Sitting]]:
    """Yield a server and a session whose seats vouched players have taken."""
    await ask(valkey, "FLUSHALL")
    async with served(valkey, issuers=issuers) as api:
        sitting = await create(api, *[OPEN] * seats, **fields)
        for player in players:
            request = pb.JoinSessionRequest(name=sitting.name, display_name=player.capitalize())
            sitting.seats.append((await api.stub.JoinSession(request, metadata=identity(token(player)))).seat_token)
        yield api, sitting


async def recover(api: Api, sitting: Sitting, player: str, **fields: Any) -> pb.RecoverSeatResponse:
    request = pb.RecoverSeatRequest(name=sitting.name, **fields)
    return await api.stub.RecoverSeat(request, metadata=identity(token(player)))


async def position(api: Api, sitting: Sitting, seat_token: str) -> session_pb2.Position:
    request = pb.GetSessionRequest(name=sitting.name)
    return (await api.stub.GetSession(request, metadata=bearer(seat_token))).position


async def test_a_player_continues_on_another_device(valkey: EmbeddedServer, issuers: Path) -> None:
    async with seated(valkey, issuers, "ada", "bob") as (api, sitting):
        recovered = await recover(api, sitting, "bob")
        assert recovered.seat == 1
        assert recovered.seat_token not in sitting.seats
        assert (await position(api, sitting, recovered.seat_token)).seat == 1
        for call in (
            api.stub.GetSession(pb.GetSessionRequest(name=sitting.name), metadata=bearer(sitting.seats[1])),
            api.stub.ResignSession(pb.ResignSessionRequest(name=sitting.name), metadata=bearer(sitting.seats[1])),
        ):
            with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
                await call
        assert (await position(api, sitting, sitting.seats[0])).seat == 0
        log = await api.stub.ListEntries(pb.ListEntriesRequest(name=sitting.name), metadata=bearer(sitting.seats[0]))
        assert [(entry.WhichOneof("kind"), entry.seat) for entry in log.entries][-1] == ("recovered", 1)


async def test_open_streams_of_the_old_token_end(valkey: EmbeddedServer, issuers: Path) -> None:
    async with seated(valkey, issuers, "ada", "bob") as (api, sitting):
        request = pb.ObserveRequest(name=sitting.name)
        old = aiter(api.stub.Observe(request, metadata=bearer(sitting.seats[1])))
        other = aiter(api.stub.Observe(request, metadata=bearer(sitting.seats[0])))
        await anext(old)
        await anext(other)
        await recover(api, sitting, "bob")
        async with asyncio.timeout(PATIENCE):
            with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
                await anext(old)
            assert (await anext(other)).entries[-1].WhichOneof("kind") == "recovered"


async def test_a_repeat_returns_the_same_token_and_changes_nothing(valkey: EmbeddedServer, issuers: Path) -> None:
    async with seated(valkey, issuers, "ada", "bob") as (api, sitting):
        first, second = str(uuid4()), str(uuid4())
        recovered = [await recover(api, sitting, "bob", request_id=first) for _ in range(3)]
        assert len({one.seat_token for one in recovered}) == 1
        assert len({one.session.sequence for one in recovered}) == 1
        newer = await recover(api, sitting, "bob", request_id=second)
        late = await recover(api, sitting, "bob", request_id=first)  # the first response again: its token is void
        assert late.seat_token == recovered[0].seat_token
        assert (await position(api, sitting, newer.seat_token)).seat == 1
        with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
            await position(api, sitting, late.seat_token)
        with refused("INVALID_ARGUMENT", "REQUEST_ID_REUSED"):
            await recover(api, sitting, "bob", request_id=first, seat=1)


async def test_of_concurrent_recoveries_the_last_one_holds_the_seat(valkey: EmbeddedServer, issuers: Path) -> None:
    async with seated(valkey, issuers, "ada", "bob") as (api, sitting):
        answers = await asyncio.gather(*(recover(api, sitting, "bob") for _ in range(4)))
        last = max(answers, key=lambda one: one.session.sequence)
        assert len({one.session.sequence for one in answers}) == len(answers)
        for one in answers:
            if one is last:
                assert (await position(api, sitting, one.seat_token)).seat == 1
            else:
                with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
                    await position(api, sitting, one.seat_token)


async def test_no_other_player_recovers_a_seat(valkey: EmbeddedServer, issuers: Path) -> None:
    async with seated(valkey, issuers, "ada", "bob") as (api, sitting):
        with refused("UNAUTHENTICATED", "IDENTITY_MISSING"):
            await api.stub.RecoverSeat(pb.RecoverSeatRequest(name=sitting.name))
        with refused("UNAUTHENTICATED", "IDENTITY_MISSING"):
            await api.stub.RecoverSeat(pb.RecoverSeatRequest(name=sitting.name), metadata=bearer(sitting.seats[1]))
        with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
            await recover(api, sitting, "eve")
        with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
            await recover(api, sitting, "ada", seat=1)
        with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
            await recover(api, sitting, "ada", seat=7)
        other = await create(api, OPEN, BOT)
        with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
            await recover(api, other, "ada")
        with refused("NOT_FOUND", "SESSION_NOT_FOUND"):
            await api.stub.RecoverSeat(
                pb.RecoverSeatRequest(name="sessions/aaaaaaaaaaaaaaaa"), metadata=identity(token("ada"))
            )
        assert (await position(api, sitting, sitting.seats[1])).seat == 1


async def test_a_player_with_two_seats_names_one(valkey: EmbeddedServer, issuers: Path) -> None:
    async with seated(valkey, issuers, "ada") as (api, sitting):
        request = pb.JoinSessionRequest(name=sitting.name, display_name="Ada too")
        await api.stub.JoinSession(request, metadata=identity(token("ada")))
        with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
            await recover(api, sitting, "ada")
        assert [(await recover(api, sitting, "ada", seat=seat)).seat for seat in (0, 1)] == [0, 1]


async def test_a_seat_is_recovered_in_the_lobby_and_after_leaving(valkey: EmbeddedServer, issuers: Path) -> None:
    async with seated(valkey, issuers, "ada", "bob", seats=3) as (api, sitting):
        ada = await recover(api, sitting, "ada")
        joined = pb.JoinSessionRequest(name=sitting.name, display_name="Cyd")
        await api.stub.JoinSession(joined, metadata=identity(token("cyd")))
        await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(ada.seat_token))
        again = await recover(api, sitting, "ada")
        assert again.session.seats[0].HasField("substitute")
        returned = await api.stub.ReturnToSession(
            pb.ReturnToSessionRequest(name=sitting.name), metadata=bearer(again.seat_token)
        )
        assert not returned.session.seats[0].HasField("substitute")
        await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(again.seat_token))
        await api.stub.OpenSeat(pb.OpenSeatRequest(name=sitting.name, seat=0), metadata=bearer(sitting.host))
        with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
            await recover(api, sitting, "ada")


async def test_after_the_end_the_identity_token_opens_the_rematch(valkey: EmbeddedServer, issuers: Path) -> None:
    abandonment = session_pb2.AbandonmentPolicy(on_resignation=session_pb2.TIMEOUT_ACTION_END)
    async with seated(valkey, issuers) as (api, _):
        sitting = await create(api, OPEN, OPEN, abandonment=abandonment)
        for player in ("ada", "bob"):
            request = pb.JoinSessionRequest(name=sitting.name, display_name=player.capitalize())
            sitting.seats.append((await api.stub.JoinSession(request, metadata=identity(token(player)))).seat_token)
        await api.stub.ResignSession(pb.ResignSessionRequest(name=sitting.name), metadata=bearer(sitting.seats[0]))
        with refused("FAILED_PRECONDITION", "GAME_OVER"):
            await recover(api, sitting, "bob")
        again = pb.RematchSessionRequest(name=sitting.name)
        taken = await api.stub.RematchSession(again, metadata=identity(token("bob")))
        assert taken.session.seats[taken.seat].display_name == "Bob"
        assert taken.host_token
        with refused("PERMISSION_DENIED", "NOT_ALLOWED"):
            await api.stub.RematchSession(again, metadata=identity(token("eve")))
        repeated = await api.stub.RematchSession(again, metadata=identity(token("bob")))
        assert repeated.seat_token == taken.seat_token
        rematch = Sitting(taken.session.name, "", "", [])
        assert (await recover(api, rematch, "bob")).seat == taken.seat


async def test_a_recovery_does_not_make_a_move_stale(valkey: EmbeddedServer, issuers: Path) -> None:
    async with seated(valkey, issuers, "ada", "bob") as (api, sitting):
        seen = [await position(api, sitting, one) for one in sitting.seats]
        actor = next(seat for seat, one in enumerate(seen) if one.legal_moves)
        recovered = await recover(api, sitting, ("ada", "bob")[1 - actor])
        assert recovered.session.sequence == seen[actor].sequence + 1
        request = pb.ActRequest(
            name=sitting.name, move=seen[actor].legal_moves[0], expected_sequence=seen[actor].sequence
        )
        await api.stub.Act(request, metadata=bearer(sitting.seats[actor]))


@pytest.mark.parametrize("recovering", ["its own player", "another player"])
async def test_after_a_recovery_a_player_takes_back_the_move_before(
    valkey: EmbeddedServer, issuers: Path, recovering: str
) -> None:
    players = ("ada", "bob")
    async with seated(valkey, issuers, *players, undo=session_pb2.UNDO_POLICY_OWN_MOVES) as (api, sitting):
        seen = [await position(api, sitting, one) for one in sitting.seats]
        actor = next(seat for seat, one in enumerate(seen) if one.legal_moves)
        act = pb.ActRequest(name=sitting.name, move=seen[actor].legal_moves[0], expected_sequence=seen[actor].sequence)
        await api.stub.Act(act, metadata=bearer(sitting.seats[actor]))
        seat = actor if recovering == "its own player" else 1 - actor
        sitting.seats[seat] = (await recover(api, sitting, players[seat])).seat_token
        now = await position(api, sitting, sitting.seats[actor])
        assert now.undoable == 1
        undo = pb.UndoMoveRequest(name=sitting.name, expected_sequence=now.sequence)
        await api.stub.UndoMove(undo, metadata=bearer(sitting.seats[actor]))
        after = await position(api, sitting, sitting.seats[actor])
        assert after.view == seen[actor].view
        assert list(after.legal_moves) == list(seen[actor].legal_moves)
