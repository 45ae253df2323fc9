"""Requests that no client should send: a clear refusal, nothing changed, and the server lives on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any
from uuid import UUID

import grpc
import pytest
import pytest_asyncio
from google.protobuf.descriptor import Descriptor

from skerry.games.kreta.v1 import kreta_pb2
from skerry.v1 import payload_pb2, session_pb2
from skerry.v1 import service_pb2 as pb
from skerry_games.catalogue import all_games
from tests.api.endpoint_requests import ENDPOINT_REQUESTS
from tests.api.ladder_requests import LADDER_REQUESTS
from tests.api.tournament_requests import TOURNAMENT_REQUESTS
from tests.api.wire import (
    OPEN,
    SERVICE,
    Api,
    Sitting,
    act,
    bearer,
    create,
    everything,
    refused,
    sit_down,
    turn,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

UNKNOWN = b"\xf8\xff\xff\xff\x0f\x01"
"""A field that no message has: its tag, and the number 1."""

METHODS = tuple(SERVICE.methods_by_name)
NAMES_OF_NO_SESSION = (
    "sessions/",
    "sessions/a",
    "sessions/aaaaaaaaaaaaaaa1",
    "sessions/AAAAAAAAAAAAAAAA",
    "sessions/aaaaaaaaaaaaaaaa/replay",
    "sessions/aaaaaaaaaaaaaaaa ",
    "sessions/aaaaaaaaaaaaaaaa\n",
    "sessions/../aaaaaaaaaaaaa",
    "sessions/" + "\U0001f3b2" * 5000,
    "sessions/*",
    "sessions/{aaaaaaaaaaaaaa}",
    "sessions/aaaaaaaaaaaaaaaa",
)
NO_NAMES = ("", "aaaaaaaaaaaaaaaa", "session/aaaaaaaaaaaaaaaa", "games/kreta", "\u202esessions/", "/", "Sessions/a")
NO_REQUEST_IDS = (
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    "0b5f6a3e-3c5a-4d57-c0de-0123456789ab",
    "f47ac10b58cc4372a5670e02b2c3d479",
    "{f47ac10b-58cc-4372-a567-0e02b2c3d479}",
    "urn:uuid:f47ac10b-58cc-4372-a567-0e02b2c3d479",
    " f47ac10b-58cc-4372-a567-0e02b2c3d479",
    "f47ac10b-58cc-4372-a567-0e02b2c3d47",
    "f47ac10b-58cc-4372-a567-0e02b2c3d479\n",
    "f47ac10b-58cc-4372-a567-0e02b2c3d47\uff19",
    "1",
    "x" * 10_000,
)
NO_PLAYERS = (
    "",
    " ",
    " Ada",
    "Ada ",
    "Ada\n",
    "A\x00da",
    "A\x1b[31mda",
    "Ada\u202eadA",
    "Ada\u200b",
    "Ada\u2028Bob",
    "\ufeffAda",
    "Ada\u00a0",
    "A\u3000a",
    "x" * 41,
    "\U0001f3b2" * 41,
    "x" * 60_000,
    "\u0301Ada",
    "A\u200dda",
    "Ada\ufe0f",
    "\u3164",
    "{0}",
    "Ada }",
    "Seat 2",
    "ｂｏｔ",
    "Chance",
)
PLAYERS = (
    "A",
    "Ada Lovelace",
    "Ωμέγα",
    "李",
    "\U0001f3b2" * 40,
    "x" * 40,
    "O'Brien <b>",
    "نور",
    "e\u0301",
    "\u2764\ufe0f",
)
NO_PAGES = ("x", "W10=", "WzFd", "WzEsMl0=", "WyIxIiwiYSJd", "W3RydWUsImEiXQ==", "{}", "\u2603", "A" * 300)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sitting(api: Api) -> Sitting:
    """A game in play, of which nothing may change."""
    return await sit_down(api)


@pytest_asyncio.fixture(loop_scope="module", autouse=True)
async def _nothing_changes(api: Api, sitting: Sitting) -> AsyncIterator[None]:
    before = await everything(api, sitting)
    yield
    assert await everything(api, sitting) == before


def with_field(method: str, field: str) -> bool:
    return field in SERVICE.methods_by_name[method].input_type.fields_by_name


@pytest.mark.parametrize("method", METHODS)
async def test_bytes_that_are_no_message_are_refused(api: Api, method: str) -> None:
    for data in (b"\xff", b"\x0a\xff\xff\xff\xff\x0f", b"\x0a\x05ab", b"\x0a\x02\xc3\x28", b"\x0b\x0b\x0b"):
        if data.startswith(b"\x0a\x02") and not with_field(method, "name"):
            continue  # text that is not UTF-8, where there is text
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="request"):
            await api.send(method, data)


def depths(message: Descriptor, wrap: tuple[int, ...] = ()) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each message type below this one with the field numbers that lead to it."""
    yield message.name, wrap
    for field in message.fields:
        # What a map's entry holds beside key and value is dropped in parsing.
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            yield from depths(field.message_type, (*wrap, field.number))


