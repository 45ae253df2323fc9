"""Why a thing on the table cannot be played now: the sentence of the rules, found by trying what touching would mean.

Everything follows from what the viewer sees: the things on the table are those of its picture, and the rules refuse a
move in the same words whatever is hidden from the seat that makes it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from skerry_games.api import CHANCE_ACTS, AnyGame, GameError, IllegalMove, MalformedMove, Viewer
from skerry_games.looks.guidance import Explanation
from skerry_games.sentences import capitalized, phrase, player

Ids = tuple[str, ...]


class UnknownThing(GameError):
    """The viewer sees no place and no piece with this id, and no legal move of the viewer has it in its path."""

    def __init__(self, thing: str) -> None:
        super().__init__(f"Nothing on the table has the id {thing!r}.")
        self.thing = thing


def explain(game: AnyGame, state: Any, viewer: Viewer, target: str, chosen: Sequence[str] = ()) -> Explanation:
    """Return why a viewer cannot play a place or a piece now, or what it does if it can.

    ``chosen``: the ids that the viewer has touched before, as in ``Guide.paths``. The text is a template for the
    players' names (``skerry_games.fill``). Raises UnknownThing.
    """
    table = _Table(game, state, viewer)
    for thing in (target, *chosen):
        if thing not in table:
            raise UnknownThing(thing)
    return table.not_to_decide() or table.in_a_legal_move(target, tuple(chosen)) or table.refusal(target, tuple(chosen))


class _Table:
    """A position as one viewer sees it."""

    def __init__(self, game: AnyGame, state: Any, viewer: Viewer) -> None:
        self._game, self._state, self._viewer = game, state, viewer
        self._to_act = game.to_act(state)
        self._view = game.view(state, viewer)
        board, look = game.boards[0], game.look
        areas = {area.id: area for area in look.areas(board, self._view)}
        places = {place.id: ("", area.seat) for area in areas.values() for place in area.places}
        pieces = {piece.id: (piece.place, areas[piece.area].seat) for piece in look.pieces(self._view, viewer)}
        self.things: Mapping[str, tuple[str, int | None]] = places | pieces
        """For each place and piece: the place where it lies, and the seat to whose area it belongs."""
        self._legal = game.legal_moves(state, viewer) if viewer in self._to_act else ()
        self._ways = self._all_ways()

    def _all_ways(self) -> tuple[tuple[Any, Ids], ...]:
        guide = self._game.guide
        if guide is None:
            return ()
        return tuple([(move, way) for move in self._legal for way in guide.paths(move, self._view)])

    def __contains__(self, thing: str) -> bool:
        return thing in self.things or any(thing in way for _, way in self._ways)

    def not_to_decide(self) -> Explanation | None:
        """Return why the viewer decides nothing now; ``None`` if the viewer has to decide."""
        if self._viewer is not None and self._viewer in self._to_act:
            return None
        outcome = self._game.outcome(self._state)
        if outcome is not None:
            rule, _, sentence = outcome.reason.partition(": ")
            return Explanation(phrase("common-game-over", reason=sentence), rule)
        if self._viewer is None:
            return Explanation("You are watching: only the players move.")
        if self._to_act == CHANCE_ACTS:
            return Explanation("The next card or tile is drawn by chance.")
        acting = self._to_act[0]
        return self._refused(self._game.legal_moves(self._state, acting)[0]) or Explanation(
            phrase("common-turn-of", seat=player(acting))
        )

    def in_a_legal_move(self, target: str, chosen: Ids) -> Explanation | None:
        """Return what the target does now, or what to touch before it; ``None`` if no legal move begins like that."""
        follows = False
        for move, way in self._ways:
            if way[: len(chosen)] == chosen and target in way[len(chosen) :]:
                if way[len(chosen)] == target:
                    return self._playable(move)
                follows = True
        return Explanation("First choose one of the lit pieces and places. This can follow.") if follows else None

    def _playable(self, move: Any) -> Explanation:
        return Explanation(phrase("common-playable", move=self._game.say_move(move)))

    def refusal(self, target: str, chosen: Ids) -> Explanation:
        """Return the first refusal of the moves that touching the target, or the place where it lies, would mean."""
        guide = self._game.guide
        place, owner = self.things.get(target, ("", None))
        for touched in ((*chosen, target), *(((*chosen, place),) if place else ())):
            meant = guide.attempts(self._view, self._viewer or 0, touched) if guide else ()
            for reason in self._refusals(meant):
                return reason
        task = guide.task(self._view) if guide else ""
        if owner is not None and owner != self._viewer:
            why = phrase("common-belongs", owner=player(owner))
        else:
            why = phrase("common-no-part")
        return Explanation(phrase("common-now", why=why, task=capitalized(task)) if task else why)

    def _refusals(self, attempts: Collection[Any]) -> Iterator[Explanation]:
        """Yield the reasons against each of some moves, then what those that are legal do."""
        legal = []
        for attempt in attempts:
            if isinstance(attempt, Explanation):
                yield attempt
            elif attempt in self._legal:
                legal.append(attempt)
            elif reason := self._refused(attempt):
                yield reason
        yield from map(self._playable, legal)

    def _refused(self, move: Any) -> Explanation | None:
        """Return why the rules refuse a move of the viewer; ``None`` if it is legal, or not a move at all."""
        try:
            self._game.apply(self._state, self._viewer or 0, move)
        except IllegalMove as refused:
            return Explanation(refused.sentence, refused.rule)
        except MalformedMove:
            pass
        return None
