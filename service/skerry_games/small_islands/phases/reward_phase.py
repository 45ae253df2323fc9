"""The reward phase: objectives are revealed, houses placed and paid."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.small_islands.components import COMPONENTS, DISCOVERY, PICK, RESOURCES, Symbol
from skerry_games.small_islands.events import (
    BuildingEnded,
    DiscoveryDrawn,
    DiscoveryKept,
    Event,
    HousePaid,
    HousePlaced,
    ObjectiveRevealed,
)
from skerry_games.small_islands.moves import (
    PICK_RESOURCE,
    PLACE_HOUSE,
    STOP_BUILDING,
    DrawDiscovery,
    KeepDiscovery,
    Move,
    PickResource,
    PlaceHouse,
    StopBuilding,
    check_whole,
)
from skerry_games.small_islands.phases.game_rounds import end_round
from skerry_games.small_islands.phases.objectives import card_fulfilled, parts, reward_of
from skerry_games.small_islands.state import (
    AT_HAND,
    BUILDING,
    CHOSEN,
    NOTHING,
    Discovery,
    Phase,
    State,
    cards_of,
    houses_left,
    next_seat,
    with_seat,
    without,
)
from skerry_games.small_islands.tabletop.cells import ALONE, CELLS, Cell, Cells, first, selected
from skerry_games.small_islands.tabletop.chart import IslandSummary


def begin_reward(state: State, seat: int) -> Step[State, Event]:
    """Begin the reward phase with that seat (SMALL-REWARD-1)."""
    return _reveal(state, seat, seat)


def _reveal(state: State, me: int, began: int) -> Step[State, Event]:
    """Reveal the objective of the seat whose turn begins, which then may place houses (SMALL-REWARD-1).

    ``began``: the seat that began the reward phase.
    """
    shown = replace(state, phase=BUILDING, turn=me, first=began, stack=0, revealed=state.revealed | 1 << me)
    event = ObjectiveRevealed(me, cards_of(state, me, CHOSEN))
    return _build_on(shown, (event,))


def _build_on(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    """Let the seat place another house, or be done if it cannot. ``state``: as it is once a house is paid."""
    return (state, events) if house_cells(state) else _end_building(state, events, automatic=True)


def _end_building(state: State, events: tuple[Event, ...], *, automatic: bool) -> Step[State, Event]:
    """Take houses from the reserve (SMALL-REWARD-4) and go on with the next seat, or with the end of the round."""
    me = state.turn
    seat = state.seats[me]
    refill = min(AT_HAND - seat.at_hand, houses_left(seat)) if seat.at_hand < AT_HAND else 0
    if refill:
        state = replace(state, seats=with_seat(state, me, replace(seat, at_hand=seat.at_hand + refill)))
    event = BuildingEnded(me, automatic, refill)
    following, began = next_seat(state, me), state.first
    after, more = end_round(state) if following == began else _reveal(state, following, began)
    return after, (*events, event, *more)


def free_house_symbols(state: State) -> Cells:
    """Return the tiles with a house symbol that no house stands on (SMALL-REWARD-2)."""
    free = state.table.chart.houses
    for seat in state.seats:
        for cell in seat.houses:  # Each stands alone on such a symbol.
            free ^= ALONE[cell]
    return free


def house_cells(state: State) -> Cells:
    """Return where the seat whose turn it is may place a house (SMALL-REWARD-2, SMALL-REWARD-3)."""
    me = state.turn
    seat, card = state.seats[me], state.decks[0].cards[me][CHOSEN]
    if not seat.at_hand:
        return 0
    mine = 0
    for cell in seat.houses:
        mine |= ALONE[cell]
    open_to_me = 0
    for island in state.table.chart.sites:
        if not island.cells & mine and card_fulfilled(card, island.counts):
            open_to_me |= island.cells
    return open_to_me & free_house_symbols(state) if open_to_me else 0


def house_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return where the seat may place a house; it may always stop (SMALL-REWARD-1)."""
    return (*selected(PLACE_HOUSE, house_cells(state)), STOP_BUILDING)


def place_house(state: State, me: int, move: PlaceHouse) -> Step[State, Event]:
    """Place a house and pay it. Raises IllegalMove (SMALL-REWARD-1, SMALL-REWARD-2) or MalformedMove."""
    if move.at not in CELLS:
        raise MalformedMove(f"{move.at!r} is not a cell.")
    island = state.table.chart.site_at(move.at)
    if refusal := _why_not(state, me, move.at, island):
        raise refusal
    assert island is not None
    seat = state.seats[me]
    built = replace(seat, houses=(*seat.houses, move.at), at_hand=seat.at_hand - 1)
    event = HousePlaced(me, move.at, first(island.cells), island.tiles)
    return _pay(replace(state, seats=with_seat(state, me, built), housed=move.at), island, (event,))


def _why_not(state: State, me: int, cell: Cell, island: IslandSummary | None) -> IllegalMove | None:
    """Return why no house may be placed there, if none may; ``island``: on which houses can stand there."""
    seat = state.seats[me]
    if not seat.at_hand:
        sentence = "You have no house left at hand: there are 4 for a round and 8 for the game."
        return IllegalMove("SMALL-REWARD-2", sentence)
    if not free_house_symbols(state) & ALONE[cell]:
        return IllegalMove("SMALL-REWARD-2", "That cell has no free symbol for a house.")
    if island is None:
        return IllegalMove("SMALL-REWARD-2", "A house needs an island of at least two tiles.")
    if mine := len([house for house in seat.houses if island.cells & ALONE[house]]):
        rule = "SMALL-REWARD-2" if mine == 1 else "SMALL-REWARD-3"
        return IllegalMove(rule, "You have a house on that island already.")
    if not card_fulfilled(state.decks[0].cards[me][CHOSEN], island.counts):
        return IllegalMove("SMALL-REWARD-1", "That island does not fulfil your mission.")
    return None