def wrapped(data: bytes, path: tuple[int, ...]) -> bytes:
    """Put a message into others, from the innermost field to the outermost."""
    for number in reversed(path):
        tag = number << 3 | 2
        packed = bytes([tag]) if tag < 128 else bytes([tag & 127 | 128, tag >> 7])
        data = packed + bytes([len(data)]) + data
    return data


@pytest.mark.parametrize("method", METHODS)
async def test_an_unknown_field_is_refused_at_every_depth(api: Api, method: str) -> None:
    for name, path in depths(SERVICE.methods_by_name[method].input_type):
        with refused("INVALID_ARGUMENT", "UNKNOWN_FIELD", field=name):
            await api.send(method, wrapped(UNKNOWN, path))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", [65 * 1024, 1024 * 1024])
async def test_large_requests_are_refused_before_they_are_read(api: Api, method: str, size: int) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refusal:
        await api.send(method, UNKNOWN + b"\x00" * size)
    assert refusal.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_numbers_that_no_enum_has_are_refused(api: Api, sitting: Sitting) -> None:
    token, position = await turn(api, sitting)
    name, move = sitting.name, position.legal_moves[0]
    two = [OPEN, OPEN]
    for number in (-1, 77, 2**31 - 1, -(2**31)):
        odd = pb.SeatSetup(occupant=number)  # type: ignore[arg-type]
        for field, method, request in (
            ("visibility", "CreateSession", pb.CreateSessionRequest(game="kreta", seats=two, visibility=number)),  # type: ignore[arg-type]
            ("spectating", "CreateSession", pb.CreateSessionRequest(game="kreta", seats=two, spectating=number)),  # type: ignore[arg-type]
            ("seats[1].occupant", "CreateSession", pb.CreateSessionRequest(game="kreta", seats=[OPEN, odd])),
            ("state", "ListSessions", pb.ListSessionsRequest(state=number)),  # type: ignore[arg-type]
            ("view", "Act", pb.ActRequest(name=name, move=move, expected_sequence=9, view=number)),  # type: ignore[arg-type]
        ):
            with refused("INVALID_ARGUMENT", "INVALID_FIELD", field=field):
                await api.send(method, request.SerializeToString(), bearer(token))


async def test_a_seat_can_be_open_or_a_bots_and_nothing_else(api: Api) -> None:
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="seats[1].occupant"):
        await create(api, OPEN, pb.SeatSetup(occupant=session_pb2.OCCUPANT_PLAYER))
    for seats in (0, 1, 5, 16):
        with refused("INVALID_ARGUMENT", "BAD_OPTIONS", field="seats"):
            await create(api, *[OPEN] * seats)
    for seats in (17, 5000):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="seats"):
            await create(api, *[OPEN] * seats)


@pytest.mark.parametrize("game", all_games())
async def test_an_empty_move_or_one_of_another_game_is_no_move(api: Api, game: str) -> None:
    sitting = await sit_down(api, all_games()[game].seats[0], game=game)
    token, position = await turn(api, sitting)
    others = [payload_pb2.Move(**{other: {}}) for other in all_games() if other != game]  # type: ignore[arg-type]
    for move in (payload_pb2.Move(), payload_pb2.Move(text="win"), payload_pb2.Move(**{game: {}}), *others):  # type: ignore[arg-type]
        with refused("INVALID_ARGUMENT", "MALFORMED_MOVE"):
            await api.stub.Act(act(sitting, move, position.sequence), metadata=bearer(token))
        with refused("INVALID_ARGUMENT", "MALFORMED_MOVE"):
            request = act(sitting, move, position.sequence, validate_only=True)
            await api.stub.Act(request, metadata=bearer(token))


