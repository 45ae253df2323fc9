"""Measures how fast placements are listed: ``python -m tests.games.small_islands.placements``.

A hand of three tiles in all rotations on the tables of random games, as they are when the tiles run out.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from statistics import mean

from msgspec.structs import replace

from skerry_games.rng import SeededRng
from skerry_games.small_islands import GAME
from skerry_games.small_islands.moves import LandShip
from skerry_games.small_islands.phases.exploring import lay_moves
from skerry_games.small_islands.state import Options, Phase, State
from skerry_games.small_islands.tabletop.cells import fitting_cells, members
from skerry_games.small_islands.tabletop.table import Table

GAMES = 40
REPEATED = 200


def full_table(seed: int) -> State:
    """Return the last position in which a tile is laid, in a game without landings before the tiles run out."""
    rng = SeededRng(seed.to_bytes(32, "big"), 0)
    state = last = GAME.setup(Options(), 2)
    while actors := GAME.to_act(state):
        if actors[0] < 0:
            move = GAME.draw(state, rng)
        else:
            listed = tuple(GAME.legal_moves(state, actors[0]))
            move = rng.choice([each for each in listed if not isinstance(each, LandShip)] or listed)
        last = state if state.phase is Phase.LAY_TILE else last
        state, _ = GAME.apply(state, actors[0], move)
    return last


def microseconds(states: Sequence[State], hands: Sequence[tuple[int, ...]]) -> float:
    """Return the mean processor time of listing a hand, nothing remembered from one listing to the next."""
    tables = [state.table for state in states]
    charts = [table.chart for table in tables]
    work = []
    for _ in range(REPEATED):
        for state, table, chart, hand in zip(states, tables, charts, hands, strict=True):
            fresh = Table(table.size, table.tiles, table.ships, table.tokens)
            work.append((fresh, chart, [replace(state, table=fresh, picked=tile) for tile in hand]))
    began = time.process_time()
    for fresh, chart, three in work:
        # What the listing reads is made when the table changes: making it counts as well.
        fresh.__dict__["chart"] = replace(chart, fitting_cells=fitting_cells(chart.edge, chart.land, chart.sea))
        for each in three:
            lay_moves(each, each.turn)
    return (time.process_time() - began) / len(work) * 1e6


def main() -> None:
    """Print how large the tables are, how many placements three tiles have on them, and how long listing takes."""
    states = [full_table(seed) for seed in range(GAMES)]
    hands = [(6, 14, 40)] * GAMES
    listed = [
        sum(len(lay_moves(replace(state, picked=tile), state.turn)) for tile in hand)
        for state, hand in zip(states, hands, strict=True)
    ]
    tiles, edge = (
        mean(len(state.table.tiles) for state in states),
        mean(len(members(state.table.edge)) for state in states),
    )
    print(f"{tiles:.0f} tiles on the table, {edge:.0f} cells beside them, {mean(listed):.0f} placements of three tiles")
    print(f"{microseconds(states, hands):.1f} µs for listing them")


if __name__ == "__main__":
    main()
