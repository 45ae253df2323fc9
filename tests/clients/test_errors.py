"""Each error of the service raises its class, over each transport."""

from __future__ import annotations

import re
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import BytesValue

from skerry.games.kreta.v1 import kreta_pb2 as kreta
from skerry.v1 import service_pb2 as api
from skerry.v1.errors_pb2 import ErrorReason
from skerry_client import AsyncClient, Client, SkerryError, errors, status
from skerry_client.status import BY_REASON
from skerry_client.transport.grpc_transport import GrpcTransport
from skerry_service.api.error_table import TABLE
from tests.clients.play import SEED, play_to_the_end
from tests.clients.servers import refusal, scripted

REASONS = {name.removeprefix("ERROR_REASON_") for name in ErrorReason.keys()} - {"UNSPECIFIED"}  # noqa: SIM118


def classes() -> list[type[SkerryError]]:
    members = vars(errors).values()
    return [member for member in members if isinstance(member, type) and issubclass(member, SkerryError)]


def test_every_reason_has_its_class() -> None:
    assert BY_REASON.keys() == REASONS


def test_every_class_has_the_code_that_the_service_sends_with_its_reason() -> None:
    sent = {ErrorReason.Name(reason).removeprefix("ERROR_REASON_"): code for code, reason in TABLE.values()}
    codes = {reason: kind.code.value[0] for reason, kind in BY_REASON.items()}
    assert codes == sent | {"INTERNAL": grpc.StatusCode.INTERNAL.value[0]}


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    drawn: list[str] = ["SkerryError"]
    found = {}
    for branches, name in re.findall(r"^((?: \||  )*) \+- (\w+)", errors.__doc__ or "", re.MULTILINE):
        depth = len(branches) // 4 + 1
        drawn[depth:] = [name]
        found[name] = drawn[depth - 1]
    assert found == {one.__name__: one.__bases__[0].__name__ for one in classes() if one is not SkerryError}


@pytest.mark.parametrize("reason", sorted(REASONS))
async def test_each_reason_is_raised_as_its_class(reason: str) -> None:
    kind = BY_REASON[reason]
    status = refusal(kind.code.value[0], reason, retry_after=1.25, rule="KRETA-PEACE-1", sequence="7")
    async with scripted(ListGames=[status]) as server, AsyncClient(server.address, retry_for=0) as skerry:
        with pytest.raises(SkerryError) as caught:
            await skerry.games()
    error = caught.value
    assert type(error) is kind
    assert (error.reason, error.code, error.retry_after) == (reason, kind.code, 1.25)
    assert (error.rule, error.metadata["sequence"]) == ("KRETA-PEACE-1", "7")
    assert str(error) == f"refused: {reason}"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (grpc.StatusCode.INVALID_ARGUMENT, errors.BadRequest),
        (grpc.StatusCode.FAILED_PRECONDITION, errors.FailedPrecondition),
        (grpc.StatusCode.UNAVAILABLE, errors.Unavailable),
        (grpc.StatusCode.UNIMPLEMENTED, errors.UnexpectedResponse),
    ],
)
async def test_a_reason_of_a_newer_server_is_raised_as_its_group(
    code: grpc.StatusCode, kind: type[SkerryError]
) -> None:
    status = refusal(code.value[0], "SOMETHING_NEW")
    async with scripted(ListGames=[status]) as server, AsyncClient(server.address, retry_for=0) as skerry:
        with pytest.raises(SkerryError) as caught:
            await skerry.games()
    assert type(caught.value) is kind
    assert caught.value.reason == "SOMETHING_NEW"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (grpc.StatusCode.UNAVAILABLE, errors.ConnectionLost),
        (grpc.StatusCode.CANCELLED, errors.ConnectionLost),
        (grpc.StatusCode.INTERNAL, errors.ConnectionLost),
        (grpc.StatusCode.DEADLINE_EXCEEDED, errors.DeadlineExceeded),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, errors.MessageTooLarge),
        (grpc.StatusCode.UNKNOWN, errors.UnexpectedResponse),
        (grpc.StatusCode.PERMISSION_DENIED, errors.UnexpectedResponse),
    ],
)
async def test_each_grpc_status_without_a_reason_has_a_class(code: grpc.StatusCode, kind: type[SkerryError]) -> None:
    async with scripted(ListGames=[code]) as server, AsyncClient(server.address, retry_for=0) as skerry:
        with pytest.raises(SkerryError) as caught:
            await skerry.games()
    assert type(caught.value) is kind
    assert (caught.value.code, caught.value.reason) == (code, None)


async def test_a_response_above_the_size_limit_is_message_too_large() -> None:
    huge = api.GetGameResponse()
    huge.game.title = "x" * (17 * 1024 * 1024)
    async with scripted(GetGame=[huge]) as server, AsyncClient(server.address) as skerry:
        with pytest.raises(errors.MessageTooLarge):
            await skerry.game("kreta")


async def test_a_method_that_the_server_lacks_is_an_unexpected_response() -> None:
    async with scripted(ListGames=[api.ListGamesResponse()]) as server, AsyncClient(server.address) as skerry:
        with pytest.raises(errors.UnexpectedResponse):
            await skerry.game("kreta")


