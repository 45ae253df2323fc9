"""Games that are the same in every run, for pictures: the seed and the moves are fixed."""

from __future__ import annotations

import sys
from random import Random

from playwright.sync_api import Page, expect

from skerry_client import Client, Seat, Table
from skerry_games.catalogue import all_games
from tests.web.page_actions import wait_for_sequence, wait_for_turn

SEATS, LEVEL = 3, "easy"
SEED = bytes([7] * 32)


def join_table(skerry: Client, game: str) -> Seat:
    """Take a seat at a table with bots and a fixed seed."""
    seats = SEATS if SEATS in all_games()[game].seats else all_games()[game].seats[-1]
    table: Table = skerry.create(game, seats=seats, bots=seats - 1, level=LEVEL, seed=SEED, visibility="unlisted")
    return table.join("Ada")


def play_out(seat: Seat, taken: int = 0, until: int = sys.maxsize) -> int:
    """Continue after ``taken`` turns, up to ``until`` turns or the end. Return the number of turns taken."""
    if taken < until:
        for position in seat.turns():
            seat.act(Random(taken).choice(position.legal_moves))
            taken += 1
            if taken == until:
                break
    return taken


def show(page: Page, seat: Seat) -> None:
    """Wait until the page shows the newest position completely."""
    position = next(seat.turns(), None) or seat.position()
    wait_for_sequence(page, position.sequence)
    if position.to_act:
        wait_for_turn(page)
    else:
        expect(page.get_by_role("region", name="Result")).to_be_visible()
    page.evaluate("document.fonts.ready.then(() => scrollTo(0, 0))")
