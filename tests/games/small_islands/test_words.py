from __future__ import annotations

import re
from itertools import islice
from typing import get_args

import pytest

from skerry_games.small_islands import GAME, events, moves
from skerry_games.small_islands.events import Event, Part, PartKind, TileSource
from skerry_games.small_islands.moves import Move
from skerry_games.small_islands.printed.components import COMPONENTS, Bonus, Symbol
from skerry_games.small_islands.state import End, Options
from skerry_games.small_islands.tabletop.cells import CELLS, SIZES
from skerry_games.small_islands.tabletop.piece_ids import cell_id
from skerry_games.small_islands.words import place_words
from tests.games.small_islands.drawing import card, cell, face
from tests.games.small_islands.random_games import steps

HERE, THERE = cell("8,7"), cell("4,5")


MOVES: list[tuple[Move, str]] = [
    (moves.DrawStartSeat(2), "let {2} go first"),
    (moves.DealTile(1, face("L07")), "deal the coast tile (flower, fruit, house) to {1}"),
    (moves.DealTile(1, None), "deal a tile to {1}"),
    (moves.TurnUpTile(face("L07")), "turn up the coast tile (flower, fruit, house)"),
    (moves.DealCard(0, card("M3")), 'deal "more fruits than flowers" to {0}'),
    (moves.DealCard(0, None), "deal a card to {0}"),
    (moves.DrawDiscovery(1, (3, 8)), "let {1} draw discovery tokens worth 3 and 8"),
    (moves.DrawDiscovery(1, (5,)), "let {1} draw a discovery token worth 5"),
    (moves.DrawDiscovery(1, ()), "let {1} draw discovery tokens"),
    (
        moves.LayStart(face("S2B"), HERE, 2),
        "lay the starting cape tile (fruit, port) 1 north and 1 east of the middle, turned twice",
    ),
    (
        moves.ChooseObjective((card("O3"),), (card("O5"),)),
        'choose "more leaves than flowers: 1 point per leaf, plus 2"'
        ' and put "more fruits than flowers: 6 points" aside',
    ),
    (
        moves.ChooseObjective((card("M3"), card("W1")), (card("M5"), card("W2"))),
        'choose "more fruits than flowers" and "1 point per flower, plus 2", and put "more leaves than '
        'flowers" and "1 point per fruit, plus 2" aside',
    ),
    (moves.ChooseObjective((), ()), "choose an objective"),
    (moves.TakeTile(face("L07")), "take the coast tile (flower, fruit, house) from the display"),
    (moves.LandShip(HERE, True), "land with a grey ship 1 north and 1 east of the middle"),
    (moves.LandShip(HERE, False), "land with your own ship 1 north and 1 east of the middle"),
    (moves.PickTile(face("L07")), "pick the coast tile (flower, fruit, house) from your hand"),
    (moves.LayTile(HERE, 0), "lay the tile 1 north and 1 east of the middle"),
    (moves.LayTile(HERE, 3), "lay the tile 1 north and 1 east of the middle, turned three times"),
    (moves.TakeToken(Bonus.ANY, Symbol.LEAF), "use the wild token as a leaf"),
    (moves.TakeToken(Bonus.ANY, Symbol.PORT), "use the wild token as a port"),
    (moves.TakeToken(Bonus.LEAF, Symbol.LEAF), "use the leaf token"),
    (moves.TakeToken(Bonus.LEAF, Symbol.PORT), "use the leaf token as a port"),
    (moves.NO_TOKEN, "use no bonus token"),
    (
        moves.PlaceToken(Bonus.ANY, Symbol.LEAF, HERE, Symbol.FRUIT),
        "place the wild token as a leaf on a fruit 1 north and 1 east of the middle",
    ),
    (
        moves.PlaceToken(Bonus.LEAF, Symbol.LEAF, HERE, Symbol.FRUIT),
        "place the leaf token on a fruit 1 north and 1 east of the middle",
    ),
    (
        moves.PlaceToken(Bonus.LEAF, Symbol.PORT, HERE, None),
        "place the leaf token as a port 1 north and 1 east of the middle",
    ),
    (moves.PlaceHouse(HERE), "place a house 1 north and 1 east of the middle"),
    (moves.STOP_BUILDING, "stop placing houses"),
    (moves.PickResource(Symbol.LEAF), "score the leaves of the island"),
    (moves.KeepDiscovery(8), "keep a discovery token worth 8 points"),
    (moves.KeepDiscovery(None), "keep a discovery token"),
]


@pytest.mark.parametrize(("move", "words"), MOVES)
def test_the_sentence_of_a_move_is_an_imperative(move: Move, words: str) -> None:
    assert GAME.say_move(move) == words


