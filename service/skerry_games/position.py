"""``Position`` and ``start``: play games with the rules alone, without a server."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct, ValidationError, convert
from msgspec.structs import asdict, replace

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame, GameError, Outcome, Viewer
from skerry_games.catalogue import all_games, find_edition
from skerry_games.languages.catalogues import ENGLISH
from skerry_games.looks.explanations import explain
from skerry_games.looks.guidance import Annotation, Explanation, annotation_line, annotations_of
from skerry_games.looks.picture import SeatHeading, picture_of, resized
from skerry_games.rng import Rng
from skerry_games.sentences import fill
from skerry_games.texts.text_lines import joined


class WrongActor(GameError):
    """The named actor does not have to decide now, or several seats have to and the call names none."""


class Position(Struct, frozen=True, eq=False):
    """The position of a game. It never changes: ``play`` returns a new position, so there is nothing to copy.

    Two positions of a game are equal if their states are equal. Positions can be keys of a dictionary.
    Moves, events and views are types of the game. ``skerry_games/<game>/README.md`` describes them.
    """

    game: AnyGame
    state: Any
    """The full state, hidden information included. A fair bot uses ``view`` and ``redeal`` instead."""
    events: tuple[Any, ...] = ()
    """The events of the ``play`` that led here, chance moves after it included. ``shown`` masks hidden information."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game is other.game and self.state == other.state

    def __ne__(self, other: object) -> bool:
        return not self == other  # overrides that of Struct, which compares identity

    def __hash__(self) -> int:
        return hash(self.state)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that have to decide, several if they decide simultaneously; ``CHANCE_ACTS``; empty at the end."""
        return self.game.to_act(self.state)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat so far. They are public."""
        return self.game.scores(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """The ranks, the scores and the reason for the end. ``None`` before the game is over."""
        return self.game.outcome(self.state)

    def legal_moves(self, actor: int | None = None) -> Sequence[Any]:
        """Return all legal moves of an actor, empty if it does not have to decide.

        By default, the actor is the only one that has to decide. Raises WrongActor if there are several.
        """
        to_act = self.to_act
        if actor is None:
            if not to_act:
                return ()
            actor = _only(to_act)
        return self.game.legal_moves(self.state, actor)

    def play(self, move: Any, actor: int | None = None, rng: Rng | None = None) -> Position:
        """Return the position after a move. By default, the actor is the only one that has to decide.

        With ``rng``, the method also draws all chance moves until a seat has to decide. Without it, play chance moves
        like other moves (``draw``). Raises IllegalMove with the rule that forbids the move, MalformedMove, WrongActor.
        """
        to_act = self.to_act
        if actor is None:
            actor = _only(to_act)
        elif actor not in to_act:
            raise WrongActor(f"Actor {actor} has nothing to decide now. To act: {to_act}.")
        state, events = self.game.apply(self.state, actor, move)
        after = Position(self.game, state, events)
        return after if rng is None else after.drawn(rng)

    def draw(self, rng: Rng) -> Any:
        """Return a random next chance move. Raises WrongActor unless chance is to act."""
        if self.to_act != CHANCE_ACTS:
            raise WrongActor(f"Chance has nothing to draw now. To act: {self.to_act}.")
        return self.game.draw(self.state, rng)

    def drawn(self, rng: Rng) -> Position:
        """Return the position after all chance moves until a seat has to decide. Draws them with ``rng``."""
        state, events, game = self.state, list(self.events), self.game
        while game.to_act(state) == CHANCE_ACTS:
            state, drawn_events = game.apply(state, CHANCE, game.draw(state, rng))
            events += drawn_events
        return Position(game, state, tuple(events))

    def view(self, viewer: Viewer) -> Any:
        """Return what a seat may see of the position, or a spectator (``None``)."""
        return self.game.view(self.state, viewer)

    def text(self, viewer: Viewer, names: Sequence[str] | None = None, *, annotated: bool = False) -> str:
        """Return what a seat may see of the position in words, or a spectator (``None``): a line for each subject.

        ``names`` has the name of each seat's player. Without it, the players are ``player 0``, ``player 1`` and so on.
        ``annotated``: whether a line for each of ``annotations`` follows.
        """
        names, view = names or _players(len(self.scores)), self.view(viewer)
        notes = annotations_of(self.game, view, viewer, names) if annotated else ()
        return joined([fill(self.game.text(view, viewer), names), *map(annotation_line, notes)])

    def annotations(self, viewer: Viewer, names: Sequence[str] | None = None) -> tuple[Annotation, ...]:
        """Return what is worth seeing and follows from what a seat knows, or a spectator (``None``).

        ``names``: as in ``text``. Empty for a game without a guide.
        """
        return annotations_of(self.game, self.view(viewer), viewer, names or _players(len(self.scores)))

    def explain(
        self, viewer: Viewer, thing: str, chosen: Sequence[str] = (), names: Sequence[str] | None = None
    ) -> Explanation:
        """Return why a seat cannot play a place or a piece now: a sentence, and the id of the rule that says so.

        ``chosen``: the ids touched before, as in ``Guide.paths``. ``names``: as in ``text``. Raises UnknownThing.
        """
        reason = explain(self.game, self.state, viewer, thing, chosen)
        return replace(reason, text=fill(reason.text, names or _players(len(self.scores))))

    def touched(self, viewer: Viewer = None) -> tuple[str, ...]:
        """Return the ids of the places and pieces that ``events`` are about, as a seat or a spectator may see them.

        Some may be gone. Pass them to ``svg`` to mark the last move. Empty for a game without a guide.
        """
        guide = self.game.guide
        if guide is None:
            return ()
        return tuple(dict.fromkeys(touched for event in self.shown(viewer) for touched in guide.touched(event)))

    def svg(
        self,
        viewer: Viewer = None,
        names: Sequence[str] | None = None,
        *,
        theme: str = "light",
        width: int | None = None,
        touched: Collection[str] = (),
        annotated: bool = False,
        language: str = ENGLISH,
    ) -> str:
        """Return the picture of the position as a seat may see it, or a spectator (``None``), as SVG.

        ``names``: as in ``text``. ``theme``: as in ``picture_of``. ``width``: in pixels. ``touched``: ids of places
        and pieces to mark. ``annotated``: whether to show the badges of ``annotations``. ``language``: of its words,
        such as ``de``. Raises KeyError for an unknown theme or language.
        """
        to_act, scores = self.to_act, self.scores
        seats = zip(names or _players(len(scores)), scores, strict=True)
        headings = [SeatHeading(name, score, seat in to_act) for seat, (name, score) in enumerate(seats)]
        view = self.view(viewer)
        picture = picture_of(
            self.game,
            view,
            viewer,
            headings,
            theme=theme,
            touched=touched,
            annotated=annotated,
            language=language,
        )
        return picture if width is None else resized(picture, width)

    def _repr_svg_(self) -> str:
        """Return the picture as a spectator may see it. Notebooks show it."""
        return self.svg()

    def shown(self, viewer: Viewer) -> tuple[Any, ...]:
        """Return ``events`` as a seat may see them, or a spectator (``None``)."""
        return tuple([one for event in self.events if (one := self.game.show(event, viewer)) is not None])

    def redeal(self, viewer: Viewer, rng: Rng) -> Position:
        """Return a random position that the viewer cannot tell from this one. Hidden information is drawn anew."""
        return Position(self.game, self.game.redeal(self.state, viewer, rng))


def start(game: str, seats: int | None = None, *, rng: Rng | None = None, **options: Any) -> Position:
    """Return the first position of a game. By default, it has the smallest number of seats.

    ``options`` are fields of the game's ``Options``. With ``rng``, the function draws all chance moves until a seat has
    to decide. Raises KeyError for an unknown game, TypeError for an unknown option or a value of a wrong type,
    BadOptions.
    """
    found = find_edition(game_of(game).id, options.get("edition", "")) or game_of(game)
    first = Position(found, found.setup(options_of(found, options), found.seats[0] if seats is None else seats))
    return first if rng is None else first.drawn(rng)


def options_of(game: AnyGame, fields: Mapping[str, Any]) -> Any:
    """Return a game's options. Raises TypeError for an unknown option or a value of a wrong type."""
    options = game.options_type(**fields)
    try:
        return convert(asdict(options), game.options_type)
    except ValidationError as error:
        raise TypeError(str(error)) from None


def game_of(game: str) -> AnyGame:
    """Return the game with this id. Raises KeyError, which lists the known games."""
    try:
        return all_games()[game]
    except KeyError:
        raise KeyError(f"Unknown game {game!r}. Known games: {', '.join(all_games())}.") from None


def _players(count: int) -> list[str]:
    return [f"player {seat}" for seat in range(count)]


def _only(to_act: tuple[int, ...]) -> int:
    if len(to_act) != 1:
        raise WrongActor(f"Name the actor: {to_act} decide simultaneously." if to_act else "The game is over.")
    return to_act[0]
