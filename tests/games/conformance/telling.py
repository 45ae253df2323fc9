"""Non-interference of steps: the events that a viewer is shown, and its position afterwards, fit what it may know.

Take steps by the same actor from alike states (``secrecy.py``); if the viewer itself is the actor, steps by the same
move, for it knows its own move. A step may reveal something, so alike states need not stay alike. But what was told
must fit what is known afterwards:

1. Equal events lead to equal positions: a viewer learns nothing that no event says, so that whoever follows the
   events knows the view.
2. Two moves of somebody else that lead from one state to two, with equal positions, and differing only where a redeal
   would differ as well, show equal events: a secret choice, or a card dealt unseen, is not told by its event.
3. A redeal afterwards agrees with the events: where one move was played on many alike states, and something in the
   events always went with the value of some place, then no redeal puts another value there. What was once shown is
   known until it could have changed, so the state must remember it.
4. Equal events and equal positions, but states that differ: then each place in which they differ is varied by some
   redeal. Without this the identity would be a redeal, and all other checks would pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from skerry_service.games.api import AnyGame, Viewer
from tests.games.conformance.places import MISSING, Place, differences, leaves, varied
from tests.games.conformance.play import advance, dice, play, spread, viewers_of
from tests.games.conformance.secrecy import position

_STATES = 40
_MOVES = 6
_REDEALS = 12
_MOST_REDEALS = 2000
_WORLDS = 24
_MANY_WORLDS = 240
_FEWEST_WORLDS = 12


@dataclass(frozen=True, slots=True)
class Told:
    """A step as one viewer is told of it. ``own`` is the move if the viewer made it."""

    own: Any
    events: tuple[Any, ...]
    position: tuple[Any, ...]
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
        known: dict[Any, Told] = {}
        for step in _steps_of_alike_states(game, fork):
            first = known.setdefault((step.own, step.events), step)
            assert step.position == first.position, (
                f"viewer {fork.viewer} learns what no event says: {step.events}\n{step.position}\n{first.position}"
            )


def check_events_hide_choices(game: AnyGame, seats: int, seed: int) -> None:
    """The events of somebody's move do not tell the part of it that stays unknown afterwards (2)."""
    for fork in _forks(game, seats, seed):
        if fork.viewer == fork.actor:
            continue
        for one, other in combinations(_steps(game, fork.state, fork), 2):
            if one.position == other.position and one.events != other.events:
                hidden = differences(one.after, other.after)
                unknown = set[Place]().union(*varied(game, one.after, fork.viewer, _REDEALS))
                leaked = hidden and hidden <= unknown
                assert not leaked, f"viewer {fork.viewer} is told a secret choice: {one.events} or {other.events}"


def check_redeals_agree_with_events(game: AnyGame, seats: int, seed: int) -> None:
    """No redeal contradicts what the viewer was shown in the last step (3)."""
    for fork in _forks(game, seats, seed, _STATES // 2):
        for move in spread(game.legal_moves(fork.state, fork.actor), 2):
            steps = _same_move_in_alike_states(game, fork, move, range(_WORLDS))
            if any(_told_together(steps)):
                steps += _same_move_in_alike_states(game, fork, move, range(_WORLDS, _MANY_WORLDS))
                _expect_agreement(game, fork, steps)


def check_redeal_draws_anew(game: AnyGame, seats: int, seed: int) -> None:
    """Whatever a viewer was not told, some redeal for it varies (4)."""
    for fork in _forks(game, seats, seed):
        known: dict[Any, Told] = {}
        for step in _steps_of_alike_states(game, fork):
            first = known.setdefault((step.own, step.events, step.position), step)
            kept = differences(first.after, step.after)
            for places in varied(game, first.after, fork.viewer, _MOST_REDEALS) if kept else ():
                kept -= places
                if not kept:
                    break
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
    events = shown(game, step.events, fork.viewer)
    return Told(own, events, position(game, step.after, fork.viewer), step.after)


def _same_move_in_alike_states(game: AnyGame, fork: Fork, move: Any, rolls: range) -> list[Told]:
    alike = [game.redeal(fork.state, fork.viewer, dice(roll, fork.number)) for roll in rolls]
    if all(state == fork.state for state in alike):
        return []
    return [_telling(game, state, fork, move) for state in alike if move in game.legal_moves(state, fork.actor)]


def _expect_agreement(game: AnyGame, fork: Fork, steps: Sequence[Told]) -> None:
    redealt = [leaves(game.redeal(step.after, fork.viewer, dice(1, 2))) for step in steps]
    events = [leaves(step.events) for step in steps]
    for said, place, meaning in _told_together(steps):
        for each, state in zip(events, redealt, strict=True):
            told = each.get(said, MISSING)
            agreed = meaning.get(state.get(place, MISSING), told) == told
            assert agreed, f"viewer {fork.viewer} is told a secret, or a redeal forgets it: {place} goes with {said}"


def _told_together(steps: Sequence[Told]) -> Iterator[tuple[Place, Place, Mapping[Any, Any]]]:
    """Yield places of events and of states that went together in all steps, with what was told for which value."""
    told, after = [leaves(step.events) for step in steps], [leaves(step.after) for step in steps]
    hidden = _varying(after) if len(steps) >= _FEWEST_WORLDS else {}
    for said, each in _varying(told).items():
        for place, values in hidden.items():
            if meaning := _meaning(values, each):
                yield said, place, meaning


def _varying(many: Sequence[Mapping[Place, Any]]) -> dict[Place, list[Any]]:
    """Return the places that do not hold the same everywhere, with what they hold."""
    places = dict.fromkeys(place for one in many for place in one)
    values = {place: [one.get(place, MISSING) for one in many] for place in places}
    return {place: each for place, each in values.items() if len(set(each)) > 1}


def _meaning(values: Sequence[Any], told: Sequence[Any]) -> Mapping[Any, Any]:
    """Return what is told for each value of a place, or nothing if the two are not seen to go together."""
    meaning = dict(zip(values, told, strict=True))
    if any(meaning[value] != each for value, each in zip(values, told, strict=True)):
        return {}
    often = {value for value, times in Counter(values).items() if times > 1}
    return meaning if len({meaning[value] for value in often}) > 1 else {}