EVENTS: list[tuple[Event, str]] = [
    (events.StartSeatSet(1), "{1} goes first."),
    (events.TileDealt(1, face("L07")), "{1} draws a coast tile (flower, fruit, house)."),
    (events.TileDealt(1, None), "{1} draws a tile."),
    (
        events.TileTurnedUp(face("L07"), True),
        "A coast tile (flower, fruit, house) is turned up from the navigation stack.",
    ),
    (events.TileTurnedUp(face("L07"), False), "A coast tile (flower, fruit, house) is turned up from the reserve."),
    (events.CardDealt(1, card("W3")), '{1} draws "1 point per leaf, plus 2".'),
    (events.CardDealt(1, None), "{1} draws a card."),
    (
        events.TileLaid(0, face("L07"), HERE, 1, TileSource.DISPLAY),
        "{0} lays a coast tile (flower, fruit, house) from the display 1 north and 1 east of the middle, turned once.",
    ),
    (
        events.TileLaid(0, face("S1A"), HERE, 0, TileSource.START),
        "{0} lays a starting coast tile (flower, house) 1 north and 1 east of the middle.",
    ),
    (
        events.TileLaid(0, face("L07"), HERE, 0, TileSource.HAND),
        "{0} lays a coast tile (flower, fruit, house) from their hand 1 north and 1 east of the middle.",
    ),
    (
        events.IslandsJoined((HERE, THERE), 9),
        "The tile joins 2 islands into one of 9 tiles.",
    ),
    (
        events.RoundBegun(2, 1, 30),
        "Round 2 begins: {1} will go first, and the reserve has 30 tiles left.",
    ),
    (events.ObjectiveChosen(1, (), (), ()), "{1} has chosen an objective."),
    (
        events.ObjectiveChosen(1, (card("O1"),), (card("O2"),), (card("O3"),)),
        '{1} chooses "more flowers than fruits: 1 point per flower, plus 2", puts "more fruits than leaves: '
        '1 point per fruit, plus 2" aside and returns "more leaves than flowers: 1 point per leaf, plus 2".',
    ),
    (events.ExplorationBegun(2), "All players have chosen an objective, and {2} goes first."),
    (events.TileTaken(0, face("L07")), "{0} takes a coast tile (flower, fruit, house) from the display."),
    (
        events.HandShown(0, (face("L17"), face("L18"), face("L35")), face("L18")),
        "{0} shows an inland tile (flower, fruit, temple, house), an inland tile (2 flowers, leaf, house) "
        "and an inland tile (fruit, leaf, temple, house), none of which fits, and the tile just taken "
        "leaves the game.",
    ),
    (events.TilePicked(0, face("L07")), "{0} picks a coast tile (flower, fruit, house) from their hand."),
    (events.TokenTaken(0, Bonus.ANY, Symbol.PORT), "{0} uses the wild token as a port."),
    (events.TokenForgone(0), "{0} uses no bonus token."),
    (
        events.TokenPlaced(0, Bonus.ANY, Symbol.LEAF, HERE, 0, Symbol.FRUIT, True),
        "{0} places the wild token as a leaf on a fruit token 1 north and 1 east of the middle.",
    ),
    (
        events.TokenPlaced(0, Bonus.LEAF, Symbol.LEAF, HERE, 0, Symbol.FRUIT, False),
        "{0} places the leaf token on a fruit 1 north and 1 east of the middle.",
    ),
    (
        events.TokenPlaced(0, Bonus.LEAF, Symbol.PORT, HERE, 1, None, False),
        "{0} places the leaf token as a port 1 north and 1 east of the middle.",
    ),
    (events.ShipLanded(0, False, HERE), "{0} lands with their own ship 1 north and 1 east of the middle."),
    (events.ShipLanded(0, True, HERE), "{0} lands with a grey ship 1 north and 1 east of the middle."),
    (events.LastRewardBegun(1), "{1} can neither explore nor land, so the last reward phase begins."),
    (
        events.ObjectiveRevealed(0, (card("M1"), card("W1"))),
        '{0} reveals "more flowers than fruits" and "1 point per flower, plus 2".',
    ),
    (
        events.HousePlaced(0, HERE, THERE, 2),
        "{0} places a house 1 north and 1 east of the middle, on an island of 2 tiles.",
    ),
    (
        events.HousePaid(0, HERE, (Part(PartKind.FLOWER, 3, 3), Part(PartKind.FIXED, 1, 2)), 5),
        "{0} scores 5 points for the house: 3 for 3 flowers, plus 2.",
    ),
    (events.HousePaid(0, HERE, (Part(PartKind.FIXED, 1, 6),), 6), "{0} scores 6 points for the house."),
    (
        events.HousePaid(0, HERE, (Part(PartKind.TEMPLE, 1, 1), Part(PartKind.LEAF, 0, 0)), 1),
        "{0} scores 1 point for the house: 1 for 1 temple and nothing for leaves.",
    ),
    (
        events.HousePaid(0, HERE, (Part(PartKind.SCARCEST, 1, 2),), 2),
        "{0} scores 2 points for the house: 2 for 1 symbol of the scarcest resource.",
    ),
    (
        events.HousePaid(0, HERE, (Part(PartKind.LEAF, 2, 2),), 2),
        "{0} scores 2 points for the house: 2 for 2 leaves.",
    ),
    (
        events.HousePaid(0, HERE, (Part(PartKind.SIZE, 7, 6),), 6),
        "{0} scores 6 points for the house: 6 for 7 tiles.",
    ),
    (events.DiscoveryDrawn(0, 2, (3, 8)), "{0} draws 2 discovery tokens worth 3 and 8."),
    (events.DiscoveryDrawn(0, 2, ()), "{0} draws 2 discovery tokens."),
    (events.DiscoveryDrawn(0, 0, ()), "{0} draws no discovery tokens."),
    (events.DiscoveryDrawn(0, 1, (5,)), "{0} draws a discovery token worth 5."),
    (events.DiscoveryDrawn(0, 1, ()), "{0} draws a discovery token."),
    (events.DiscoveryKept(0, 8), "{0} keeps a discovery token worth 8 points."),
    (events.DiscoveryKept(0, None), "{0} keeps a discovery token."),
    (events.BuildingEnded(0, True, 0), "{0} can place no more houses."),
    (events.BuildingEnded(0, False, 2), "{0} stops placing houses and takes 2 houses from their reserve."),
    (events.CardsShuffled(), "The used and returned cards are shuffled back into their piles."),
    (
        events.SecretsShown(1, (face("L04"), face("L07")), (card("O6"),), ()),
        "{1} reveals all secrets: a cape tile (flower) and a coast tile (flower, fruit, house) in hand; "
        '"more leaves than fruits: a discovery token (draw one per temple, keep one)" put aside.',
    ),
    (
        events.SecretsShown(0, (face("L04"),), (card("M1"), card("W1")), (card("M2"), card("W2"))),
        '{0} reveals all secrets: a cape tile (flower) in hand; "more flowers than fruits" and "1 point per '
        'flower, plus 2" put aside; "more flowers than leaves" and "1 point per fruit, plus 2" returned.',
    ),
    (
        events.BonusScored(0, (3, 8), 1, 12),
        "{0} scores 12 points at the end, with 1 port around their ship and discovery tokens worth 3 and 8.",
    ),
    (
        events.BonusScored(0, (), 0, 0),
        "{0} scores no points at the end, with no ports and no discovery tokens.",
    ),
    (
        events.GameEnded(End.SHIPS, (3, 9), (2, 1)),
        "The game is over because all ships have been placed: {1} is ahead with 9 points.",
    ),
    (
        events.GameEnded(End.STUCK, (0, 0, 0), (1, 2, 1)),
        "The game is over because a player could neither explore nor land: {0} and {2} are ahead with no points.",
    ),
]


