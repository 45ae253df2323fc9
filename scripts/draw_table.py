"""Draws a Kreta table in mid-game as SVG, from nothing but what the API gives a frontend: a Board and a View.

Usage: python scripts/draw_table.py docs/kreta.svg
"""

from __future__ import annotations

import sys
from pathlib import Path
from xml.sax.saxutils import escape

from skerry.games.kreta.v1 import kreta_pb2 as pb
from skerry_games.api import CHANCE_ACTS
from skerry_games.kreta import GAME, codec
from skerry_games.rng import SeededRng

SEATS, MOVES, SEED = 4, 130, bytes([1] * 32)
MARGIN, TEXT_HEIGHT = 20, 26
LAND = {pb.TERRAIN_MOUNTAIN: "#cbb08f", pb.TERRAIN_HILL: "#b9cf94", pb.TERRAIN_PLAIN: "#f0dc8c"}
SEAT = ("#c0392b", "#2463a8", "#6b3fa0", "#2f7d4f")
TILE = {
    pb.TILE_WHEAT: "wheat",
    pb.TILE_OLIVE: "olives",
    pb.TILE_WINE: "wine",
    pb.TILE_THYME: "thyme",
    pb.TILE_CHEESE: "cheese",
}


def mid_game() -> pb.View:
    """Return the view of a random game after so many moves: the same each time."""
    state = GAME.setup(GAME.options_type(), SEATS)
    for move_number in range(MOVES):
        actors, rng = GAME.to_act(state), SeededRng(SEED, move_number)
        move = GAME.draw(state, rng) if actors == CHANCE_ACTS else rng.choice(GAME.legal_moves(state, actors[0]))
        state, _ = GAME.apply(state, actors[0], move)
    return codec.view_to_proto(GAME.view(state, None))


def centre(province: pb.Province) -> tuple[float, float]:
    """Return the middle of a province's box, good enough to write on."""
    xs, ys = [point.x for point in province.polygon], [point.y for point in province.polygon]
    return (min(xs) + max(xs)) / 2, sum(ys) / len(ys)


def draw_land(province: pb.Province) -> str:
    """Return a province's outline."""
    points = " ".join(f"{point.x},{point.y}" for point in province.polygon)
    return f'<polygon points="{points}" fill="{LAND[province.terrain]}" stroke="#7a6a55" stroke-width="2"/>'


def draw_pieces(province: pb.Province, held: pb.ProvinceState) -> str:
    """Return a province's name, value, tile and figures: circles are villagers, squares villages, crosses abbots."""
    x, y = centre(province)
    anchor = "\N{ANCHOR}" if province.harbour else ""
    label = f"{escape(province.name)} {province.value}{anchor}"
    drawn = [f'<text x="{x}" y="{y - 10}">{label}</text>']
    if held.tile:
        drawn.append(f'<text x="{x}" y="{y + 4}" font-size="10" fill="#5d6d3f">{TILE[held.tile]}</text>')
    figures = [draw_figure(kind, seat) for kind, seat in figures_of(held)]
    left = x - 7 * (len(figures) - 1)
    drawn += [f'<g transform="translate({left + 14 * at} {y + 18})">{one}</g>' for at, one in enumerate(figures)]
    return "".join(drawn)


def figures_of(held: pb.ProvinceState) -> list[tuple[str, int]]:
    """Return every piece in a province and its harbour with its seat."""
    villagers = [("villager", seat) for seat, count in enumerate(held.villagers) for _ in range(count)]
    villages = [("village", seat) for seat, count in enumerate(held.villages) for _ in range(count)]
    abbots = [("abbot", seat) for seat in held.abbots]
    return villagers + villages + abbots + [("ship", seat) for seat in held.ships]


def draw_figure(kind: str, seat: int) -> str:
    """Return one piece in its seat's colour."""
    path = {
        "villager": '<circle r="5" {}/>',
        "village": '<rect x="-6" y="-6" width="12" height="12" {}/>',
        "abbot": '<path d="M-2-7h4v4h4v4h-4v7h-4v-7h-4v-4h4z" {}/>',
        "ship": '<path d="M-7 1h14l-3 5h-8zM-1-7l6 7h-6z" {}/>',
    }[kind]
    return path.format(f'fill="{SEAT[seat]}" stroke="#fff"')


def draw_fort(space: pb.FortSpace, owner: int | None) -> str:
    """Return a fort space with its number, filled if a fort stands there."""
    fill, ink = ("#fff", "#444") if owner is None else (SEAT[owner], "#fff")
    number = f'<text x="{space.at.x}" y="{space.at.y + 4}" font-size="10" fill="{ink}">{space.number}</text>'
    return f'<circle cx="{space.at.x}" cy="{space.at.y}" r="9" fill="{fill}" stroke="#555"/>{number}'


def draw(board: pb.Board, view: pb.View) -> str:
    """Return the whole table."""
    forts = {fort.space: fort.seat for fort in view.forts}
    scores = "   ".join(f"seat {number}: {seat.score} points" for number, seat in enumerate(view.seats))
    row = ", ".join(map(str, view.fort_row))
    width, height = board.width + 2 * MARGIN, board.height + 2 * MARGIN + TEXT_HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {width} {height}"'
        ' font-family="sans-serif" font-size="12" text-anchor="middle">',
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="{width}" height="{height}" fill="#dcebf2"/>',
        *(draw_land(province) for province in board.provinces),
        *(draw_fort(space, forts.get(space.number)) for space in board.fort_spaces),
        *(draw_pieces(province, held) for province, held in zip(board.provinces, view.provinces, strict=True)),
        f'<text x="{board.width / 2}" y="{board.height + TEXT_HEIGHT}" xml:space="preserve">'
        f"{scores}   next fort cards: {row}   scorings done: {view.scorings_done}</text>",
        "</svg>\n",
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(draw(codec.board_to_proto("house"), mid_game()), encoding="utf-8")
