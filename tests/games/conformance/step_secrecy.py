"""Secrecy of steps (non-interference): the moves and events that a viewer sees agree with what it may know.

The checks take steps of the same actor from alike states (``secrecy.py``). If the viewer itself is the actor, they take
steps with the same move, because it knows its own move. A step may reveal something, so alike states need not stay
alike. But the shown move and the shown events must agree with what the viewer knows afterwards:

1. Equal events lead to equal positions. A viewer learns nothing without an event, so a client that follows the events
   knows the view, and does not need the moves.
2. Take two moves of another seat, or of chance, from one state. If they lead to equal positions, and to states that
   differ only where a redeal may differ, the viewer sees equal moves and equal events. So a secret choice, or a card
   that is dealt face down, does not leak.
3. A later redeal agrees with what the viewer saw. Take one move from many alike states, or a random move from each. If
   something that the viewer saw always occurred with one value at some path, no redeal has another value there. A
   viewer knows what it saw until it could have changed, so the state must remember it.
4. Take steps with equal moves, events and positions but different states. Some redeal varies each path at which the
   states differ. Without this check, the identity would be a valid redeal, and all other checks would pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from msgspec import to_builtins

from skerry_games.api import AnyGame, Viewer
from tests.games.conformance.play import advance, dice, play, spread, viewers_of
from tests.games.conformance.secrecy import position
from tests.games.conformance.state_paths import StatePath, differences, held_at, never_varied, varied, varying

_STATES = 40
_MOVES = 6
_REDEALS = 12
_MOST_REDEALS = 2000
_WORLDS = 24
_MANY_WORLDS = 240
_FEWEST_WORLDS = 12


Meaning = Mapping[Any, Any]
"""What the viewer saw for each value at a path."""
Chooser = Callable[[Sequence[Any], int], Any]
"""Chooses one of the legal moves in the world with this number, or ``None``."""


@dataclass(frozen=True, slots=True)
class SeenStep:
    """A step as one viewer sees it, and the state after it. ``own`` is the move if the viewer made it."""

    own: Any
    move: Any
    events: tuple[Any, ...]
    after: Any


@dataclass(frozen=True, slots=True)
class Fork:
    """A state in which an actor has to decide, and the viewer for which a check examines the steps."""

    state: Any
    actor: int
    viewer: Viewer
    number: int


def shown(game: AnyGame, events: Sequence[Any], viewer: Viewer) -> tuple[Any, ...]:
    """Return the events as the viewer sees them."""
    return tuple(each for each in (game.show(event, viewer) for event in events) if each is not None)


def check_events_explain_changes(game: AnyGame, seats: int, seed: int) -> None:
    """Equal events from alike states lead to equal positions (1)."""
    for fork in _forks(game, seats, seed):
        known: dict[Any, Any] = {}
        for step in _steps_of_alike_states(game, fork):
            now = position(game, step.after, fork.viewer)
            first = known.setdefault((step.own, step.events), now)
            assert now == first, (
                f"viewer {fork.viewer} learns something without an event: {step.events}\n{now}\n{first}"
            )


def check_steps_hide_choices(game: AnyGame, seats: int, seed: int) -> None:
    """The shown move and events do not leak the part of another actor's move that stays secret (2)."""
    for fork in _forks(game, seats, seed):
        if fork.viewer == fork.actor:
            continue
        for one, other in _distinguished(game, fork, list(_steps(game, fork.state, fork))):
            hidden = differences(one.after, other.after)
            unknown = set[StatePath]().union(*varied(game, one.after, fork.viewer, _REDEALS))
            leaked = hidden and hidden <= unknown
            assert not leaked, f"viewer {fork.viewer} sees a secret choice: {_seen(one)} or {_seen(other)}"


