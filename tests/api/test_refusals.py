"""Refusals are full sentences to the caller, and true over every transport."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import skerry_service
from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.api import MalformedMove
from skerry_games.sentences import listed
from skerry_service.api.error_table import TABLE, UnknownField, status_of
from skerry_service.domain import errors
from skerry_service.domain.errors import NotYourTurn, TokenMissing
from tests.api.test_errors import EXAMPLES
from tests.api.wire import OPEN, SAYS, Api, Sitting, act, bearer, create, refused, sit_down, turn

ROOMS = ("domain", "sessions", "watching", "timers", "matching", "wire", "api")
TRANSPORT = re.compile(r"(?i:metadata|header|gRPC|JSON|query)|\bHTTP\b")  # `http` alone is the scheme of a URL
CLASSES = {kind.__name__ for kind in TABLE}
SOURCE = Path(skerry_service.__file__).parent
CATALOGUE = (SOURCE / "domain" / "languages" / "en" / "service.ftl").read_text(encoding="utf-8")
MESSAGES = dict(re.findall(r"(?m)^([\w-]+) = (.+)\n(?! )", CATALOGUE))
"""Messages on one line, by id."""


def written() -> Iterator[tuple[str, str, str]]:
    """Yield each refusal of these rooms as (where, class, text), each gap of a text filled with X."""
    for room in ROOMS:
        for path in sorted((SOURCE / room).rglob("[!j]*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CLASSES:
                    texts = [text for argument in node.args if (text := filled(argument)) is not None]
                    if any(isinstance(argument, ast.Name) and argument.id == "sentence" for argument in node.args):
                        continue  # a message of the catalogue, chosen before
                    if texts and node.func.id not in ("UnknownField", "GameNotFound", "SessionNotFound"):
                        yield f"{path.name}:{node.lineno}", node.func.id, ": ".join(texts)


def filled(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "phrase":
        message = filled(node.args[0])
        return re.sub(r"{.*?}", "X", MESSAGES[message]) if message else None
    return None


def said(kind: str, text: str) -> str:
    """Return the sentence alone: a limit's first argument is its name, where that is written there."""
    return text.rpartition(": ")[2] if kind == "LimitReached" else text


WRITTEN = list(written())


def test_the_refusals_were_found() -> None:
    kinds = [kind for _, kind, _ in WRITTEN]
    assert kinds.count("InvalidField") > 10
    assert {"NotAllowed", "LimitReached", "MalformedMove"} <= set(kinds)


@pytest.mark.parametrize("message", [message for message in MESSAGES if message.startswith(("limit-", "error-"))])
def test_every_message_of_a_refusal_is_full_sentences_of_no_transport(message: str) -> None:
    text = re.sub(r"{.*?}", "X", MESSAGES[message])
    assert SAYS.fullmatch(re.sub(r"X$", "X.", text))  # the last gap is a sentence
    assert not TRANSPORT.search(text)


@pytest.mark.parametrize(("where", "kind", "text"), WRITTEN, ids=[where for where, _, _ in WRITTEN])
def test_every_refusal_is_written_as_full_sentences_of_no_transport(where: str, kind: str, text: str) -> None:
    assert SAYS.fullmatch(said(kind, text)), where
    assert not text.endswith("..")
    if where.split(":", maxsplit=1)[0] != "server.py":
        assert not TRANSPORT.search(text)


@pytest.mark.parametrize("error", [*EXAMPLES, UnknownField("JoinSessionRequest", "colour")], ids=str)
def test_every_class_of_refusal_says_full_sentences_of_no_transport(error: Exception) -> None:
    assert SAYS.fullmatch(str(error))
    assert not TRANSPORT.search(str(error))


def test_the_text_of_an_internal_error_is_a_full_sentence() -> None:
    assert SAYS.fullmatch(status_of(RuntimeError()).message)


def test_the_form_has_no_room_for_what_is_no_sentence() -> None:
    for text in (
        "it is over.",
        "It is over",
        "seats: too many.",
        "seats: Too many",
        "It is over. ",
        "view: 7 is no View",
    ):
        assert not SAYS.fullmatch(text), text