@pytest.mark.parametrize("game", all_games())
async def test_options_of_another_game_or_edition_are_refused(api: Api, game: str) -> None:
    seats = [OPEN] * all_games()[game].seats[0]
    with refused("INVALID_ARGUMENT", "BAD_OPTIONS", field="edition"):
        await create(api, *seats, game=game, options={game: {"edition": "no such edition" * 100}})
    for other in set(all_games()) - {game}:
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="options"):
            await create(api, *seats, game=game, options={other: {}})


def enum_options() -> Iterator[tuple[str, str]]:
    """Yield the fields of every game's options that are enums, each with its game."""
    for case in payload_pb2.GameOptions.DESCRIPTOR.oneofs_by_name["game"].fields:
        assert case.message_type is not None
        yield from ((case.name, field.name) for field in case.message_type.fields if field.enum_type is not None)


ENUM_OPTIONS = tuple(enum_options())


async def test_some_options_are_enums() -> None:
    assert {"canarias", "small_islands"} <= {game for game, _ in ENUM_OPTIONS}


@pytest.mark.parametrize(("game", "field"), ENUM_OPTIONS)
async def test_numbers_that_no_enum_of_the_options_has_are_refused(api: Api, game: str, field: str) -> None:
    seats = [OPEN] * all_games()[game].seats[0]
    for number in (-1, 77, 2**31 - 1, -(2**31)):
        with refused("INVALID_ARGUMENT", "BAD_OPTIONS", field=field):
            await create(api, *seats, game=game, options={game: {field: number}})


async def test_sequences_that_cannot_be_are_refused(api: Api, sitting: Sitting) -> None:
    token, position = await turn(api, sitting)
    for sequence in (0, -1, -(2**63)):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="expected_sequence"):
            await api.stub.Act(act(sitting, position.legal_moves[0], sequence), metadata=bearer(token))
    with refused("OUT_OF_RANGE", "SEQUENCE_AHEAD", sequence=position.sequence):
        await api.stub.Act(act(sitting, position.legal_moves[0], 2**63 - 1), metadata=bearer(token))
    for after in (-1, -(2**63)):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="after_sequence"):
            await api.send("Observe", pb.ObserveRequest(name=sitting.name, after_sequence=after).SerializeToString())
    with refused("OUT_OF_RANGE", "SEQUENCE_AHEAD", sequence=position.sequence):
        await api.send("Observe", pb.ObserveRequest(name=sitting.name, after_sequence=2**63 - 1).SerializeToString())


async def test_seats_that_are_not_there_cannot_be_taken(api: Api) -> None:
    sitting = await create(api, OPEN, OPEN)
    for seat in (-1, 2, 2**31 - 1, -(2**31)):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="seat"):
            await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name="Ada", seat=seat))


async def test_a_seed_has_32_bytes_or_none(api: Api) -> None:
    for length in (1, 31, 33, 5000):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="seed"):
            await create(api, OPEN, OPEN, seed=bytes(length))
    assert (await create(api, OPEN, OPEN, seed=bytes(32))).name


OF_OTHERS = ("GetGame", "GetHowToPlay", *LADDER_REQUESTS, *TOURNAMENT_REQUESTS, *ENDPOINT_REQUESTS)


@pytest.mark.parametrize(
    "method",
    [method for method in METHODS if with_field(method, "name") and method not in OF_OTHERS],
)
async def test_a_name_of_no_session_is_refused_or_not_found(api: Api, method: str) -> None:
    request_type = type(getattr(pb, SERVICE.methods_by_name[method].input_type.name)())
    fields = {"display_name": "Ada"} if method == "JoinSession" else {}
    fields |= {"target": "board"} if method == "ExplainTarget" else {}
    fields |= {"expected_sequence": 1} if method in ("Act", "UndoMove") else {}  # type: ignore[dict-item]
    fields |= {"seat": 1} if method in ("RemovePlayer", "OpenSeat", "NudgeSeat") else {}  # type: ignore[dict-item]
    fields |= {"emote": 1} if method == "SendEmote" else {}  # type: ignore[dict-item]
    fields |= {"sequence": 4, "seats": [OPEN] * 2} if method == "ForkSession" else {}  # type: ignore[dict-item]
    for name in NAMES_OF_NO_SESSION:
        with refused("NOT_FOUND", "SESSION_NOT_FOUND") as refusal:
            await api.send(method, request_type(name=name, **fields).SerializeToString())
        assert name.removeprefix("sessions/").startswith(refusal.metadata["session"].removesuffix("..."))
    for name in NO_NAMES:
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="name"):
            await api.send(method, request_type(name=name, **fields).SerializeToString())