def check_redeals_agree_with_steps(game: AnyGame, seats: int, seed: int) -> None:
    """No redeal contradicts what the viewer saw in the last step (3)."""
    for fork in _forks(game, seats, seed, _STATES // 2):
        worlds = _worlds(game, fork, range(_WORLDS))
        if all(state == fork.state for state in worlds):
            continue
        for choose in _choosers(game, fork):
            steps = _taken(game, fork, worlds, choose)
            if any(_contradictions(game, fork, steps)):
                more = _worlds(game, fork, range(_WORLDS, _MANY_WORLDS))
                steps += _taken(game, fork, more, choose)
                found = next(_contradictions(game, fork, steps), None)
                assert not found, f"viewer {fork.viewer} sees a secret, or a redeal forgets it: {found}"


def check_redeal_draws_anew(game: AnyGame, seats: int, seed: int) -> None:
    """Some redeal for a viewer varies everything that the viewer does not know (4)."""
    for fork in _forks(game, seats, seed):
        alike: dict[Any, tuple[Any, set[StatePath]]] = {}
        for step in _steps_of_alike_states(game, fork):
            now = position(game, step.after, fork.viewer)
            first, hidden = alike.setdefault((step.own, step.move, step.events, now), (step.after, set()))
            hidden |= differences(first, step.after)
        for first, hidden in alike.values():
            kept = never_varied(game, first, fork.viewer, hidden, _MOST_REDEALS)
            assert not kept, f"a redeal for viewer {fork.viewer} never varies {sorted(kept, key=str)}"


def _forks(game: AnyGame, seats: int, seed: int, states: int = _STATES) -> Iterator[Fork]:
    for number, state in enumerate(spread(play(game, seats, seed).states[:-1], states)):
        for viewer in viewers_of(seats):
            for actor in game.to_act(state):
                yield Fork(state, actor, viewer, number)


def _steps_of_alike_states(game: AnyGame, fork: Fork) -> Iterator[SeenStep]:
    yield from _steps(game, fork.state, fork)
    for roll in (1, 2):
        yield from _steps(game, game.redeal(fork.state, fork.viewer, dice(roll, fork.number)), fork)


def _steps(game: AnyGame, state: Any, fork: Fork) -> Iterator[SeenStep]:
    for move in spread(game.legal_moves(state, fork.actor), _MOVES):
        yield _seen_step(game, state, fork, move)


def _seen_step(game: AnyGame, state: Any, fork: Fork, move: Any) -> SeenStep:
    step = advance(game, state, fork.actor, move)
    own = move if fork.actor == fork.viewer else None
    shown_move = game.show_move(move, fork.actor, fork.viewer)
    return SeenStep(own, shown_move, shown(game, step.events, fork.viewer), step.after)


def _seen(step: SeenStep) -> tuple[Any, tuple[Any, ...]]:
    return step.move, step.events


def _distinguished(game: AnyGame, fork: Fork, steps: Sequence[SeenStep]) -> Iterator[tuple[SeenStep, SeenStep]]:
    """Yield pairs of steps that the viewer can distinguish although they lead to equal positions."""
    if all(_seen(step) == _seen(steps[0]) for step in steps):
        return
    placed = [(step, position(game, step.after, fork.viewer)) for step in steps]
    for (one, here), (other, there) in combinations(placed, 2):
        if _seen(one) != _seen(other) and here == there:
            yield one, other


def _worlds(game: AnyGame, fork: Fork, rolls: range) -> list[Any]:
    """Return states that are alike to the state of the fork."""
    return [game.redeal(fork.state, fork.viewer, dice(roll, fork.number)) for roll in rolls]


def _choosers(game: AnyGame, fork: Fork) -> Iterator[Chooser]:
    """Yield ways to choose moves in alike states: two fixed moves, and a random move for each state."""
    for move in spread(game.legal_moves(fork.state, fork.actor), 2):
        yield partial(_the_same, move)
    yield lambda listed, world: dice(_WORLDS + world, fork.number).choice(listed)


def _the_same(move: Any, listed: Sequence[Any], world: int) -> Any:
    return move if move in listed else None


def _taken(game: AnyGame, fork: Fork, worlds: Sequence[Any], choose: Chooser) -> list[SeenStep]:
    chosen = [(state, choose(game.legal_moves(state, fork.actor), world)) for world, state in enumerate(worlds)]
    return [_seen_step(game, state, fork, move) for state, move in chosen if move is not None]


def _contradictions(game: AnyGame, fork: Fork, steps: Sequence[SeenStep]) -> Iterator[str]:
    """Yield paths whose values determine something that the viewer saw in all steps, but not after a redeal.

    In a few steps this may happen by chance. The caller repeats the check with many more steps.
    """
    seen = varying([_seen(step) for step in steps]) if len(steps) >= _FEWEST_WORLDS else {}
    if not seen:
        return
    redealt = [to_builtins(game.redeal(step.after, fork.viewer, dice(1, 2))) for step in steps]
    for path, values in varying([step.after for step in steps]).items():
        dealt = [held_at(state, path) for state in redealt]
        for at, each in seen.items() if dealt != values else ():
            meaning = _meaning(values, each)
            known = [(value, seen) for real, value, seen in zip(values, dealt, each, strict=True) if real in meaning]
            if any(meaning.get(value, seen) != seen for value, seen in known):
                yield f"{path} determines {at}"


def _meaning(values: Sequence[Any], seen: Sequence[Any]) -> Meaning:
    """Return what the viewer saw for each value at a path. Empty if the value does not determine it.

    Leaves out values that occur only once: they prove nothing.
    """
    meaning = dict(zip(values, seen, strict=True))
    if any(meaning[value] != each for value, each in zip(values, seen, strict=True)):
        return {}
    often = {value: meaning[value] for value, times in Counter(values).items() if times > 1}
    return often if len(set(often.values())) > 1 else {}