def test_the_players_to_act_are_named() -> None:
    names = ("Ada", "Bob", "Cyd")
    assert str(NotYourTurn((1,), names)) == "It is not your turn: Bob is to act."
    assert str(NotYourTurn((0, 2), names)) == "It is not your turn: Ada and Cyd are to act."
    assert str(NotYourTurn((0, 1, 2), names)) == "It is not your turn: Ada, Bob and Cyd are to act."
    assert NotYourTurn((0, 2), names).metadata == {"to_act": "0, 2"}


def test_each_front_can_add_how_to_do_what_is_asked() -> None:
    assert status_of(TokenMissing()).message == "This call needs a token."
    assert status_of(TokenMissing(), {TokenMissing: "Show it."}).message == "This call needs a token. Show it."
    assert status_of(MalformedMove("No."), {TokenMissing: "Show it."}).message == "No."
    assert status_of(RuntimeError(), {RuntimeError: "It is secret."}).message == status_of(RuntimeError()).message


def test_things_are_listed_as_in_a_sentence() -> None:
    assert [listed(things, "or") for things in ("2", "23", "234")] == ["2", "2 or 3", "2, 3 or 4"]


@pytest.mark.parametrize("taken", [1, 2])
def test_too_few_seats_are_counted_in_words(taken: int) -> None:
    sentence = {
        1: "1 seat is taken. This game needs 2, 3 or 4.",
        2: "2 seats are taken. This game needs 3.",
    }
    assert str(errors.TooFewSeats(taken, {1: (2, 3, 4), 2: (3,)}[taken])) == sentence[taken]


# ---------------------------------------------------------------- over the wire


@pytest.mark.asyncio(loop_scope="module")
async def test_numbers_that_an_enum_has_not_are_answered_with_what_it_has(api: Api) -> None:
    sitting = await sit_down(api)
    for number, said in ((7, "7 is not a PositionView"), (-1, "-1 is not a PositionView")):
        request = act(sitting, (await turn(api, sitting))[1].legal_moves[0], 3, view=number)
        with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="view") as refusal:
            await api.stub.Act(request, metadata=bearer(sitting.seats[0]))
        *others, last = (f"POSITION_VIEW_{name}" for name in ("NONE", "FULL", "TO_ACT", "SCENE", "FULL_WITH_SCENE"))
        assert refusal.message == f"view: {said}. Use {', '.join(others)} or {last}."
    with refused("INVALID_ARGUMENT", "INVALID_FIELD", field="seats[1].occupant") as refusal:
        await create(api, OPEN, pb.SeatSetup(occupant=session_pb2.OCCUPANT_PLAYER))
    sentence = "OCCUPANT_PLAYER is not allowed here. Use OCCUPANT_OPEN or OCCUPANT_BOT."
    assert refusal.message == f"seats[1].occupant: {sentence}"


@pytest.mark.asyncio(loop_scope="module")
async def test_a_seat_that_is_not_to_act_learns_which_seat_is(api: Api) -> None:
    sitting: Sitting = await sit_down(api)
    token, position = await turn(api, sitting)
    acting = position.to_act[0]
    with refused("FAILED_PRECONDITION", "NOT_YOUR_TURN", to_act=acting) as refusal:
        request = act(sitting, position.legal_moves[0], position.sequence)
        await api.stub.Act(request, metadata=bearer(sitting.seats[1 - acting]))
    assert token == sitting.seats[acting]
    assert refusal.message == f"It is not your turn: {('Ada', 'Bob')[acting]} is to act."


@pytest.mark.asyncio(loop_scope="module")
async def test_a_missing_token_is_asked_for_in_the_terms_of_the_transport(api: Api, transport: str) -> None:
    sitting = await create(api, OPEN, OPEN)
    with refused("UNAUTHENTICATED", "TOKEN_MISSING") as refusal:
        await api.stub.StartSession(pb.StartSessionRequest(name=sitting.name))
    place = (
        "it as the metadata 'authorization: Bearer <token>'"
        if transport in ("grpc", "grpcio")
        else "the header `Authorization"
    )
    assert refusal.message.startswith(f"This call needs a token. Send {place}")