def _pay(state: State, island: IslandSummary, events: tuple[Event, ...]) -> Step[State, Event]:
    """Pay the house that was placed last on that island (SMALL-PAY-1), or ask its owner or chance what it pays."""
    kind = reward_of(state, state.turn).kind
    if kind is PICK:
        return replace(state, phase=Phase.PICK_RESOURCE), events
    if kind is not DISCOVERY:
        return _paid(state, island, events, None)
    if discoveries_due(state):
        return replace(state, phase=Phase.DRAW_DISCOVERY), events
    nothing = replace(state, phase=BUILDING, housed=NOTHING)
    return _build_on(nothing, (*events, DiscoveryDrawn(state.turn, 0, ())))


def _paid(state: State, island: IslandSummary, events: tuple[Event, ...], picked: Symbol | None) -> Step[State, Event]:
    me = state.turn
    paid = parts(island, reward_of(state, me), picked)
    points = sum([part.points for part in paid])
    seat = state.seats[me]
    seats = with_seat(state, me, replace(seat, score=seat.score + points))
    richer = replace(state, phase=BUILDING, seats=seats, housed=NOTHING)
    return _build_on(richer, (*events, HousePaid(me, state.housed, paid, points)))


def _housed_island(state: State) -> IslandSummary:
    """Return the island of the house that was placed last."""
    island = state.table.chart.site_at(state.housed)
    assert island is not None
    return island


def stop_building(state: State, me: int, move: StopBuilding) -> Step[State, Event]:
    """Place no more houses (SMALL-REWARD-1)."""
    return _end_building(state, (), automatic=False)


def resource_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the resources that the house can pay."""
    return PICK_RESOURCE


def pick_resource(state: State, me: int, move: PickResource) -> Step[State, Event]:
    """Name the resource that the house pays. Raises MalformedMove."""
    if move.resource not in RESOURCES:
        raise MalformedMove("Pick one of the natural resources: flowers, fruits or leaves.")
    return _paid(state, _housed_island(state), (), move.resource)


def discovery_pool(state: State) -> tuple[int, ...]:
    """Return the values of the discovery tokens that nobody has kept, ascending."""
    pool = COMPONENTS.discovery_tokens
    for each in state.discoveries:
        pool = without(pool, each.kept) if each.kept else pool
    return pool


def discoveries_due(state: State) -> int:
    """Return how many tokens the last house draws: one a temple of its island, or all that are left (SMALL-PAY-1)."""
    return min(_housed_island(state).counts[Symbol.TEMPLE], len(discovery_pool(state)))


@lru_cache(maxsize=1 << 8)
def hauls(seat: int, pool: tuple[int, ...], count: int) -> tuple[DrawDiscovery, ...]:
    """Return the different ways in which a seat draws so many tokens at once from a pool in ascending order."""
    found: set[tuple[int, ...]] = {()}
    for _ in range(count):
        found = {
            tuple(sorted((*haul, value)))
            for haul in found
            for value in set(pool)
            if haul.count(value) < pool.count(value)
        }
    return tuple(DrawDiscovery(seat, haul) for haul in sorted(found))


def _is_haul(values: object, pool: tuple[int, ...], count: int) -> bool:
    """Return whether so many tokens of the pool have these values: in ascending order, it has one after the other."""
    left = iter(pool)
    return isinstance(values, tuple) and len(values) == count and all(value in left for value in values)


def draw_discovery(state: State, actor: int, move: DrawDiscovery) -> Step[State, Event]:
    """Draw discovery tokens; a single one is kept at once. Raises IllegalMove (SMALL-PAY-1) or MalformedMove."""
    me, values = state.turn, move.values
    if move.seat != me or not _is_haul(values, discovery_pool(state), discoveries_due(state)):
        check_whole(move)
        raise IllegalMove("SMALL-PAY-1", "The owner of the house draws as many discovery tokens as there are temples.")
    drawn = replace(state, phase=Phase.KEEP_DISCOVERY, discoveries=(*state.discoveries, Discovery(me, values)))
    event = DiscoveryDrawn(me, len(values), values)
    # How many were drawn is known to all: not to be asked tells nothing. Equal values are asked for, though.
    return _kept(drawn, values[0], (event,)) if len(values) == 1 else (drawn, (event,))


def keep_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the values that the seat can keep."""
    return tuple(map(KeepDiscovery, sorted(set(state.discoveries[-1].drawn))))


def keep_discovery(state: State, me: int, move: KeepDiscovery) -> Step[State, Event]:
    """Keep one of the tokens that were drawn, in secret. Raises IllegalMove (SMALL-PAY-1) or MalformedMove."""
    value = move.value
    if value is None or value not in state.discoveries[-1].drawn:
        check_whole(move)
        raise IllegalMove("SMALL-PAY-1", "You have not drawn a discovery token of that value.")
    return _kept(state, value, ())


def _kept(state: State, value: int, events: tuple[Event, ...]) -> Step[State, Event]:
    *before, last = state.discoveries
    kept = replace(state, phase=BUILDING, housed=NOTHING, discoveries=(*before, replace(last, kept=value)))
    return _build_on(kept, (*events, DiscoveryKept(last.seat, value)))
