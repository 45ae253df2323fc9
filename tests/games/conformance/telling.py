"""Non-interference of steps: the moves and events that a viewer is shown, and its position afterwards, fit what it may
know.

Take steps by the same actor from alike states (``secrecy.py``); if the viewer itself is the actor, steps by the same
move, for it knows its own move. A step may reveal something, so alike states need not stay alike. But what was told,
the shown move and the shown events together, must fit what is known afterwards:

1. Equal events lead to equal positions: a viewer learns nothing that no event says, so that whoever follows the
   events knows the view, and needs no moves for it.
2. Two moves of somebody else, or of chance, that lead from one state to two, with equal positions, and differing only
   where a redeal would differ as well, show an equal move and equal events: a secret choice, or a card dealt unseen, is
   not told.
3. A redeal afterwards agrees with what was told: where one move was played on many alike states, or a move drawn at
   random on each, and something that was told always went with the value of some place, then no redeal puts another
   value there. What was once shown is known until it could have changed, so the state must remember it.
4. Equal moves, equal events and equal positions, but states that differ: then each place in which they differ is varied
   by some redeal. Without this the identity would be a redeal, and all other checks would pass.
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
from tests.games.conformance.places import Place, differences, held_at, never_varied, varied, varying
from tests.games.conformance.play import advance, dice, play, spread, viewers_of
from tests.games.conformance.secrecy import position

_STATES = 40
_MOVES = 6
_REDEALS = 12
_MOST_REDEALS = 2000
_WORLDS = 24
_MANY_WORLDS = 240
_FEWEST_WORLDS = 12


Meaning = Mapping[Any, Any]
"""What was told for each value of a place."""
Chooser = Callable[[Sequence[Any], int], Any]
"""Chooses one of the moves that are listed in the world of that number, or none of them."""


@dataclass(frozen=True, slots=True)
class Told:
    """A step as one viewer is told of it, and the state that it led to. ``own`` is the move if the viewer made it."""

    own: Any
    move: Any
    events: tuple[Any, ...]
    after: Any


@dataclass(frozen=True, slots=True)
class Fork:
    """A state at which an actor moves while a viewer looks on."""

    state: Any
    actor: int
    viewer: Viewer
    number: int


def shown(game: AnyGame, events: Sequence[Any], viewer: Viewer) -> tuple[Any, ...]:
    """Return what the viewer is shown of the events."""
    return tuple(each for each in (game.show(event, viewer) for event in events) if each is not None)


def check_events_tell_what_changed(game: AnyGame, seats: int, seed: int) -> None:
    """Equal events from alike states lead to equal positions (1)."""
    for fork in _forks(game, seats, seed):
        known: dict[Any, Any] = {}
        for step in _steps_of_alike_states(game, fork):
            now = position(game, step.after, fork.viewer)
            first = known.setdefault((step.own, step.events), now)
            assert now == first, f"viewer {fork.viewer} learns what no event says: {step.events}\n{now}\n{first}"


def check_steps_hide_choices(game: AnyGame, seats: int, seed: int) -> None:
    """Neither the shown move nor its events tell the part of somebody's move that stays unknown afterwards (2)."""
    for fork in _forks(game, seats, seed):
        if fork.viewer == fork.actor:
            continue
        for one, other in _told_apart(game, fork, list(_steps(game, fork.state, fork))):
            hidden = differences(one.after, other.after)
            unknown = set[Place]().union(*varied(game, one.after, fork.viewer, _REDEALS))
            leaked = hidden and hidden <= unknown
            assert not leaked, f"viewer {fork.viewer} is told a secret choice: {_told(one)} or {_told(other)}"


def check_redeals_agree_with_steps(game: AnyGame, seats: int, seed: int) -> None:
    """No redeal contradicts what the viewer was shown in the last step (3)."""
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
                assert not found, f"viewer {fork.viewer} is told a secret, or a redeal forgets it: {found}"


