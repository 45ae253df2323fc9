"""Records whole games: every move, what it brought, and what everybody saw of it, as text to be diffed line by line.

    python -m tests.games.golden            records every game of the catalogue anew, and its variants
    python -m tests.games.golden kreta      records that game anew, and its variants

A recording lies in ``tests/games/<game>/golden/``: ``<seats>_seats.txt``, or ``<variant>_<seats>_seats.txt``. When a
change of the rules is meant to change games, record them anew, read the difference, and give the game a new ruleset.

Chance and seats draw from the specified generator, with a seed made from the game's id and the number of seats and
the number of the step as draw number. Below a move stands what those are shown of it who are not shown all of
it. Views are written whole once and then as differences; what all viewers see alike is written once. ``-`` is the
spectator.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame, Viewer
from skerry_games.rng import Rng, SeededRng
from tests.games.variants import Variant, all_variants

HERE = Path(__file__).parent
Flat = Mapping[str, str]
"""A view as leaves: from a path like ``provinces.3.tile`` to the value as JSON."""


def recording_path(variant: Variant, seats: int) -> Path:
    """Return where the recording for that number of seats lies."""
    file = "_".join(filter(None, [variant.name, f"{seats}_seats.txt"]))
    return HERE / variant.game.id / "golden" / file


def record(game: AnyGame, seats: int) -> str:
    """Return the recording of one random game. Equal rules make equal recordings."""
    return "\n".join([*_record(game, seats), ""])


def _record(game: AnyGame, seats: int) -> Iterator[str]:
    seed = sha256(f"golden {game.id} {seats}".encode()).digest()
    state = game.setup(game.options_type(), seats)
    seen = {viewer: flatten(game.view(state, viewer)) for viewer in viewers(seats)}
    yield f"{game.title}, {seats} seats, ruleset {game.ruleset}, options {_json(game.options_type())}"
    yield from _differences({viewer: {} for viewer in seen}, seen)
    step = 0
    while actors := game.to_act(state):
        step += 1
        rng = SeededRng(seed, step)
        actor = rng.choice(actors)
        move = _pick(game, state, actor, rng)
        listed = len(game.legal_moves(state, actor))
        state, events = game.apply(state, actor, move)
        yield f"{step}. {name(actor)}: {game.say_move(move)} (of {listed}) {_json(move)}"
        yield from _shown(game, move, actor, seats)
        for event in events:
            yield from _told(game, event, seats)
        before, seen = seen, {viewer: flatten(game.view(state, viewer)) for viewer in seen}
        yield from _differences(before, seen)
    yield f"Outcome: {_json(game.outcome(state))}"


def viewers(seats: int) -> tuple[Viewer, ...]:
    """Return everybody who may look on: the seats and a spectator."""
    return (*range(seats), None)


def name(actor: int) -> str:
    """Return who acts, in words."""
    return "chance" if actor == CHANCE else f"seat {actor}"


def _pick(game: AnyGame, state: Any, actor: int, rng: Rng) -> Any:
    if (actor,) == CHANCE_ACTS:
        return game.draw(state, rng)
    return rng.choice(game.legal_moves(state, actor))


def _json(value: Any) -> str:
    return json.dumps(to_builtins(value))


def _shown(game: AnyGame, move: Any, actor: int, seats: int) -> Iterator[str]:
    """Yield what viewers are shown instead of the move, once for all who are shown the same."""
    shown = {viewer: game.show_move(move, actor, viewer) for viewer in viewers(seats)}
    masked = {viewer: mask for viewer, mask in shown.items() if mask != move}
    lines = {
        viewer: "not shown" if mask is None else f"shown: {game.say_move(mask)} {_json(mask)}"
        for viewer, mask in masked.items()
    }
    yield from _grouped(lines, len(viewers(seats)))


def _told(game: AnyGame, event: Any, seats: int) -> Iterator[str]:
    """Yield the event in words, once for all who are told the same."""
    sentences: dict[Viewer, str] = {}
    for viewer in viewers(seats):
        shown = game.show(event, viewer)
        if shown is not None:
            sentences[viewer] = game.say(shown)
    yield from _grouped(sentences, len(viewers(seats)))


def _differences(before: Mapping[Viewer, Flat], after: Mapping[Viewer, Flat]) -> Iterator[str]:
    """Yield what changed in the views, leaf by leaf, once for all to whom the leaf changed in the same way."""
    for path in sorted({path for flat in (*before.values(), *after.values()) for path in flat}, key=_in_order):
        changed = {
            viewer: f"{path} = {after[viewer].get(path, 'gone')}"
            for viewer in after
            if before[viewer].get(path) != after[viewer].get(path)
        }
        yield from _grouped(changed, len(after))


def _in_order(path: str) -> list[tuple[bool, int, str]]:
    """Sort numbers in paths as numbers."""
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in path.split(".")]


def _grouped(lines: Mapping[Viewer, str], everybody: int) -> Iterator[str]:
    """Yield each different line once, after the viewers that it is for unless it is for everybody."""
    for line in dict.fromkeys(lines.values()):
        group = [viewer for viewer, own in lines.items() if own == line]
        whom = "" if len(group) == everybody else f"[{' '.join('-' if who is None else str(who) for who in group)}] "
        yield f"  {whom}{line}"


def flatten(view: Any) -> Flat:
    """Return the leaves of a view. A list of plain values is one leaf."""
    return dict(_leaves("", to_builtins(view)))


def _leaves(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        inner = [(str(key), item) for key, item in value.items()]
    elif isinstance(value, list | tuple) and any(isinstance(item, dict | list | tuple) for item in value):
        inner = [(str(number), item) for number, item in enumerate(value)]
    else:
        yield path, json.dumps(value)
        return
    for key, item in inner:
        yield from _leaves(f"{path}.{key}" if path else key, item)


def main(*chosen: str) -> None:
    """Record the chosen games, or all of them, for each of their numbers of seats."""
    for variant in all_variants():
        if chosen and variant.game.id not in chosen:
            continue
        for seats in variant.game.seats:
            path = recording_path(variant, seats)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(record(variant.game, seats), encoding="utf-8")
            print(f"{path.relative_to(HERE)}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
