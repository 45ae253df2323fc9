"""What follows from a view by the rules: islands, what an objective would pay, where a tile fits, who can land."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from skerry_games.api import Viewer
from skerry_games.looks.guidance import Annotation, with_one_badge_each
from skerry_games.sentences import counted, listed, phrase, player
from skerry_games.small_islands.phases.landing import can_land
from skerry_games.small_islands.phases.objectives import CARDS, parts
from skerry_games.small_islands.phases.reward_phase import house_cells
from skerry_games.small_islands.printed.components import DISCOVERY, PICK, RESOURCES, Reward, Symbol
from skerry_games.small_islands.printed.objective_words import counted_symbol
from skerry_games.small_islands.state import NOTHING, Layout, ObjectiveDeck, Phase, SeatState, State
from skerry_games.small_islands.tabletop.cells import Cell, first, members
from skerry_games.small_islands.tabletop.chart import IslandSummary
from skerry_games.small_islands.tabletop.piece_ids import card_id, own_ship_id, ship_id, tile_id
from skerry_games.small_islands.tabletop.table import Laid, Ship, Table, Token, fits
from skerry_games.small_islands.view import SeatView, View


@lru_cache(maxsize=1 << 6)
def _table(size: int, tiles: tuple[Laid, ...], ships: tuple[Ship, ...], tokens: tuple[Token, ...]) -> Table:
    """Return the table. It is kept, because its chart takes longer than all else here."""
    return Table(size, tiles, ships, tokens)


def public_state(view: View, seat: int) -> State:
    """Return the state that a view shows, with a seat to act: the table, houses and ships, without cards and tiles."""
    return State(
        phase=view.phase,
        turn=seat,
        seats=tuple(map(_seat_state, view.seats)),
        table=_table(view.table_size, view.tiles, view.ships, view.tokens),
        decks=(),
        layout=Layout.FIXED,
        unseen=(),
        stack=view.navigation_stack,
    )


def _seat_state(one: SeatView) -> SeatState:
    ship = NOTHING if one.ship is None else one.ship
    return SeatState(houses=one.houses, at_hand=one.houses_at_hand, ship=ship)


def can_land_now(view: View) -> bool:
    """Return whether the acting seat can land."""
    seat = view.acting_seat
    return seat is not None and can_land(public_state(view, seat), seat)


# ---------------------------------------------------------------- annotations


def notes(view: View, viewer: Viewer) -> tuple[Annotation, ...]:
    """Return what is worth seeing: islands, what objectives would pay, where tiles fit, who can land, and ports."""
    if view.phase is Phase.OVER or not view.round:
        return ()
    state = public_state(view, 0)
    seats = [seat for seat in range(len(view.seats)) if seat != viewer]
    if viewer is not None:
        seats.insert(0, viewer)
    houses = (note for seat in seats for note in _of_houses(view, state, seat))
    cards = (note for seat in range(len(view.seats)) for note in _of_seat(view, state, seat))
    found = [*houses, *_of_islands(view), *_of_ships(view, state), *_of_stack(view), *cards]
    return with_one_badge_each(found)


def _of_islands(view: View) -> Iterator[Annotation]:
    """Yield the size and the symbols of each island, at its first tile."""
    tiles = {laid.at: laid.tile for laid in view.tiles}
    for island in view.islands:
        shown = [_counted(count, symbol) for symbol, count in zip(Symbol, island.symbols, strict=True) if count]
        size = counted(len(island.cells), "tile")
        text = phrase("small_islands-island-of", size=size)
        if shown:
            text = phrase("small_islands-island-with", size=size, symbols=listed(shown))
        yield Annotation(tile_id(tiles[island.cells[0]]), text)


def _counted(count: int, symbol: Symbol) -> str:
    return counted(count, "house symbol") if symbol is Symbol.HOUSE else counted_symbol(count, symbol)


def _of_ships(view: View, state: State) -> Iterator[Annotation]:
    """Yield what each ship on the table scores at the end, and which ships can land."""
    for seat, one in enumerate(view.seats):
        if one.ship is not None:
            scored = phrase(
                "small_islands-scores-for-ports", seat=player(seat), points=counted(one.ports, "point", none="no")
            )
            yield Annotation(ship_id(one.ship), scored, f"+{one.ports}")
    if not Phase.TURN <= view.phase <= Phase.PLACE_TOKEN:
        return
    able = [seat for seat in range(len(view.seats)) if can_land(state, seat)]
    for seat in able:
        if view.seats[seat].ship is None:
            yield Annotation(own_ship_id(seat), phrase("small_islands-can-land", seat=player(seat)), "can land")
    if view.grey_ships and able:
        yield Annotation(
            "grey-ships", phrase("small_islands-can-land-grey", seats=listed(map(player, able))), "can land"
        )


def _of_stack(view: View) -> Iterator[Annotation]:
    if view.navigation_stack:
        text = phrase("small_islands-no-ship-before", number=view.navigation_stack)
        yield Annotation("stack:navigation", text)


def _of_houses(view: View, state: State, seat: int) -> Iterator[Annotation]:
    """Yield what a house of a seat is worth on each island, if the viewer knows its objective."""
    one, tiles = view.seats[seat], {laid.at: tile_id(laid.tile) for laid in view.tiles}
    reward = _reward_of(one)
    if reward is None:
        return
    for cell, island in _sites(state, seat, one.objective[0]):
        text = phrase("small_islands-house-worth", worth=_worth(view, reward, island), seat=player(seat))
        yield Annotation(tiles[cell], text, "" if reward.kind is DISCOVERY else f"+{_points(reward, island)}")


def _of_seat(view: View, state: State, seat: int) -> Iterator[Annotation]:
    """Yield where the tiles of a seat do not fit, and what its cards would pay, as far as the viewer knows them."""
    one = view.seats[seat]
    for tile in one.hand:
        if not fits(state.table, tile):
            yield Annotation(tile_id(tile), "This tile fits nowhere.", "no room")
    for card in (*one.cards, *one.objective):
        if CARDS[card].mission is not None:
            reward = CARDS[card].reward or _reward_of(one)
            yield Annotation(card_id(card), _of_card(view, seat, reward, _sites(state, seat, card)))
    for card in one.cards:
        yield from _of_choice(view, state, seat, card)


def _of_choice(view: View, state: State, seat: int, card: int) -> Iterator[Annotation]:
    """Yield which islands a card to choose fits, and what it would pay there now."""
    tiles, (mission, reward) = (
        {laid.at: tile_id(laid.tile) for laid in view.tiles},
        (CARDS[card].mission, CARDS[card].reward),
    )
    for cell, island in (
        _sites(state, seat, card) if mission else [(first(s.cells), s) for s in state.table.chart.sites]
    ):
        if reward is None:
            yield Annotation(tiles[cell], "This island meets the mission.", "meets", card_id(card))
        else:
            badge = "find" if reward.kind is DISCOVERY else f"+{_points(reward, island)}"
            paid = phrase("small_islands-house-worth-card", worth=_worth(view, reward, island))
            yield Annotation(tiles[cell], paid, badge, card_id(card))


def meeting_cells(view: View, seat: int) -> frozenset[Cell]:
    """Return the cells of the islands on which the objective of a seat lets it place a house now."""
    sites = _sites(public_state(view, seat), seat, view.seats[seat].objective[0])
    return frozenset(cell for _, island in sites for cell in members(island.cells))


def _reward_of(one: SeatView) -> Reward | None:
    """Return the reward that a seat has chosen for this round; ``None`` if the viewer does not know it."""
    return CARDS[one.objective[-1]].reward if one.objective else None


def _sites(state: State, seat: int, card: int) -> list[tuple[Cell, IslandSummary]]:
    """Return the islands where a seat may place a house for a card, each with the first cell for it."""
    cards = tuple([(card,) if each == seat else () for each in range(len(state.seats))])
    cells = house_cells(replace(state, turn=seat, decks=(ObjectiveDeck((), cards),)))
    return [(first(island.cells & cells), island) for island in state.table.chart.sites if island.cells & cells]


def _of_card(view: View, seat: int, reward: Reward | None, sites: list[tuple[Cell, IslandSummary]]) -> str:
    """Return how many islands a card lets its seat place houses on, and for how much."""
    if not sites:
        return phrase("small_islands-no-island-takes", seat=player(seat))
    if reward is None:
        return phrase("small_islands-mission-lets", seat=player(seat), islands=counted(len(sites), "island"))
    paid = listed(_worth(view, reward, island) for _, island in sites)
    islands = counted(len(sites), "island")
    return phrase("small_islands-house-for-card", seat=player(seat), paid=paid, islands=islands)


def _worth(view: View, reward: Reward, island: IslandSummary) -> str:
    """Return what a reward pays for a house on an island, at best."""
    if reward.kind is DISCOVERY:
        count = min(island.counts[Symbol.TEMPLE], view.discoveries_left)
        return phrase("small_islands-best-of", tokens=counted(count, "discovery token")) if count else "nothing"
    return counted(_points(reward, island), "point")


def _points(reward: Reward, island: IslandSummary) -> int:
    picks = RESOURCES if reward.kind is PICK else (None,)
    return max([sum([part.points for part in parts(island, reward, pick)]) for pick in picks])
