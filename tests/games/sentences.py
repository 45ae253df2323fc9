"""Lists the descriptions of each type of move and event, so that a person can read through them.

    python -m tests.games.sentences            writes the lists of all games
    python -m tests.games.sentences kreta      writes the list of one game

The lists are ``tests/games/<game>/sentences.txt``. For each type of move and event, a list has the first descriptions
with different wording from random games of every variant and number of seats, as any viewer sees them. Moves and events
that random games hardly ever have are ``MOVES`` and ``EVENTS`` in ``tests/games/<game>/rare.py``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from google.protobuf.message import Message

from skerry.v1 import payload_pb2
from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_games.sentences import fill
from skerry_service.wire.payloads import codec_of
from tests.games.conformance.play import Step, play, viewers_of
from tests.games.conformance.texts import NAMES
from tests.games.variants import all_variants

HERE = Path(__file__).parent
SEEDS = range(1, 13)
_MOST_WORDINGS = 8
_NAMES_AND_NUMBERS = re.compile(r"\b[A-Z0-9][\w'-]*")


def list_path(game: AnyGame) -> Path:
    """Return the path of the game's list."""
    return HERE / game.id / "sentences.txt"


def as_text(read: Mapping[str, list[str]]) -> str:
    """Return the text of a list."""
    return "".join(f"{kind}\n" + "".join(f"  {text}\n" for text in texts) for kind, texts in read.items())


def wordings(game: AnyGame) -> Mapping[str, list[str]]:
    """Return the descriptions of every type of move and event of the game."""
    found = {kind: dict[str, str]() for kind in kinds(game)}
    for kind, text in _described(game, played(game)):
        if len(found[kind]) < _MOST_WORDINGS:
            found[kind].setdefault(_NAMES_AND_NUMBERS.sub("", text), text)
    for kind, text in _described(game, rare(game)):
        found[kind].setdefault(_NAMES_AND_NUMBERS.sub("", text), text)
    return {kind: list(texts.values()) for kind, texts in found.items()}


def kinds(game: AnyGame) -> list[str]:
    """Return the types of moves and events of the API: ``move march``."""
    payloads: Mapping[str, type[Message]] = {"move": payload_pb2.Move, "event": payload_pb2.Event}
    found = []
    for what, payload in payloads.items():
        kind = payload.DESCRIPTOR.fields_by_name[game.id].message_type
        assert kind is not None
        found += [f"{what} {case.name}" for case in kind.oneofs[0].fields]
    return found


def _described(game: AnyGame, things: Iterator[tuple[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield the type and the description of each move and event."""
    codec = codec_of(game.id)
    for what, value in things:
        if what == "move":
            yield _kind(what, codec.move_to_proto(value)), fill(game.say_move(value), NAMES)
        else:
            yield _kind(what, codec.event_to_proto(value)), fill(game.say(value), NAMES)


def played(game: AnyGame) -> Iterator[tuple[str, Any]]:
    """Yield the moves and events of random games of every variant and number of seats."""
    for variant in all_variants():
        if variant.game.id == game.id:
            for seats in variant.game.seats:
                for seed in SEEDS:
                    for step in play(variant.game, seats, seed).steps:
                        yield from _shown(variant.game, step, seats)


def _shown(game: AnyGame, step: Step, seats: int) -> Iterator[tuple[str, Any]]:
    """Yield a step's move and events, unmasked and as each viewer sees them."""
    moves = [step.move, *(game.show_move(step.move, step.actor, viewer) for viewer in viewers_of(seats))]
    events = [*step.events, *(game.show(event, viewer) for event in step.events for viewer in viewers_of(seats))]
    yield from (("move", move) for move in dict.fromkeys(moves) if move is not None)
    yield from (("event", event) for event in dict.fromkeys(events) if event is not None)


def rare(game: AnyGame) -> Iterator[tuple[str, Any]]:
    """Yield the moves and events that random games hardly ever have."""
    module = f"tests.games.{game.id}.rare"
    if find_spec(module) is not None:
        found = import_module(module)
        yield from (("move", move) for move in found.MOVES)
        yield from (("event", event) for event in found.EVENTS)


def _kind(what: str, message: Any) -> str:
    return f"{what} {message.WhichOneof(message.DESCRIPTOR.oneofs[0].name)}"


def main(*chosen: str) -> None:
    """List the sentences of the chosen games, or of all of them."""
    for game in all_games().values():
        if not chosen or game.id in chosen:
            list_path(game).write_text(as_text(wordings(game)), encoding="utf-8")
            print(list_path(game).relative_to(HERE))


if __name__ == "__main__":
    main(*sys.argv[1:])
