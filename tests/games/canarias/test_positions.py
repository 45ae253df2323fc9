"""Invariants of every state of random games."""

from __future__ import annotations

from hypothesis import given, settings
from msgspec import msgpack

from skerry_games.canarias import GAME
from skerry_games.canarias.actions.construction import free_squares_next_to
from skerry_games.canarias.actions.privileges import points_for
from skerry_games.canarias.moves import Build, Place
from skerry_games.canarias.printed.cards import DISTINCT, HOUSE_COLOUR, NO_CARD, PRIORITIES, TRIPLES
from skerry_games.canarias.printed.components_file import COLUMNS
from skerry_games.canarias.printed.islands import ISLANDS
from skerry_games.canarias.printed.squares import BUILDING, members
from skerry_games.canarias.printed.terms import NOTHING, Feature, Piece, Power
from skerry_games.canarias.state import Phase, SeatState, State, holds
from tests.games.canarias.random_games import states, steps, tables

MOST_BYTES = 700
MOST_LISTED = 200


def pieces_of(seat: SeatState) -> list[int]:
    return [squares for kind in (seat.houses, seat.palaces, seat.towns) for squares in kind]


@given(tables)
def test_no_two_pieces_share_a_square_and_derived_values_are_right(table: tuple[int, int]) -> None:
    """CANARIAS-SETUP-5, CANARIAS-SCORE-1"""
    for state in states(*table):
        for seat in state.seats:
            if seat.free or any(pieces_of(seat)):
                assert sum(pieces_of(seat)) + seat.free == BUILDING[seat.island]
                assert sum(map(int.bit_count, pieces_of(seat))) + seat.free.bit_count() == 12
            assert seat.points == tuple(map(points_for, seat.houses, seat.palaces, seat.towns))


@given(tables)
def test_a_seat_with_the_most_points_owns_each_privilege_and_no_seat_below_three_does(table: tuple[int, int]) -> None:
    """CANARIAS-PRIV-1, CANARIAS-PRIV-2: but for the moment in which a pirate's victims give up one house each."""
    for state in states(*table):
        if state.phase is Phase.GIVE_UP:
            continue
        for colour, owner in enumerate(state.privileges):
            most = max(seat.points[colour] for seat in state.seats)
            assert most < 3 if owner == -1 else state.seats[owner].points[colour] == most


PIECE = (Phase.COLOUR, Phase.PLACE)
PIRATE = (Phase.DIVERT, Phase.GIVE_UP)
IN_TURN = (Phase.BUILD_OR_DRAW, Phase.LOAD)


@given(tables)
def test_at_most_one_interruption_is_active(table: tuple[int, int]) -> None:
    """The table at ``State``."""
    for state in states(*table):
        phase, resume = state.phase, state.resume
        assert (state.owed > 0) == (phase is Phase.DRAW_CARD)
        assert (state.piece != NOTHING) == (phase in PIECE)
        assert (state.card != NO_CARD) == (phase in PIRATE or (phase in PIECE and state.piece == Piece.HOUSE))
        assert (state.material != 0) == (phase in PIECE and state.piece != Piece.HOUSE)
        assert (state.colour != NOTHING) == (phase is Phase.PLACE)
        assert not state.victims or phase is Phase.GIVE_UP
        if phase in PIECE or phase in PIRATE:
            assert resume in (*IN_TURN, Phase.TURN_UP)
        elif state.round and phase not in (Phase.DRAW_CARD, Phase.OVER):
            assert phase is resume
        if resume in IN_TURN:
            assert state.actor == state.turn


@given(tables)
def test_the_cards_are_always_the_same_and_in_order(table: tuple[int, int]) -> None:
    """CANARIAS-SETUP-2, CANARIAS-TURN-4"""
    for state in states(*table):
        piles = [state.deck, state.discard, *(seat.hand for seat in state.seats)]
        assert all(list(pile) == sorted(pile) for pile in piles)
        everywhere = sorted([*sum(piles, ()), *(card for card, _ in state.ship)])
        assert everywhere in (list(DISTINCT), list(TRIPLES))