async def test_a_malformed_message_is_an_unexpected_response() -> None:
    noise = BytesValue(value=b"\xff\xff")
    answers: dict[str, list[Any]] = {"ListGames": [noise], "Observe": [[noise]]}
    async with scripted(**answers) as server, AsyncClient(server.address) as skerry:
        with pytest.raises(errors.UnexpectedResponse, match="the response is not of type ListGamesResponse"):
            await skerry.games()
        wire = GrpcTransport(server.address)
        with pytest.raises(errors.UnexpectedResponse, match="the response is not of type ObserveResponse"):
            await anext(wire.observe(api.ObserveRequest(name="sessions/a"), None))
        await wire.close()


def test_malformed_error_details_are_ignored() -> None:
    trailing = grpc.aio.Metadata(("grpc-status-details-bin", b"\xff"))
    error = grpc.aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, grpc.aio.Metadata(), trailing, details="a proxy's")
    assert type(status.from_grpc(error)) is errors.ConnectionLost


async def test_an_unreachable_server_is_a_lost_connection() -> None:
    async with scripted(ListGames=[api.ListGamesResponse()]) as server:
        gone = server.address
    async with AsyncClient(gone, retry_for=0) as skerry:
        with pytest.raises(errors.ConnectionLost):
            await skerry.games()
        with pytest.raises(errors.ConnectionLost):
            await skerry.create("kreta", seats=2)


# ---------------------------------------------------------------- over both transports


def test_unknown_games_and_sessions_are_not_found(skerry: Client) -> None:
    with pytest.raises(errors.GameNotFound) as caught:
        skerry.create("whist", seats=2)
    assert caught.value.metadata["game"] == "whist"
    with pytest.raises(errors.SessionNotFound):
        skerry.table("sessions/aaaaaaaaaaaaaaaa")


def test_invalid_requests_are_rejected(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2)
    with pytest.raises(errors.BadOptions):
        skerry.create("kreta", seats=7)
    with pytest.raises(errors.BadOptions):
        skerry.create("kreta", seats=2, options={"start_seat": 5})
    with pytest.raises(errors.InvalidField) as caught:
        table.join(" Ada ")
    assert caught.value.metadata["field"] == "display_name"
    with pytest.raises(ValueError, match="Invalid options of kreta"):
        skerry.create("kreta", seats=2, options={"colour": "blue"})
    with pytest.raises(ValueError, match="32 bytes"):
        skerry.create("kreta", seats=2, seed="abc0")


def test_calls_that_the_session_state_forbids_are_rejected(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, seed=SEED)
    ada = table.join("Ada", seat=1)
    with pytest.raises(errors.SeatTaken):
        table.join("Bob", seat=1)
    with pytest.raises(errors.NameTaken) as named:
        table.join("ada")
    assert named.value.metadata["display_name"] == "Ada"
    with pytest.raises(errors.TooFewSeats):
        table.start()
    seats = [table.join("Bob"), ada]
    with pytest.raises(errors.AlreadyStarted):
        table.join("Eve")
    to_act = table.position().to_act[0]
    with pytest.raises(errors.NotYourTurn) as caught:
        seats[1 - to_act].act(seats[to_act].position().legal_moves[0])
    assert caught.value.metadata["to_act"] == str(to_act)
    with pytest.raises(errors.RuleBroken) as broken:
        seats[to_act].act(kreta.Move(play_card=kreta.PlayCard(card=kreta.CARD_KING)))
    assert broken.value.rule in {rule.id for rule in skerry.game("kreta").rules}
    last = seats[to_act].position().legal_moves[0]
    play_to_the_end(table, seats)
    with pytest.raises(errors.GameOver):
        seats[0].act(last)


def test_a_stale_decision_is_rejected_and_succeeds_after_reading_again(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, seed=SEED)
    seats = [table.join("Ada"), table.join("Bob")]
    seat = seats[table.position().to_act[0]]
    twin = skerry.seat(seat.name, seat.token)
    seat.act(seat.position().legal_moves[0])
    assert twin.last_position
    with pytest.raises(errors.StaleSequence) as caught:
        twin.act(twin.last_position.legal_moves[1])
    assert caught.value.metadata["sequence"] == str(twin.position().sequence)
    if moves := twin.position().legal_moves:
        twin.act(moves[0])


def test_tokens_give_access_only_to_their_own_session_and_role(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2, spectating="nobody")
    table.join("Ada")
    with pytest.raises(errors.TokenMissing):
        skerry.table(table.name).start()
    with pytest.raises(errors.TokenInvalid):
        skerry.seat(table.name, "skerry_seat_aaaa")
    table.join("Bob")
    with pytest.raises(errors.NotAllowed):
        table.position()
    with pytest.raises(errors.NotAllowed):
        next(iter(table.observe()))


def test_a_sequence_that_was_never_reached_is_ahead(skerry: Client) -> None:
    table = skerry.create("kreta", seats=2)
    with pytest.raises(errors.SequenceAhead) as caught:
        next(iter(table.observe(after_sequence=1000)))
    assert type(caught.value) is errors.SequenceAhead