async def test_games_that_are_not_there_are_not_found(api: Api) -> None:
    for game in ("chess", "Kreta", "kreta ", "../kreta", "x" * 50_000):
        for method, request in (
            ("GetGame", pb.GetGameRequest(name=f"games/{game}")),
            ("GetHowToPlay", pb.GetHowToPlayRequest(name=f"games/{game}")),
            ("CreateSession", pb.CreateSessionRequest(game=game)),
            ("ListSessions", pb.ListSessionsRequest(game=game)),
        ):
            with refused("NOT_FOUND", "GAME_NOT_FOUND"):
                await api.send(method, request.SerializeToString())
    for name in ("", "kreta", "game/kreta"):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="name"):
            await api.stub.GetGame(pb.GetGameRequest(name=name))


@pytest.mark.parametrize("method", [method for method in METHODS if with_field(method, "request_id")])
async def test_a_request_id_is_a_random_uuid_in_canonical_form(api: Api, sitting: Sitting, method: str) -> None:
    token, position = await turn(api, sitting)
    others: dict[str, Any] = {"name": sitting.name}
    fields: dict[str, dict[str, Any]] = {
        "CreateSession": {"game": "kreta", "seats": [OPEN, OPEN]},
        "JoinSession": {"name": sitting.name, "display_name": "Ada"},
        "FindMatch": {"game": "kreta", "display_name": "Ada"},
        "Act": {"name": sitting.name, "move": position.legal_moves[0], "expected_sequence": position.sequence},
    }
    for request_id in NO_REQUEST_IDS:
        if known := {**TOURNAMENT_REQUESTS, **ENDPOINT_REQUESTS}.get(method):
            request = type(known)()
            request.CopyFrom(known)
            request.request_id = request_id  # type: ignore[attr-defined]
        else:
            request = getattr(pb, f"{method}Request")(request_id=request_id, **fields.get(method, others))
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="request_id"):
            await api.send(method, request.SerializeToString(), bearer(token))


async def test_players_have_names_that_can_be_shown(api: Api) -> None:
    for name in NO_PLAYERS:
        sitting = await create(api, OPEN, OPEN)
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="display_name"):
            await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name=name))
    for name in PLAYERS:
        sitting = await create(api, OPEN, OPEN)
        joined = await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name=name))
        assert joined.session.seats[0].display_name == name


async def test_forged_page_tokens_are_refused(api: Api) -> None:
    deep = "W1tb" * 15_000  # 45,000 opening brackets
    for token in (*NO_PAGES, deep, "!" * 60_000):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="page_token"):
            await api.stub.ListSessions(pb.ListSessionsRequest(page_token=token))
    for size in (-1, -(2**31)):
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="page_size"):
            await api.stub.ListSessions(pb.ListSessionsRequest(page_size=size))


async def test_a_refusal_never_quotes_more_than_headers_can_carry(api: Api, sitting: Sitting) -> None:
    token, position = await turn(api, sitting)
    long = "\U0001f3b2" * 12_000
    move = payload_pb2.Move(kreta=kreta_pb2.Move(recruit=kreta_pb2.Recruit(province=long)))
    with refused("INVALID_ARGUMENT", "MALFORMED_MOVE") as refusal:
        await api.stub.Act(act(sitting, move, position.sequence), metadata=bearer(token))
    assert len(refusal.message) < 400


async def test_tokens_of_every_shape_are_refused(api: Api, sitting: Sitting) -> None:
    request = pb.GetSessionRequest(name=sitting.name)
    shapes = ("Bearer", "", "bearer x", "Bearer  x", "Bearer " + "x" * 4000, "Digest a=b")
    for value in (*shapes, f"Bearer {sitting.host} ", f"Bearer {sitting.host.upper()}", f"Bearer {UUID(int=1)}"):
        if value.strip() == f"Bearer {sitting.host}":
            continue  # HTTP trims what surrounds a value
        with refused("UNAUTHENTICATED", "TOKEN_INVALID"):
            await api.stub.GetSession(request, metadata=(("authorization", value),))
    with pytest.raises(grpc.aio.AioRpcError) as refusal:
        await api.stub.GetSession(request, metadata=(("authorization", "Bearer " + "x" * 60_000),))
    assert refusal.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
