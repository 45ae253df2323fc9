"""The report: it is self-contained, and names are never markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from random import Random

import pytest

from skerry_arena.reports.page import between, number, page
from skerry_arena.reports.tables import pairs, standings, times
from skerry_arena.settings import Settings
from skerry_arena.statistics.resampling import Interval
from skerry_arena.statistics.summary import Summary, summarize
from skerry_games.pairing.plan import games, total
from tests.arena.samples import records, settings

VOID = {"meta", "line", "circle", "rect"}


class Reader(HTMLParser):
    """Reads a page, and fails where an element is not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def drawn(tournament: Settings) -> Summary:
    dice, seats = Random(1), range(1, tournament.table + 1)
    ranks = [tuple(dice.sample(list(seats), len(seats))) for _ in range(total(tournament))]
    return summarize(tournament, records(tournament, ranks))


@pytest.mark.parametrize("many", [1, 90])
def test_the_page_is_self_contained(many: int) -> None:
    tournament = settings("random", "greedy", "mcts:50", "b=random", seats=3, games=many)
    reader, text = Reader(), page(tournament, drawn(tournament))
    reader.feed(text)
    assert reader.open == []
    assert re.findall(r"\b(?:src|href|url|import)\b|<script", text) == []
    assert "width=device-width" in text and "@media print" in text
    assert all(one.name in "".join(reader.words) for one in tournament.players)


def test_names_are_escaped() -> None:
    tournament = settings("<b onload=random", '"&=greedy')
    text = page(tournament, drawn(tournament))
    assert "<b " not in text
    assert "&lt;b onload" in text and "&#34;&amp;" in text


def test_the_page_of_a_tournament_without_games_says_so() -> None:
    tournament = settings("random", "greedy", games=10)
    text = page(tournament, summarize(tournament, []))
    assert "0 of\n10 games are finished" in text
    assert "random has not met any other player yet." in text


def test_a_player_that_always_wins_has_a_sentence_instead_of_a_rating() -> None:
    tournament = settings("random", "greedy", "b=random", games=60)
    ranked = []
    for one in records(tournament, [(1, 2)] * 60):
        first = one.lineup.index("greedy") if "greedy" in one.lineup else one.block % 2
        ranked.append((1, 2) if first == 0 else (2, 1))
    text = page(tournament, summarize(tournament, records(tournament, ranked)))
    assert "greedy has always beaten all other players" in text


def test_groups_that_do_not_compare_are_separated() -> None:
    tournament = settings("a=random", "b=random", "c=random", games=60)
    ranked = []
    for game in games(tournament):
        first = (0 in game.lineup and game.lineup.index(0) == 0) or (0 not in game.lineup and game.block % 2)
        ranked.append((1, 2) if first else (2, 1))
    summary = summarize(tournament, records(tournament, ranked))
    text = page(tournament, summary)
    assert summary.groups == (("a",), ("b", "c"))
    assert "<th>group</th>" in text and text.count('<tr class="apart">') == 1
    assert "The ratings of different groups do not compare" in text
    assert "<th>group</th>" not in page(tournament, drawn(tournament))


def test_numbers_are_formatted_for_people() -> None:
    assert [number(one, 1) for one in (-1.25, -0.01, None, float("inf"), -float("inf"))] == [
        "−1.2",
        "0.0",
        "–",
        "∞",
        "−∞",
    ]
    assert between(Interval(-1, 2), 0) == "−1 … 2"


def test_tables_have_a_row_for_each_player_and_pair() -> None:
    tournament = settings("random", "greedy", "b=random", games=60)
    summary = drawn(tournament)
    assert len(standings(summary).csv().splitlines()) == len(pairs(summary).csv().splitlines()) == 4
    lines = times(tournament, records(tournament, [(1, 2)] * 60)).csv().splitlines()
    assert lines[1] == "random,40,1,1"
