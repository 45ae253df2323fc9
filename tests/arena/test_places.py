"""Play-offs, lots and final places of knockouts and Swiss tournaments, worked by hand, and the bracket."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from skerry_arena.play.record import Record
from skerry_arena.reports.bracket import drawing
from skerry_arena.reports.page import page, verdict
from skerry_arena.settings import BadSettings, Settings, require_playable
from skerry_arena.statistics.cup import cup, planned
from skerry_arena.statistics.summary import summarize
from skerry_games.pairing.form import Format, TieBreak
from skerry_games.pairing.knockout import DecidedBy, next_tables, stages, winner
from skerry_games.pairing.match import Match
from skerry_games.pairing.places import of_knockout, of_swiss
from skerry_games.pairing.plan import PlannedGame
from skerry_games.pairing.rounds import rounds, total
from tests.arena.samples import record_of, settings


def field(players: int, form: Format, **more: Any) -> Settings:
    named = [f"{chr(ord('a') + one)}=random" for one in range(players)]
    return settings(*named, **{"game": "kreta", "format": form, "games": 2, **more})


def played(tournament: Settings, ranks: Callable[[PlannedGame, int], tuple[int, ...]]) -> list[Record]:
    """Play all rounds. ``ranks``: the ranks of a game in a round of this play-off, 0 for none."""
    log: dict[int, Record] = {}
    for one in rounds(tournament, log):
        for game in [game for games in one.games for game in games]:
            log[game.number] = record_of(tournament, game, ranks(game, one.playoff))
    return list(log.values())


def tied(game: PlannedGame, playoff: int) -> tuple[int, ...]:
    return (1, 1)


def ranked(game: PlannedGame, playoff: int) -> tuple[int, ...]:
    """Return ranks by the order of the settings."""
    order = sorted(set(game.lineup))
    return tuple([order.index(one) + 1 for one in game.lineup])


def test_a_tie_is_played_off() -> None:
    tournament = field(2, Format.KNOCKOUT, playoffs=3)
    log = played(tournament, lambda game, playoff: ranked(game, playoff) if playoff == 2 else (1, 1))
    assert len(log) == 2 + 2 * 2 == planned(tournament, log)
    found = cup(tournament, log)
    assert [table.playoff for (table,) in found.rounds] == [0, 1, 2]
    (decided,) = found.bracket[0]
    assert (decided.advancing, decided.by, decided.playoffs) == ("a", DecidedBy.PLAYOFF, 2)
    assert planned(tournament, log[:3]) == 4
    assert cup(tournament, log[:4]).winners == ()


def test_after_the_play_offs_the_lot_decides_and_not_the_order_of_the_list() -> None:
    """Two players that always tie: over many seeds, either wins about as often."""
    tournament, won = field(2, Format.KNOCKOUT, playoffs=1), Counter[int | None]()
    both = [[Match((1, 0), (0.5, 0.5))], [Match((1, 0), (0.5, 0.5), 1)]]
    for number in range(100):
        drawn = replace(tournament, seed=f"{number:064x}")
        assert stages(drawn, both)[0].tables[0].by is DecidedBy.LOT
        won[winner(drawn, both)] += 1
    assert won.keys() == {0, 1} and min(won.values()) > 25


def test_a_table_without_a_game_that_counts_is_played_off_by_all_its_players() -> None:
    tournament = field(2, Format.KNOCKOUT)
    assert next_tables(tournament, [[Match((1, 0), (None, None))]]) == (((1, 0),), 1)
    assert next_tables(replace(tournament, playoffs=0), [[Match((1, 0), (None, None))]]) == ((), 0)


def test_only_the_best_of_a_table_play_off() -> None:
    tournament = field(3, Format.KNOCKOUT, seats=3)
    first = [Match((2, 0, 1), (0.75, 0.0, 0.75))]
    assert next_tables(tournament, [first]) == (((2, 1),), 1)
    over = [first, [Match((2, 1), (1.0, 0.0), 1)]]
    assert winner(tournament, over) == 2
    assert [(one.player, one.place) for one in of_knockout(tournament, over)] == [(2, 1), (1, 2), (0, 3)]


def test_players_that_lost_in_the_same_round_of_a_knockout_share_a_place() -> None:
    tournament = field(8, Format.KNOCKOUT)
    found = cup(tournament, played(tournament, ranked))
    assert Counter(one.place for one in found.places) == {1: 1, 2: 1, 3: 2, 5: 4}
    assert found.places[0].name == "a"
    assert verdict(found) == "a wins the tournament."


def swiss(matches: list[Match], players: int, **more: Any) -> list[tuple[int, int, tuple[TieBreak, ...]]]:
    tournament = field(players, Format.SWISS, **more)
    return [(one.player, one.place, one.by) for one in of_swiss(tournament, matches, [])]


def won(one: int, other: int) -> Match:
    return Match((one, other), (1.0, 0.0))


def test_buchholz_orders_players_with_equal_results() -> None:
    """0 and 2 have won all; 0 has beaten 1 and 3, who have won nothing, 2 has beaten 4 and 5, who have won a match."""
    matches = [won(0, 1), won(2, 4), won(5, 3), won(0, 3), won(2, 5), won(4, 1)]
    buchholz = (TieBreak.BUCHHOLZ,)
    assert swiss(matches, 6)[:2] == [(2, 1, buchholz), (0, 2, buchholz)]
    assert swiss(matches, 6, tie_breaks=())[:2] == [(0, 1, ()), (2, 1, ())]


def test_head_to_head_orders_players_who_have_met() -> None:
    """Three rounds among four: 1 beats 0 and both win twice against opponents of the same strength."""
    tournament = field(4, Format.SWISS, rounds=3, tie_breaks=(TieBreak.HEAD_TO_HEAD,))
    beaten = {(1, 0), (0, 2), (0, 3), (1, 2), (3, 1), (2, 3)}
    log = played(tournament, lambda game, playoff: (1, 2) if game.lineup in beaten else (2, 1))
    found = cup(tournament, log).places
    assert [(one.name, one.place) for one in found] == [("b", 1), ("a", 2), ("c", 3), ("d", 4)]
    assert {one.by for one in found} == {(TieBreak.HEAD_TO_HEAD,)}


def test_players_that_no_rule_separates_share_a_place() -> None:
    tournament = field(4, Format.SWISS)
    log = played(tournament, tied)
    found = cup(tournament, log)
    assert [one.place for one in found.places] == [1, 1, 1, 1]
    assert verdict(found) == "a, b, c and d share first place."
    assert cup(tournament, log[:-1]).places == ()
    assert len(log) == total(tournament)


def test_a_tie_break_cannot_appear_twice() -> None:
    with pytest.raises(BadSettings, match="A rule appears twice"):
        require_playable(field(4, Format.SWISS, tie_breaks=(TieBreak.BUCHHOLZ, TieBreak.BUCHHOLZ)))


@pytest.mark.parametrize(("players", "seats"), [(8, 2), (7, 2), (13, 3), (3, 4)])
def test_the_boxes_of_a_bracket_do_not_overlap_and_lines_lead_to_the_right(players: int, seats: int) -> None:
    tournament = field(players, Format.KNOCKOUT, seats=seats)
    log = played(tournament, ranked)
    drawn = drawing(cup(tournament, log).bracket)
    for box in drawn.boxes:
        below = [one for one in drawn.boxes if one.x == box.x and one.y > box.y]
        assert all(one.y >= box.y + box.height for one in below)
        assert box.y > 0 and box.y + box.height <= drawn.height
    assert all(line.x1 < line.x2 for line in drawn.lines)
    met_again = sum(len(box.rows) for box in drawn.boxes) - players
    assert len(drawn.lines) == met_again
    assert drawn.headings[-1][1] == "Final"


def test_the_report_draws_the_bracket_and_names_the_winner() -> None:
    tournament = field(4, Format.KNOCKOUT, playoffs=0)
    text = page(tournament, summarize(tournament, played(tournament, tied)))
    assert text.count("<rect x=") >= 3 and ">lot</text>" in text
    assert "wins the tournament." in text
    assert "<title>a</title>a</text>" in text
