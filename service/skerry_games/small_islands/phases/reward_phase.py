"""The reward phase: seats reveal objectives, place houses, and score them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.sentences import phrase
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
from skerry_games.small_islands.printed.components import COMPONENTS, DISCOVERY, PICK, RESOURCES, Symbol
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
from skerry_games.small_islands.tabletop.cells import CELLS, SET_OF, Cell, Cells, first, selected
from skerry_games.small_islands.tabletop.chart import IslandSummary


def begin_reward(state: State, seat: int) -> Step[State, Event]:
    """Begin the reward phase with that seat (SMALL-REWARD-1)."""
    return build_on(reveal(state, seat, seat))


def reveal(state: State, me: int, began: int) -> Step[State, Event]:
    """Begin the seat's turn: reveal its objective (SMALL-REWARD-1).

    ``began`` is the seat that began the reward phase.
    """
    shown = replace(state, phase=BUILDING, turn=me, first=began, stack=0, revealed=state.revealed | 1 << me)
    return shown, (ObjectiveRevealed(me, cards_of(state, me, CHOSEN)),)


def build_on(step: Step[State, Event]) -> Step[State, Event]:
    """Let the seat place another house, or end its turn if it cannot, unless its last house is not paid yet."""
    state, _ = step
    return _joined(step, end_building(state, automatic=True)) if cannot_build(state) else step


def cannot_build(state: State) -> bool:
    """Return whether the last house is paid and the seat can place no other one, so that its turn ends."""
    return state.phase is BUILDING and not house_cells(state)


def _joined(step: Step[State, Event], following: Iterator[Step[State, Event]]) -> Step[State, Event]:
    """Return the last state, and all events."""
    after, events = step
    for state, more in following:
        after, events = state, events + more
    return after, events


def end_building(state: State, *, automatic: bool) -> Iterator[Step[State, Event]]:
    """Yield the end of the seat's turn, the turns of the next seats until one can place a house, the end of the round.

    The end of a turn refills the seat's houses (SMALL-REWARD-4).
    """
    me, began = state.turn, state.first
    while True:
        seat = state.seats[me]
        refill = min(AT_HAND - seat.at_hand, houses_left(seat)) if seat.at_hand < AT_HAND else 0
        if refill:
            state = replace(state, seats=with_seat(state, me, replace(seat, at_hand=seat.at_hand + refill)))
        yield state, (BuildingEnded(me, automatic, refill),)
        me, automatic = next_seat(state, me), True
        if me == began:
            yield end_round(state)
            return
        state, events = reveal(state, me, began)
        yield state, events
        if house_cells(state):
            return


def free_house_symbols(state: State) -> Cells:
    """Return the tiles with a house symbol and no house (SMALL-REWARD-2)."""
    free = state.table.chart.houses
    for seat in state.seats:
        for cell in seat.houses:  # No two houses share a tile.
            free ^= SET_OF[cell]
    return free


def house_cells(state: State) -> Cells:
    """Return where the seat whose turn it is may place a house (SMALL-REWARD-2, SMALL-REWARD-3)."""
    me = state.turn
    seat, card = state.seats[me], state.decks[0].cards[me][CHOSEN]
    if not seat.at_hand:
        return 0
    mine = 0
    for cell in seat.houses:
        mine |= SET_OF[cell]
    open_to_me = 0
    for island in state.table.chart.sites:
        if not island.cells & mine and card_fulfilled(card, island.counts):
            open_to_me |= island.cells
    return open_to_me & free_house_symbols(state) if open_to_me else 0


def house_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return where the seat may place a house, and STOP_BUILDING, which is always legal (SMALL-REWARD-1)."""
    return (*selected(PLACE_HOUSE, house_cells(state)), STOP_BUILDING)


def place_house(state: State, me: int, move: PlaceHouse) -> Step[State, Event]:
    """Place a house and score it. Raises IllegalMove (SMALL-REWARD-1, SMALL-REWARD-2) or MalformedMove."""
    if move.at not in CELLS:
        raise MalformedMove(phrase("small_islands-not-a-cell", cell=repr(move.at)))
    island = state.table.chart.site_at(move.at)
    if refusal := _refuse_house(state, me, move.at, island):
        raise refusal
    assert island is not None
    seat = state.seats[me]
    built = replace(seat, houses=(*seat.houses, move.at), at_hand=seat.at_hand - 1)
    event = HousePlaced(me, move.at, first(island.cells), island.tiles)
    return _pay(replace(state, seats=with_seat(state, me, built), housed=move.at), island, (event,))


def _refuse_house(state: State, me: int, cell: Cell, island: IslandSummary | None) -> IllegalMove | None:
    """Return the refusal of a house there, or ``None``. ``island`` is the cell's island, if it can have houses."""
    seat = state.seats[me]
    if not seat.at_hand:
        sentence = "You have no house at hand. A seat places at most 4 houses in a round and 8 in a game."
        return IllegalMove("SMALL-REWARD-2", sentence)
    if not free_house_symbols(state) & SET_OF[cell]:
        return IllegalMove("SMALL-REWARD-2", "That cell has no free house symbol.")
    if island is None:
        return IllegalMove("SMALL-REWARD-2", "A house needs an island of at least 2 tiles.")
    if mine := len([house for house in seat.houses if island.cells & SET_OF[house]]):
        rule = "SMALL-REWARD-2" if mine == 1 else "SMALL-REWARD-3"
        return IllegalMove(rule, "You already have a house on that island.")
    if not card_fulfilled(state.decks[0].cards[me][CHOSEN], island.counts):
        return IllegalMove("SMALL-REWARD-1", "That island does not fulfil your mission.")
    return None


