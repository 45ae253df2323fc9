"""A game action by action and throw by throw, for programs that go back and forth in it: each moment is a value.

*Chance* is split into throws with equally likely outcomes, the draws that the rules ask of their random generator one
after the other: to shuffle twenty cards is nineteen throws of twenty outcomes at most, not one of 20!. So the outcomes
of each are known and few, and the game follows from its actions and throws alone.

A *memory* stands for all that a seat has been shown and has done so far: for the events, for its view after each of
them, and for its own moves. Two courses of a game have left the same memory if they were the same to that seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Final

from msgspec import json

from skerry_arena.learning.action_encoding import ActionSequence
from skerry_arena.learning.game_encoding import GameEncoding
from skerry_arena.learning.move_selection import MoveSelection
from skerry_arena.learning.returns import returns
from skerry_games.api import CHANCE, CHANCE_ACTS
from skerry_games.rng import Rng

OVER: Final = -2
"""Instead of an actor: nobody is to act any more."""
MOST_OUTCOMES: Final = 500
"""Of a throw: not more than chance can have moves (``skerry_games.api``)."""
_MEMORY_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class GameNode:
    """A game as it stands, all there is to know included. Never changes, so a copy of it is itself."""

    state: Any
    actor: int
    """The seat that is asked, ``CHANCE`` or ``OVER``."""
    memories: tuple[bytes, ...]
    """Of each seat."""
    moves: Sequence[Any] = ()
    """What the seat that is asked can do."""
    decision: MoveSelection | None = None
    """What it has spelled of it. Not to be spelled on with: a copy of it is."""
    throws: ActionSequence = ()
    """Of the draw that is under way."""
    outcomes: int = 0
    """How many the next throw has."""

    def __deepcopy__(self, memo: dict[int, Any]) -> GameNode:
        return self

    @property
    def possible(self) -> Sequence[int]:
        """The actions of the seat that is asked, ascending."""
        return () if self.decision is None else self.decision.possible

    def spelled(self, seat: int) -> ActionSequence:
        """Return what a seat has spelled of its move."""
        return self.decision.spelled if self.decision is not None and seat == self.actor else ()


class GameTree:
    """How one moment of a game follows from another."""

    def __init__(self, table: GameEncoding) -> None:
        self._table = table
        self._game = table.game
        self.first = self._on(self._game.setup(table.options, table.seats), (b"",) * table.seats)

    def after(self, moment: GameNode, action: int) -> GameNode:
        """Return the moment after an action of the seat that is asked, or after the outcome of a throw.

        Raises ValueError for one that cannot be.
        """
        if moment.actor == CHANCE and 0 <= action < moment.outcomes:
            return self._on(moment.state, moment.memories, (*moment.throws, action))
        if moment.decision is None or action not in moment.possible:
            raise ValueError(f"The action {action} cannot be taken now; the legal actions are those that can.")
        decision = copy(moment.decision)
        choice = decision.spell(action)
        if choice is None:
            return replace(moment, decision=decision)
        return self._on(*self._played(moment.state, moment.memories, moment.actor, moment.moves[choice]))

    def redealt(self, moment: GameNode, seat: int, rng: Rng) -> GameNode:
        """Return a moment that a seat cannot tell from this one, all that it cannot know drawn anew.

        What another seat has begun to spell is taken back, and the others' memories are empty: they would tell what
        was hidden.
        """
        state = self._game.redeal(moment.state, seat, rng)
        memories = tuple([own if number == seat else b"" for number, own in enumerate(moment.memories)])
        if seat == moment.actor:
            return replace(moment, state=state, memories=memories)
        return self._on(state, memories)

    def returns(self, moment: GameNode) -> Sequence[float]:
        """Return what the game has brought to each seat so far: nothing before it is over."""
        outcome = self._game.outcome(moment.state)
        return [0.0] * self._table.seats if outcome is None else returns(outcome.ranks)

    def _on(self, state: Any, memories: tuple[bytes, ...], throws: ActionSequence = ()) -> GameNode:
        """Go on until a seat is to be asked, or something is to be thrown."""
        while self._game.to_act(state) == CHANCE_ACTS:
            try:
                move = self._game.draw(state, _ReplayedDraws(throws))
            except _NextDraw as throw:
                return GameNode(state, CHANCE, memories, throws=throws, outcomes=throw.outcomes)
            state, memories = self._played(state, memories, CHANCE, move)
            throws = ()
        to_act = self._game.to_act(state)
        if not to_act:
            return GameNode(state, OVER, memories)
        moves = self._game.legal_moves(state, to_act[0])
        return GameNode(state, to_act[0], memories, moves, self._table.decision(moves))

    def _played(self, state: Any, memories: tuple[bytes, ...], actor: int, move: Any) -> tuple[Any, tuple[bytes, ...]]:
        """Return the state after a move, and what each seat remembers then: as before, where it was shown nothing."""
        game = self._game
        state, events = game.apply(state, actor, move)
        kept = []
        for seat, memory in enumerate(memories):
            shown = [one for event in events if (one := game.show(event, seat)) is not None]
            own = move if seat == actor else None
            if shown or seat == actor:
                told = json.encode((own, shown, game.view(state, seat)))
                kept.append(blake2b(memory + told, digest_size=_MEMORY_BYTES).digest())
            else:
                kept.append(memory)
        return state, tuple(kept)


class _NextDraw(Exception):
    """A draw needs one more throw, with so many outcomes."""

    def __init__(self, outcomes: int) -> None:
        super().__init__(outcomes)
        assert outcomes <= MOST_OUTCOMES, "a throw has more outcomes than chance can have moves"
        self.outcomes = outcomes


class _ReplayedDraws(Rng):
    """Tells what was thrown, one after the other, and then asks for another throw. One outcome alone is no throw."""

    __slots__ = ("_throws",)

    def __init__(self, throws: ActionSequence) -> None:
        self._throws = iter(throws)

    def below(self, count: int) -> int:
        if count == 1:
            return 0
        for outcome in self._throws:
            return outcome
        raise _NextDraw(count)