def check_redeal_draws_anew(game: AnyGame, seats: int, seed: int) -> None:
    """Whatever a viewer was not told, some redeal for it varies (4)."""
    for fork in _forks(game, seats, seed):
        alike: dict[Any, tuple[Any, set[Place]]] = {}
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


def _steps_of_alike_states(game: AnyGame, fork: Fork) -> Iterator[Told]:
    yield from _steps(game, fork.state, fork)
    for roll in (1, 2):
        yield from _steps(game, game.redeal(fork.state, fork.viewer, dice(roll, fork.number)), fork)


def _steps(game: AnyGame, state: Any, fork: Fork) -> Iterator[Told]:
    for move in spread(game.legal_moves(state, fork.actor), _MOVES):
        yield _telling(game, state, fork, move)


def _telling(game: AnyGame, state: Any, fork: Fork, move: Any) -> Told:
    step = advance(game, state, fork.actor, move)
    own = move if fork.actor == fork.viewer else None
    shown_move = game.show_move(move, fork.actor, fork.viewer)
    return Told(own, shown_move, shown(game, step.events, fork.viewer), step.after)


def _told(step: Told) -> tuple[Any, tuple[Any, ...]]:
    return step.move, step.events


def _told_apart(game: AnyGame, fork: Fork, steps: Sequence[Told]) -> Iterator[tuple[Told, Told]]:
    """Yield two steps each that are told otherwise, although the positions after them are equal."""
    if all(_told(step) == _told(steps[0]) for step in steps):
        return
    placed = [(step, position(game, step.after, fork.viewer)) for step in steps]
    for (one, here), (other, there) in combinations(placed, 2):
        if _told(one) != _told(other) and here == there:
            yield one, other


def _worlds(game: AnyGame, fork: Fork, rolls: range) -> list[Any]:
    """Return states alike to that of the fork."""
    return [game.redeal(fork.state, fork.viewer, dice(roll, fork.number)) for roll in rolls]


def _choosers(game: AnyGame, fork: Fork) -> Iterator[Chooser]:
    """Yield ways to choose a move in alike states: the same one in all of them, twice, and any one in each."""
    for move in spread(game.legal_moves(fork.state, fork.actor), 2):
        yield partial(_the_same, move)
    yield lambda listed, world: dice(_WORLDS + world, fork.number).choice(listed)


def _the_same(move: Any, listed: Sequence[Any], world: int) -> Any:
    return move if move in listed else None


def _taken(game: AnyGame, fork: Fork, worlds: Sequence[Any], choose: Chooser) -> list[Told]:
    chosen = [(state, choose(game.legal_moves(state, fork.actor), world)) for world, state in enumerate(worlds)]
    return [_telling(game, state, fork, move) for state, move in chosen if move is not None]


def _contradictions(game: AnyGame, fork: Fork, steps: Sequence[Told]) -> Iterator[str]:
    """Yield places of states that went together with something told in all steps, but not so after a redeal.

    A few steps go together by chance: what is found in them has to be found in many more.
    """
    told = varying([_told(step) for step in steps]) if len(steps) >= _FEWEST_WORLDS else {}
    if not told:
        return
    redealt = [to_builtins(game.redeal(step.after, fork.viewer, dice(1, 2))) for step in steps]
    for place, values in varying([step.after for step in steps]).items():
        dealt = [held_at(state, place) for state in redealt]
        for said, each in told.items() if dealt != values else ():
            meaning = _meaning(values, each)
            known = [(value, told) for real, value, told in zip(values, dealt, each, strict=True) if real in meaning]
            if any(meaning.get(value, told) != told for value, told in known):
                yield f"{place} goes with {said}"


def _meaning(values: Sequence[Any], told: Sequence[Any]) -> Meaning:
    """Return what is told for each value of a place that is seen more than once, or nothing if they do not go together.

    What goes with a value that is seen once may do so by chance.
    """
    meaning = dict(zip(values, told, strict=True))
    if any(meaning[value] != each for value, each in zip(values, told, strict=True)):
        return {}
    often = {value: meaning[value] for value, times in Counter(values).items() if times > 1}
    return often if len(set(often.values())) > 1 else {}