@given(tables)
def test_apply_leaves_its_argument_as_it_was_and_the_state_survives_packing(table: tuple[int, int]) -> None:
    for state, actor, _, move in steps(*table):
        before = msgpack.encode(state)
        GAME.apply(state, actor, move)
        assert msgpack.encode(state) == before
        assert msgpack.decode(before, type=State) == state
        assert msgpack.decode(msgpack.encode(move), type=GAME.move_type) == move


@given(tables)
def test_a_state_takes_a_few_hundred_bytes_and_a_listing_at_most_two_hundred_moves(table: tuple[int, int]) -> None:
    for state, _, listed, _ in steps(*table):
        assert len(msgpack.encode(state)) <= MOST_BYTES
        assert 0 < len(listed) == len(set(listed)) <= MOST_LISTED


def plain_room(state: State, seat: SeatState, feature: int) -> set[int]:
    """Return what ``room`` returns, found square by square on the grid."""
    building = ISLANDS[seat.island].building
    taken = {square for squares in pieces_of(seat) for square in members(squares)}
    if feature >= Feature.COAST:
        near = set(ISLANDS[seat.island].touching[Feature(feature)])
    else:
        alike = [*members(seat.houses[feature]), *members(seat.palaces[feature]), *members(seat.towns[feature])]
        places = {square: divmod(square, COLUMNS) for square in building}
        near = {
            square
            for square, (row, column) in places.items()
            for other in alike
            if abs(row - places[other][0]) + abs(column - places[other][1]) == 1
        }
    return near - taken


@given(tables)
@settings(max_examples=20)
def test_squares_next_to_a_feature_are_those_of_a_plain_search(table: tuple[int, int]) -> None:
    """CANARIAS-BUILD-3, CANARIAS-BUILD-4"""
    for state in states(*table):
        for seat in state.seats if state.phase is Phase.BUILD_OR_DRAW else ():
            for feature in Feature:
                assert set(members(free_squares_next_to(seat, feature))) == plain_room(state, seat, feature)


@given(tables)
def test_a_house_is_offered_the_squares_next_to_its_first_possible_priority(table: tuple[int, int]) -> None:
    """CANARIAS-BUILD-2, CANARIAS-PRIV-FREE"""
    for state, actor, listed, _ in steps(*table):
        if state.phase is not Phase.PLACE or state.piece != Piece.HOUSE:
            continue
        seat = state.seats[actor]
        rooms = [plain_room(state, seat, feature) for feature in PRIORITIES[state.card]]
        free = set(members(seat.free))
        expected = free if holds(state, actor, Power.FREE) else next(filter(None, rooms), free)
        assert {move.square for move in listed if isinstance(move, Place)} == expected
        assert state.colour == HOUSE_COLOUR[state.card] or not state.houses_left[HOUSE_COLOUR[state.card]]


@given(tables)
def test_a_seat_can_build_exactly_if_it_has_a_settler_another_card_a_square_and_a_house(table: tuple[int, int]) -> None:
    """CANARIAS-TURN-2, CANARIAS-TURN-5, CANARIAS-SUPPLY-1"""
    began: tuple[int, ...] = ()
    for state, actor, listed, _ in steps(*table):
        if state.phase is not Phase.BUILD_OR_DRAW:
            continue
        seat = state.seats[actor]
        began = seat.hand if state.extra == -1 else began
        can = len(began) > 1 and began[0] < 54 and seat.free != 0 and any(state.houses_left)
        builds = {move.card for move in listed if isinstance(move, Build)}
        assert builds == ({card for card in seat.hand if card < 54} if can else set())


def test_dozens_of_random_games_end_within_the_promised_number_of_moves() -> None:
    """CANARIAS-END-2"""
    for seats in GAME.seats:
        for seed in range(12):
            assert sum(1 for _ in steps(seats, seed)) <= GAME.max_moves
