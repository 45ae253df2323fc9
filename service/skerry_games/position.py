"""The front door: a game in play as a value, for whoever wants the rules alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, ValidationError, convert
from msgspec.structs import asdict

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame, GameError, Outcome, Viewer
from skerry_games.catalogue import all_games
from skerry_games.rng import Rng


class WrongActor(GameError):
    """Somebody moves who is not to act, or it is not said who moves where several may."""


class Position(Struct, frozen=True, eq=False):
    """A game as it stands. Never changes: ``play`` returns the position after a move, so copying is free.

    Positions of one game are equal when their states are, however they came about, and can be used as keys.
    Moves, events and views are the game's own values; ``skerry_games/<game>`` says what they hold.
    """

    game: AnyGame
    state: Any
    """All there is to know, what is hidden from seats included. Players decide on ``view`` and ``redeal``."""
    events: tuple[Any, ...] = ()
    """What the play that led here brought, the draws that followed it included. Hidden until shown to a viewer."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game is other.game and self.state == other.state

    def __ne__(self, other: object) -> bool:
        return not self == other  # a Struct brings one of its own, by identity

    def __hash__(self) -> int:
        return hash(self.state)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a decision, several when they decide at once; ``CHANCE_ACTS``; empty when it is over."""
        return self.game.to_act(self.state)

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of each seat so far, as everybody may know them."""
        return self.game.scores(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """Ranks, scores and the reason for the end; ``None`` until the game is over."""
        return self.game.outcome(self.state)

    def legal_moves(self, actor: int | None = None) -> Sequence[Any]:
        """Return all moves of an actor, of the only one who is to act if none is named; empty when it is not to act.

        Raises WrongActor where several seats are to act and none is named.
        """
        to_act = self.to_act
        if actor is None:
            if not to_act:
                return ()
            actor = _only(to_act)
        return self.game.legal_moves(self.state, actor)

    def play(self, move: Any, actor: int | None = None, rng: Rng | None = None) -> Position:
        """Return the position after a move of that actor, of the only one who is to act if none is named.

        With ``rng`` chance is drawn until a player is to act; without it chance moves are played like all others
        (``draw``). Raises IllegalMove with the rule that forbids the move, MalformedMove, WrongActor.
        """
        who = _only(self.to_act) if actor is None else actor
        if who not in self.to_act:
            raise WrongActor(f"Actor {who} has nothing to decide now.")
        state, events = self.game.apply(self.state, who, move)
        after = Position(self.game, state, events)
        return after if rng is None else after.drawn(rng)

    def draw(self, rng: Rng) -> Any:
        """Return the chance move that is to be made next. Raises WrongActor where chance is not to act."""
        if self.to_act != CHANCE_ACTS:
            raise WrongActor("Chance has nothing to draw now.")
        return self.game.draw(self.state, rng)

    def drawn(self, rng: Rng) -> Position:
        """Return the position after all that chance draws before a player is to act."""
        state, events, game = self.state, list(self.events), self.game
        while game.to_act(state) == CHANCE_ACTS:
            state, brought = game.apply(state, CHANCE, game.draw(state, rng))
            events += brought
        return Position(game, state, tuple(events))

    def view(self, viewer: Viewer) -> Any:
        """Return what a seat may see of the game; ``None``: what a spectator may."""
        return self.game.view(self.state, viewer)

    def shown(self, viewer: Viewer) -> tuple[Any, ...]:
        """Return ``events`` as that viewer is shown them."""
        return tuple([one for event in self.events if (one := self.game.show(event, viewer)) is not None])

    def redeal(self, viewer: Viewer, rng: Rng) -> Position:
        """Return a position that this viewer cannot tell from this one, all that it cannot know drawn anew."""
        return Position(self.game, self.game.redeal(self.state, viewer, rng))


def start(game: str, seats: int | None = None, *, rng: Rng | None = None, **options: Any) -> Position:
    """Return a game's first position, for as few seats as it can be played with unless a number is named.

    ``options`` are fields of the game's ``Options``. With ``rng`` chance is drawn until a player is to act.
    Raises KeyError for an unknown game, TypeError for an unknown option or a value of another type, BadOptions.
    """
    found = game_of(game)
    first = Position(found, found.setup(options_of(found, options), found.seats[0] if seats is None else seats))
    return first if rng is None else first.drawn(rng)


def options_of(game: AnyGame, fields: Mapping[str, Any]) -> Any:
    """Return a game's options with these fields. Raises TypeError for an unknown one or a value of another type."""
    options = game.options_type(**fields)
    try:
        return convert(asdict(options), game.options_type)
    except ValidationError as error:
        raise TypeError(str(error)) from None


def game_of(game: str) -> AnyGame:
    """Return the game of that id. Raises KeyError, which names those that there are."""
    try:
        return all_games()[game]
    except KeyError:
        raise KeyError(f"There is no game {game!r}; there are {', '.join(all_games())}.") from None


def _only(to_act: tuple[int, ...]) -> int:
    if len(to_act) != 1:
        raise WrongActor(f"Say who moves: {to_act} decide at once." if to_act else "The game is over.")
    return to_act[0]
