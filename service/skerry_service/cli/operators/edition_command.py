"""``skerry edition``: begin an edition of a game, and check it before a server plays it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from statistics import median
from typing import Annotated

import typer

from skerry_games import Dice
from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame
from skerry_games.catalogue import all_games
from skerry_games.component_data import ComponentsError, components_text
from skerry_games.editions import EditionExists, add_edition
from skerry_games.editions.edition_files import EditionsUnusable, game_of_file, read_edition
from skerry_games.position import Position
from skerry_games.rng import Rng
from skerry_service.cli.refusal import FAILED, MISUSED, Refusal

app = typer.Typer(help="Write and check editions: components of games that you supply.", rich_markup_mode=None)
_GAMES = 200
_CANDIDATES = 3
"""How many random moves a simple player compares by its points after each."""


@app.command("new")
def new_command(
    game: Annotated[str, typer.Argument(help="The game's id, for example kreta.")],
    folder: Annotated[Path, typer.Argument(help="The folder of the edition, which also gives it its name.")],
) -> None:
    """Write the components of the house edition into a folder, for you to change."""
    if game not in all_games():
        raise Refusal(f"Unknown game {game!r}. The games are {', '.join(all_games())}.", MISUSED)
    name = folder.resolve().name.lower().replace(" ", "-")
    path = folder / f"{game}.json"
    text = components_text(f"skerry_games.{game}").replace('"edition": "house"', f'"edition": "{name}"', 1)
    try:
        add_edition(game, text, str(path))
    except (ComponentsError, EditionExists):
        sentence = "It has 1 to 24 small letters, digits, - and _, and is not `house`"
        raise Refusal(f"{name!r} cannot be the name of an edition. {sentence}.", MISUSED) from None
    if path.exists():
        raise Refusal(f"{path} exists. Choose another folder, or change this file.")
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(f"Wrote {path}. Change it, then run `skerry edition check {path}`.")


@app.command("check")
def check_command(
    file: Annotated[Path, typer.Argument(help="The file of the edition, named after its game: kreta.json.")],
    picture: Annotated[
        Path | None, typer.Option(help="Where to draw the set-up, as SVG. By default beside the file.")
    ] = None,
    games: Annotated[int, typer.Option(min=0, max=10_000, help="How many games simple players play.")] = _GAMES,
) -> None:
    """Say everything that is wrong with an edition, or draw it and play games with it."""
    try:
        game_id = game_of_file(file)
        game = add_edition(game_id, read_edition(file), str(file))
    except (EditionsUnusable, EditionExists) as error:
        raise Refusal(str(error), MISUSED) from None
    except ComponentsError as error:
        print(error)
        count = len(error.problems)
        raise Refusal(f"{file} has {count} {'problem' if count == 1 else 'problems'}.", FAILED) from None
    print(f"{file}: The edition {game.editions[0]!r} can play {game.title}.")
    drawn = picture or file.with_suffix(".svg")
    drawn.write_text(_set_up(game).svg(), encoding="utf-8")
    print(f"{drawn}: The set-up, drawn.")
    for seats in game.seats:
        print(_simulated(game, seats, max(1, games // len(game.seats)) if games else 0))


def _set_up(game: AnyGame) -> Position:
    """Return the first position of a game with the most seats in which a seat decides."""
    return Position(game, game.setup(game.options_type(), game.seats[-1])).drawn(Dice(Random(0)))


def _simulated(game: AnyGame, seats: int, games: int) -> str:
    """Return what games between simple players look like. Raises Refusal if a game does not end."""
    moves, winners, points = [], Counter[int](), list[int]()
    for seed in range(games):
        position, made = _play(game, seats, Dice(Random(seed)))
        outcome = position.outcome
        if outcome is None:
            raise Refusal(f"A game of {seats} seats (seed {seed}) is not over after {made:,} moves.")
        moves.append(made)
        points += outcome.scores
        winners.update(seat for seat, rank in enumerate(outcome.ranks) if rank == 1)
    if not moves:
        return f"{seats} seats: no games."
    shares = ", ".join(f"{100 * winners[seat] / games:.0f} %" for seat in range(seats))
    return (
        f"{seats} seats: all {games} games end, after {min(moves)} to {max(moves)} moves (median {median(moves):.0f}). "
        f"Points {min(points)} to {max(points)} (median {median(points):.0f}). Wins by seat: {shares}."
    )


def _play(game: AnyGame, seats: int, rng: Rng) -> tuple[Position, int]:
    """Play a game, at most as long as its rules allow. Return its last position and the number of moves."""
    state, made = game.setup(game.options_type(), seats), 0
    while (acting := game.to_act(state)) and made < game.max_moves:
        if acting == CHANCE_ACTS:
            state, _ = game.apply(state, CHANCE, game.draw(state, rng))
        else:
            state = _best(game, state, acting[0], rng)
        made += 1
    return Position(game, state), made


def _best(game: AnyGame, state: object, seat: int, rng: Rng) -> object:
    """Return the state after the move with the most points among a few random ones."""
    moves = game.legal_moves(state, seat)
    after = [game.apply(state, seat, rng.choice(moves))[0] for _ in range(_CANDIDATES)]
    return max(after, key=lambda one: game.scores(one)[seat])
