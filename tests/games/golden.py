"""Records whole games as text: every move, its events, and what each viewer sees. A diff shows what a change does.

    python -m tests.games.golden            records all games and their variants
    python -m tests.games.golden kreta      records one game and its variants

The recordings are in ``tests/games/<game>/golden/``: ``<seats>_seats.txt``, or ``<variant>_<seats>_seats.txt``. If you
change games on purpose, record them again, read the difference, and give the game a new ruleset.

Chance and seats draw from ``SeededRng``. The seed follows from the game's id and the number of seats, and the draw
number is the number of the step. Below each move are its masked copies, with their viewers, and then its events. The
first view is written in full, later ones as differences. A line without viewers is for all of them. ``-`` is the
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
"""The leaves of a view: from a path like ``provinces.3.tile`` to the value as JSON."""


def recording_path(variant: Variant, seats: int) -> Path:
    """Return the path of the recording for this number of seats."""
    file = "_".join(filter(None, [variant.name, f"{seats}_seats.txt"]))
    return HERE / variant.game.id / "golden" / file


def record(game: AnyGame, seats: int) -> str:
    """Return the recording of one random game. Equal rules give equal recordings."""
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
            yield from _described(game, event, seats)
        before, seen = seen, {viewer: flatten(game.view(state, viewer)) for viewer in seen}
        yield from _differences(before, seen)
    yield f"Outcome: {_json(game.outcome(state))}"


def viewers(seats: int) -> tuple[Viewer, ...]:
    """Return all viewers: the seats and a spectator."""
    return (*range(seats), None)


def name(actor: int) -> str:
    """Return the name of an actor."""
    return "chance" if actor == CHANCE else f"seat {actor}"


def _pick(game: AnyGame, state: Any, actor: int, rng: Rng) -> Any:
    if (actor,) == CHANCE_ACTS:
        return game.draw(state, rng)
    return rng.choice(game.legal_moves(state, actor))


def _json(value: Any) -> str:
    return json.dumps(to_builtins(value))


def _shown(game: AnyGame, move: Any, actor: int, seats: int) -> Iterator[str]:
    """Yield the masked copies of the move, each once, with its viewers."""
    shown = {viewer: game.show_move(move, actor, viewer) for viewer in viewers(seats)}
    masked = {viewer: mask for viewer, mask in shown.items() if mask != move}
    lines = {
        viewer: "not shown" if mask is None else f"shown: {game.say_move(mask)} {_json(mask)}"
        for viewer, mask in masked.items()
    }
    yield from _grouped(lines, len(viewers(seats)))


def _described(game: AnyGame, event: Any, seats: int) -> Iterator[str]:
    """Yield the descriptions of the event, each once, with its viewers."""
    sentences: dict[Viewer, str] = {}
    for viewer in viewers(seats):
        shown = game.show(event, viewer)
        if shown is not None:
            sentences[viewer] = game.say(shown)
    yield from _grouped(sentences, len(viewers(seats)))


def _differences(before: Mapping[Viewer, Flat], after: Mapping[Viewer, Flat]) -> Iterator[str]:
    """Yield the changes of the views, leaf by leaf. Equal changes occur once, with their viewers."""
    for path in sorted({path for flat in (*before.values(), *after.values()) for path in flat}, key=_in_order):
        changed = {
            viewer: f"{path} = {after[viewer].get(path, 'gone')}"
            for viewer in after
            if before[viewer].get(path) != after[viewer].get(path)
        }
        yield from _grouped(changed, len(after))


def _in_order(path: str) -> list[tuple[bool, int, str]]:
    """Return a sort key that orders numbers in paths by value."""
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in path.split(".")]


def _grouped(lines: Mapping[Viewer, str], viewers_count: int) -> Iterator[str]:
    """Yield each different line once, with its viewers in front unless it is for all of them."""
    for line in dict.fromkeys(lines.values()):
        group = [viewer for viewer, own in lines.items() if own == line]
        names = " ".join("-" if viewer is None else str(viewer) for viewer in group)
        prefix = "" if len(group) == viewers_count else f"[{names}] "
        yield f"  {prefix}{line}"


def flatten(view: Any) -> Flat:
    """Return the leaves of a view. A list of scalars is one leaf."""
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