@pytest.mark.parametrize(("event", "words"), EVENTS)
def test_the_text_of_an_event_is_a_sentence(event: Event, words: str) -> None:
    assert GAME.say(event) == words


def test_every_kind_of_move_and_event_has_a_sentence() -> None:
    assert {type(move) for move, _ in MOVES} == set(get_args(Move))
    assert {type(event) for event, _ in EVENTS} == set(get_args(Event))


def test_moves_name_each_tile_and_card_differently() -> None:
    tiles = {GAME.say_move(moves.TakeTile(number)) for number in range(len(COMPONENTS.faces))}
    cards = {GAME.say_move(moves.DealCard(0, number)) for number in range(len(COMPONENTS.cards))}
    assert (len(tiles), len(cards)) == (len(COMPONENTS.faces), len(COMPONENTS.cards))


def test_no_word_is_an_id_or_a_coordinate() -> None:
    ids = "|".join([*(face.id for face in COMPONENTS.faces), *(card.id for card in COMPONENTS.cards)])
    code = re.compile(rf"\b({ids})\b|\(\d+, \d+\)")
    said = [*(GAME.say_move(move) for move, _ in MOVES), *(GAME.say(event) for event, _ in EVENTS)]
    assert not [words for words in said if code.search(words)]


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("7,7", "1 north and 1 west of the middle"),
        ("8,8", "1 south and 1 east of the middle"),
        ("8,6", "2 north and 1 east of the middle"),
        ("5,10", "3 south and 3 west of the middle"),
    ],
)
def test_places_are_seen_from_the_middle_of_the_table(place: str, words: str) -> None:
    assert place_words(cell(place)) == words


def test_no_two_places_read_alike() -> None:
    assert len({place_words(one) for one in CELLS}) == len(CELLS)


@pytest.mark.parametrize("size", [SIZES[0], 10, 16, SIZES[-1]])
def test_a_cell_has_one_name_on_tables_of_all_sizes(size: int) -> None:
    named = set()
    for state, actor, _, move in islice(steps(Options(table_size=size), 2, 1), 120):
        areas = GAME.look.areas(GAME.boards[0], GAME.view(state, None))
        labels = {place.id: place.label for area in areas for place in area.places}
        if isinstance(move, moves.LayTile | moves.LandShip | moves.PlaceToken | moves.PlaceHouse):
            label, said = labels[cell_id(move.at)], [GAME.say(event) for event in GAME.apply(state, actor, move)[1]]
            assert label in GAME.say_move(move)
            assert any(label in sentence for sentence in said)
            named.add(type(move))
    assert moves.LayTile in named
