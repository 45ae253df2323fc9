"""Invalid arguments raise an error that says what is allowed, before the client sends a request."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator, Callable
from typing import Any, cast

import grpc
import pytest

from skerry.games.kreta.v1 import kreta_pb2 as kreta
from skerry.v1 import payload_pb2
from skerry.v1 import service_pb2 as api
from skerry_client import Client, Seat, errors, move_key
from skerry_client.sync import Table
from skerry_client.transport.choice import TransportName
from skerry_games.catalogue import all_games
from skerry_service import local
from tests.clients.play import SEED


class NothingIsSent:
    """A transport that must not be used."""

    def hold(self, name: str) -> None:
        """Nothing to hold."""

    async def call(self, *_: object) -> Any:
        raise AssertionError("something was sent")

    async def observe(self, *_: object) -> AsyncGenerator[api.ObserveResponse, None]:
        yield await self.call()

    async def close(self) -> None:
        """Nothing to close."""


CREATE: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"game": 3}, TypeError, "game: Pass the id of a game (for example 'kreta') as a string, not 3."),
    ({"game": ""}, ValueError, "game: Pass the id of a game (for example 'kreta'); the string is empty."),
    ({"seats": 0}, ValueError, "seats: Pass a whole number from 1 to 16, not 0."),
    ({"seats": "2"}, TypeError, "seats: Pass a whole number from 1 to 16, not '2'."),
    ({"seats": True}, TypeError, "seats: Pass a whole number from 1 to 16, not True."),
    ({"bots": 3}, ValueError, "bots: Pass a whole number from 0 to 2, not 3."),
    ({"bots": [2]}, ValueError, "bots: Pass a whole number from 0 to 1, not 2."),
    ({"bots": "1"}, TypeError, "bots: Pass how many seats, from 0 to 2, or a list of seats, not '1'."),
    ({"bots": None}, TypeError, "bots: Pass how many seats, from 0 to 2, or a list of seats, not None."),
    ({"reserved": {2: "a~b"}}, ValueError, "reserved: Pass a whole number from 0 to 1, not 2."),
    ({"reserved": {0: ""}}, ValueError, "reserved: Pass the handle of a bot; the string is empty."),
    ({"reserved": "a~b"}, TypeError, "reserved: Pass a mapping from seats to the handles of bots, not 'a~b'."),
    ({"visibility": "secret"}, ValueError, "visibility: Pass 'public' or 'unlisted', not 'secret'."),
    ({"visibility": None}, TypeError, "visibility: Pass 'public' or 'unlisted', not None."),
    ({"spectating": "all"}, ValueError, "spectating: Pass 'anyone', 'invited' or 'nobody', not 'all'."),
    ({"seed": "12"}, ValueError, "seed: Pass 64 hexadecimal digits, or 32 bytes."),
    ({"seed": b"12"}, ValueError, "seed: Pass 32 bytes, not 2; or 64 hexadecimal digits."),
    ({"seed": 12}, TypeError, "seed: Pass 32 bytes, or 64 hexadecimal digits, not 12."),
    ({"options": [1]}, TypeError, "options: Pass a mapping, for example {'start_seat': 1}, or the game's Options"),
    ({"options": {"colour": 1}}, ValueError, "options: Invalid options of kreta: "),
    ({"game": "whist", "options": {}}, ValueError, "options: This client knows the options of "),
]


FIND: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"display_name": 3}, TypeError, "display_name: Pass the name of a player as a string, not 3."),
    ({"seats": "2"}, TypeError, "seats: Pass a number of seats, or a list of them, not '2'."),
    ({"seats": [0]}, ValueError, "seats: Pass a whole number from 1 to 16, not 0."),
    ({"options": [1]}, TypeError, "options: Pass a mapping, for example {'start_seat': 1}, or the game's Options"),
    ({"clocks": [3]}, TypeError, "clocks: Pass a Clock message, not 3."),
    ({"skill": 1500}, TypeError, "skill: Pass a SkillRange message, not 1500."),
    ({"party": "Bob"}, TypeError, "party: Pass a list of names or PartyMember messages, not 'Bob'."),
    ({"party": [""]}, ValueError, "party: Pass the name of each player; the string is empty."),
    ({"party": [3]}, TypeError, "party: Pass the name of each player as a string, not 3."),
    ({"player_id": ""}, ValueError, "player_id: Pass your program's id of the player; the string is empty."),
    ({"wait_for": 0}, ValueError, "wait_for: Pass a number of seconds above 0, not 0."),
    ({}, TypeError, "server: This transport does not support matchmaking."),
]


@pytest.mark.parametrize(("arguments", "kind", "sentence"), FIND, ids=str)
def test_find_match_rejects_invalid_arguments(arguments: dict[str, Any], kind: type[Exception], sentence: str) -> None:
    with Client(NothingIsSent()) as skerry, pytest.raises(kind) as refused:
        skerry.find_match(**{"game": "kreta", "display_name": "Ada", **arguments})
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize(("arguments", "kind", "sentence"), CREATE, ids=str)
def test_create_rejects_invalid_arguments(arguments: dict[str, Any], kind: type[Exception], sentence: str) -> None:
    with Client(NothingIsSent()) as skerry, pytest.raises(kind) as refused:
        skerry.create(**{"game": "kreta", "seats": 2, **arguments})
    assert str(refused.value).startswith(sentence)


CALLS: list[tuple[Callable[[Client], object], type[Exception], str]] = [
    (lambda skerry: skerry.game(None), TypeError, "game: "),  # type: ignore[arg-type]
    (lambda skerry: skerry.table(7), TypeError, "name: "),  # type: ignore[arg-type]
    (lambda skerry: skerry.table("a", host_token=b"x"), TypeError, "host_token: "),  # type: ignore[arg-type]
    (lambda skerry: skerry.seat("a", None), TypeError, "token: "),
    (lambda skerry: skerry.seat("a", "skerry_seat_abc\n"), ValueError, "token: Pass the token of a seat unchanged."),
    (lambda skerry: skerry.table("a", host_token="é"), ValueError, "host_token: "),
    (lambda skerry: next(skerry.sessions(state="over")), ValueError, "state: Pass 'lobby', 'playing' or"),  # type: ignore[arg-type]
    (lambda skerry: next(skerry.sessions(game=1)), TypeError, "game: "),  # type: ignore[arg-type]
    (lambda skerry: Client(5), TypeError, "server: Pass HOST:PORT as a string, not 5."),  # type: ignore[arg-type]
    (lambda skerry: Client("http://127.0.0.1:8080"), ValueError, "server: Pass HOST:PORT of the server, not a URL."),
    (lambda skerry: Client("https://example.org"), ValueError, "server: Pass HOST:PORT of the server, not a URL."),
    (lambda skerry: Client("localhost"), ValueError, "server: Pass HOST:PORT, with a port from 1 to 65535, not 'loc"),
    (lambda skerry: Client("localhost:"), ValueError, "server: Pass HOST:PORT, with a port"),
    (lambda skerry: Client("127.0.0.1:0"), ValueError, "server: Pass HOST:PORT, with a port"),
    (lambda skerry: Client("[::1]:65536"), ValueError, "server: Pass HOST:PORT, with a port"),
    (lambda skerry: Client("x:1", transport="http"), ValueError, "transport: "),  # type: ignore[arg-type]
    (
        lambda skerry: Client("dns:///x:1", transport="connect"),
        ValueError,
        "server: Pass HOST:PORT or unix:PATH, not 'dns:///x:1'.",
    ),
    (
        lambda skerry: Client("x:1", transport="connect", credentials=grpc.ssl_channel_credentials()),
        TypeError,
        "credentials: Pass those of tls_credentials() or an ssl.SSLContext for Connect.",
    ),
    (
        lambda skerry: Client("x:1", transport="grpc", credentials=ssl.create_default_context()),
        TypeError,
        "credentials: Pass those of tls_credentials() for gRPC, not an ssl.SSLContext.",
    ),
    (lambda skerry: Client(timeout=0), ValueError, "timeout: Pass a number of seconds above 0, not 0."),
    (lambda skerry: Client(retry_for=-1), ValueError, "retry_for: Pass a number of seconds of at least 0, not -1."),
    (lambda skerry: Client(silence="long"), TypeError, "silence: "),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("transport", ["grpc", "connect"])
def test_a_client_certificate_needs_its_key(transport: TransportName, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKERRY_CLIENT_KEY", "key.pem")
    with pytest.raises(ValueError, match="certificate: Pass the certificate together with the key"):
        Client("x:1", transport=transport)


@pytest.mark.parametrize(("call", "kind", "sentence"), CALLS)
def test_calls_reject_invalid_arguments(call: Callable[[Client], object], kind: type[Exception], sentence: str) -> None:
    with Client(NothingIsSent()) as skerry, pytest.raises(kind) as refused:
        call(skerry)
    assert str(refused.value).startswith(sentence)
    assert str(refused.value).endswith(".")


def test_the_client_rejects_an_invalid_address_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKERRY_SERVER", "http://127.0.0.1:8080")
    with pytest.raises(ValueError, match="SKERRY_SERVER: Pass HOST:PORT"):
        Client()


HANDLES: list[tuple[Callable[[Table, Seat], object], type[Exception], str]] = [
    (lambda table, seat: seat.act(None), TypeError, "move: Pass one of position.legal_moves, or"),  # type: ignore[arg-type]
    (lambda table, seat: seat.act(kreta.Halt()), TypeError, "move: Pass one of position.legal_moves, or"),
    (lambda table, seat: seat.act(kreta.Move(), validate_only=1), TypeError, "validate_only: "),  # type: ignore[arg-type]
    (lambda table, seat: seat.observe(view=cast("Any", "all")).__next__(), ValueError, "view: "),
    (lambda table, seat: table.position(view=cast("Any", 7)), TypeError, "view: "),
    (lambda table, seat: seat.observe(after_sequence=-1).__next__(), ValueError, "after_sequence: "),
    (lambda table, seat: seat.position(sequence=0), ValueError, "sequence: Pass a whole number of at least 1, not 0."),
    (lambda table, seat: table.position(sequence="4"), TypeError, "sequence: "),  # type: ignore[arg-type]
    (lambda table, seat: table.join(None), TypeError, "display_name: Pass the name of a player as"),  # type: ignore[arg-type]
    (lambda table, seat: table.join("Eve", seat=16), ValueError, "seat: Pass a whole number from 0 to 15, not 16."),
    (lambda table, seat: table.start(fill_with_bots="yes"), TypeError, "fill_with_bots: Pass True"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "kind", "sentence"), HANDLES)
def test_handles_reject_invalid_arguments(
    call: Callable[[Table, Seat], object], kind: type[Exception], sentence: str
) -> None:
    with local.Client() as skerry:
        table = skerry.create("kreta", seats=2)
        seat, before = table.join("Ada"), table.session()
        with pytest.raises(kind) as refused:
            call(table, seat)
        assert str(refused.value).startswith(sentence)
        assert table.session() == before


def test_the_server_rejects_what_the_client_cannot_check(skerry: Client) -> None:
    with pytest.raises(errors.GameNotFound):
        skerry.create("krta", seats=2)
    with pytest.raises(errors.BadOptions):
        skerry.create("kreta", seats=9)


@pytest.mark.parametrize("game", all_games())
def test_equal_moves_have_equal_keys(game: str) -> None:
    with local.Client() as skerry:
        keys, own = [], []
        for names in (["Ada", "Bob"], ["Cid", "Dot"]):
            table = skerry.create(game, seats=2, seed=SEED)
            seats = [table.join(name) for name in names]
            seat = seats[table.position().to_act[0]]
            listed = seat.position().legal_moves
            keys.append([move_key(move) for move in listed])
            own = [move_key(getattr(move, game)) for move in listed]
    assert keys[0] == keys[1] == own
    assert len(set(keys[0])) == len(keys[0])


def test_a_move_key_ignores_sentences() -> None:
    halt = kreta.Move(halt=kreta.Halt())
    listed = payload_pb2.Move(kreta=halt, text="Ada halts.")
    assert {move_key(halt): 1}[move_key(listed)] == 1
    assert move_key(halt) != move_key(kreta.Move(keep_fort=kreta.KeepFort()))
    with pytest.raises(ValueError, match=r"^move: The move is empty"):
        move_key(payload_pb2.Move(text="nothing"))


def test_the_client_rejects_a_malformed_api_key_without_showing_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"^api_key: Pass an API key unchanged\."):
        Client("127.0.0.1:1", api_key="skerry_key_read_from_a_file\n")
    monkeypatch.setenv("SKERRY_API_KEY", "skerry_key_mob\n")
    with pytest.raises(ValueError, match=r"^SKERRY_API_KEY: Pass an API key") as refused:
        Client("127.0.0.1:1")
    assert "mob" not in str(refused.value)