def _pay(state: State, island: IslandSummary, events: tuple[Event, ...]) -> Step[State, Event]:
    """Score the house just placed on that island (SMALL-PAY-1), or wait for a decision of its owner or of chance."""
    kind = reward_of(state, state.turn).kind
    if kind is PICK:
        return replace(state, phase=Phase.PICK_RESOURCE), events
    if kind is not DISCOVERY:
        return _paid(state, island, events, None)
    if discoveries_due(state):
        return replace(state, phase=Phase.DRAW_DISCOVERY), events
    nothing = replace(state, phase=BUILDING, housed=NOTHING)
    return nothing, (*events, DiscoveryDrawn(state.turn, 0, ()))


def _paid(state: State, island: IslandSummary, events: tuple[Event, ...], picked: Symbol | None) -> Step[State, Event]:
    me = state.turn
    paid = parts(island, reward_of(state, me), picked)
    points = sum([part.points for part in paid])
    seat = state.seats[me]
    seats = with_seat(state, me, replace(seat, score=seat.score + points))
    richer = replace(state, phase=BUILDING, seats=seats, housed=NOTHING)
    return richer, (*events, HousePaid(me, state.housed, paid, points))


def _housed_island(state: State) -> IslandSummary:
    """Return the island of the house that was placed last."""
    island = state.table.chart.site_at(state.housed)
    assert island is not None
    return island


def stop_building(state: State, me: int, move: StopBuilding) -> Step[State, Event]:
    """Place no more houses (SMALL-REWARD-1)."""
    return _joined((state, ()), end_building(state, automatic=False))


def resource_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the resources that the seat can score."""
    return PICK_RESOURCE


def pick_resource(state: State, me: int, move: PickResource) -> Step[State, Event]:
    """Score the picked resource. Raises MalformedMove."""
    if move.resource not in RESOURCES:
        raise MalformedMove("Pick one of the natural resources: flower, fruit or leaf.")
    return _paid(state, _housed_island(state), (), move.resource)


def discovery_pool(state: State) -> tuple[int, ...]:
    """Return the values of the discovery tokens that no seat has kept, ascending."""
    pool = COMPONENTS.discovery_tokens
    for each in state.discoveries:
        pool = without(pool, each.kept) if each.kept else pool
    return pool


def discoveries_due(state: State) -> int:
    """Return how many tokens the house draws: one per temple of its island, at most all left (SMALL-PAY-1)."""
    return min(_housed_island(state).counts[Symbol.TEMPLE], len(discovery_pool(state)))


@lru_cache(maxsize=1 << 8)
def possible_draws(seat: int, pool: tuple[int, ...], count: int) -> tuple[DrawDiscovery, ...]:
    """Return every distinct draw of that many tokens from a pool in ascending order."""
    found: set[tuple[int, ...]] = {()}
    for _ in range(count):
        found = {
            tuple(sorted((*haul, value)))
            for haul in found
            for value in set(pool)
            if haul.count(value) < pool.count(value)
        }
    return tuple(DrawDiscovery(seat, haul) for haul in sorted(found))


def _is_possible_draw(values: object, pool: tuple[int, ...], count: int) -> bool:
    """Return whether the values are a draw of that many tokens from the pool. Both must be in ascending order."""
    left = iter(pool)
    return isinstance(values, tuple) and len(values) == count and all(value in left for value in values)


def draw_discovery(state: State, actor: int, move: DrawDiscovery) -> Step[State, Event]:
    """Draw discovery tokens. The seat keeps a single one at once. Raises IllegalMove (SMALL-PAY-1) or MalformedMove."""
    me, values = state.turn, move.values
    if move.seat != me or not _is_possible_draw(values, discovery_pool(state), discoveries_due(state)):
        check_whole(move)
        raise IllegalMove("SMALL-PAY-1", "The owner of the house draws one discovery token per temple of the island.")
    drawn = replace(state, phase=Phase.KEEP_DISCOVERY, discoveries=(*state.discoveries, Discovery(me, values)))
    event = DiscoveryDrawn(me, len(values), values)
    # The number of tokens is public, so skipping the decision for a single one reveals nothing. Skipping it for equal
    # values would reveal them.
    return _kept(drawn, values[0], (event,)) if len(values) == 1 else (drawn, (event,))


def keep_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return a move for each value that the seat can keep."""
    return tuple(map(KeepDiscovery, sorted(set(state.discoveries[-1].drawn))))


def keep_discovery(state: State, me: int, move: KeepDiscovery) -> Step[State, Event]:
    """Keep one of the drawn tokens, in secret. Raises IllegalMove (SMALL-PAY-1) or MalformedMove."""
    value = move.value
    if value is None or value not in state.discoveries[-1].drawn:
        check_whole(move)
        raise IllegalMove("SMALL-PAY-1", "You have not drawn a discovery token of that value.")
    return _kept(state, value, ())


def _kept(state: State, value: int, events: tuple[Event, ...]) -> Step[State, Event]:
    *before, last = state.discoveries
    kept = replace(state, phase=BUILDING, housed=NOTHING, discoveries=(*before, replace(last, kept=value)))
    return kept, (*events, DiscoveryKept(last.seat, value))
