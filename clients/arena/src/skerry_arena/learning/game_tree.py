"""The tree of a game, with immutable nodes, for programs that search it.

*Chance* is split into the single draws that the rules request from their random generator, each with equally likely
outcomes. To shuffle twenty cards takes nineteen draws of at most twenty outcomes instead of one draw of 20! outcomes.
So each draw has few outcomes, and a game follows from its actions and outcomes.

A *memory* is a hash of everything that a seat has seen and done: the events, its view after each of them, and its own
moves. Two histories give a seat the same memory exactly if they look the same to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Final

from msgspec import json

from skerry_arena.learning.encoding.action_encoding import ActionSequence
from skerry_arena.learning.encoding.game_encoding import GameEncoding
from skerry_arena.learning.encoding.move_selection import MoveSelection
from skerry_arena.learning.returns import returns
from skerry_games.api import CHANCE, CHANCE_ACTS
from skerry_games.rng import Rng

OVER: Final = -2
"""The actor of a terminal node."""
MOST_OUTCOMES: Final = 500
"""The most outcomes of a draw, which is also the limit for moves of chance (``skerry_games.api``)."""
MEMORY_BYTES: Final = 16
"""The length of a memory, except that of a seat that has seen nothing, which is empty."""


@dataclass(frozen=True, slots=True)
class GameNode:
    """A node of the tree with the full state. It is immutable, so a copy is the node itself."""

    state: Any
    actor: int
    """The seat to act, ``CHANCE`` or ``OVER``."""
    memories: tuple[bytes, ...]
    """The memory of each seat."""
    moves: Sequence[Any] = ()
    """The legal moves of the seat to act."""
    selection: MoveSelection | None = None
    """The seat's selection of a move."""
    draws: ActionSequence = ()
    """The outcomes so far of an incomplete move of chance."""
    outcomes: int = 0
    """The number of outcomes of the next draw."""

    def __deepcopy__(self, memo: dict[int, Any]) -> GameNode:
        return self

    @property
    def possible(self) -> Sequence[int]:
        """The possible actions of the seat to act, ascending."""
        return () if self.selection is None else self.selection.possible

    def prefix(self, seat: int) -> ActionSequence:
        """Return the actions of a seat's incomplete move."""
        return self.selection.prefix if self.selection is not None and seat == self.actor else ()


class GameTree:
    """The tree of a game."""

    def __init__(self, encoding: GameEncoding) -> None:
        self._encoding = encoding
        self._game = encoding.game
        self.root = self._on(self._game.setup(encoding.options, encoding.seats), (b"",) * encoding.seats)

    def child(self, node: GameNode, action: int) -> GameNode:
        """Return the node after an action of the seat to act, or after an outcome of a draw.

        Raises ValueError for an impossible one.
        """
        if node.actor == CHANCE and 0 <= action < node.outcomes:
            return self._on(node.state, node.memories, (*node.draws, action))
        if node.selection is None or action not in node.possible:
            raise ValueError(f"The action {action} is not legal here.")
        taken = node.selection.take(action)
        if isinstance(taken, MoveSelection):
            return replace(node, selection=taken)
        return self._on(*self._played(node.state, node.memories, node.actor, node.moves[taken]))

    def resample(self, node: GameNode, seat: int, rng: Rng) -> GameNode:
        """Return a node that a seat cannot tell from this one, with the hidden information resampled.

        It drops the incomplete move of another seat and the memories of all others, which would reveal hidden
        information.
        """
        state = self._game.redeal(node.state, seat, rng)
        memories = tuple([own if number == seat else b"" for number, own in enumerate(node.memories)])
        if seat == node.actor:
            return replace(node, state=state, memories=memories)
        return self._on(state, memories)

    def returns(self, node: GameNode) -> Sequence[float]:
        """Return the returns of each seat; zeros before the game is over."""
        outcome = self._game.outcome(node.state)
        return [0.0] * self._encoding.seats if outcome is None else returns(outcome.ranks)

    def _on(self, state: Any, memories: tuple[bytes, ...], draws: ActionSequence = ()) -> GameNode:
        """Return the next node at which a seat acts, chance draws or the game is over."""
        while self._game.to_act(state) == CHANCE_ACTS:
            try:
                move = self._game.draw(state, _ReplayedDraws(draws))
            except _NextDraw as draw:
                return GameNode(state, CHANCE, memories, draws=draws, outcomes=draw.outcomes)
            state, memories = self._played(state, memories, CHANCE, move)
            draws = ()
        to_act = self._game.to_act(state)
        if not to_act:
            return GameNode(state, OVER, memories)
        moves = self._game.legal_moves(state, to_act[0])
        return GameNode(state, to_act[0], memories, moves, self._encoding.selection(moves))

    def _played(self, state: Any, memories: tuple[bytes, ...], actor: int, move: Any) -> tuple[Any, tuple[bytes, ...]]:
        """Return the state after a move, and the memories. A seat that saw nothing keeps its memory."""
        game = self._game
        state, events = game.apply(state, actor, move)
        kept = []
        for seat, memory in enumerate(memories):
            shown = [one for event in events if (one := game.show(event, seat)) is not None]
            own = move if seat == actor else None
            if shown or seat == actor:
                observed = json.encode((own, shown, game.view(state, seat)))
                kept.append(blake2b(memory + observed, digest_size=MEMORY_BYTES).digest())
            else:
                kept.append(memory)
        return state, tuple(kept)


class _NextDraw(Exception):
    """A move of chance needs one more draw, with so many outcomes."""

    def __init__(self, outcomes: int) -> None:
        super().__init__(outcomes)
        assert outcomes <= MOST_OUTCOMES, "a draw has more outcomes than chance can have moves"
        self.outcomes = outcomes


class _ReplayedDraws(Rng):
    """Returns the given outcomes in order, then raises _NextDraw. A draw with a single outcome needs none."""

    __slots__ = ("_outcomes",)

    def __init__(self, draws: ActionSequence) -> None:
        self._outcomes = iter(draws)

    def below(self, count: int) -> int:
        if count == 1:
            return 0
        for outcome in self._outcomes:
            return outcome
        raise _NextDraw(count)
