"""The course of a tournament follows from its results alone, whatever their order, and wherever a process dies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from skerry_games.pairing.form import Format
from skerry_games.pairing.plan import PlannedGame
from skerry_service.domain.record import Clock, ClockKind
from skerry_service.tournaments import tournament_course
from skerry_service.tournaments.tournament_course import (
    EntrantStanding,
    advancing,
    matches_of,
    next_step,
    session_of_game,
    standings,
)
from skerry_service.tournaments.tournament_games import players
from skerry_service.tournaments.tournament_records import (
    StoredTournament,
    TournamentEntrant,
    TournamentResult,
    TournamentState,
)


def running(form: Format, entrants: int, seats: int = 2, at_once: int = 1, salt: bytes = b"salt") -> StoredTournament:
    return StoredTournament(
        title="Cup",
        game="tenerife",
        ruleset="tenerife-1",
        seats=seats,
        options=b"",
        clock=Clock(ClockKind.CORRESPONDENCE),
        format=form,
        most_entrants=16,
        at_once=at_once,
        created_ms=1,
        salt=salt,
        organizer=b"",
        request=b"",
        state=TournamentState.RUNNING,
        entrants=tuple([TournamentEntrant(one + 1, f"player {one}", b"") for one in range(entrants)]),
    )


def played(tournament: StoredTournament, game: PlannedGame, luck: int) -> TournamentResult:
    """Return the result of a game. It depends on the game and the luck, not on when it is played."""
    draw = Random(f"{luck} {game.number}")
    ranks = tuple([draw.randint(1, tournament.seats) for _ in game.lineup])
    lineup = tuple([tournament.entrants[one].name for one in game.lineup])
    nothing = ("",) * len(lineup)
    session = session_of_game(tournament, game.number)
    return TournamentResult(session, lineup, ranks, (0,) * len(lineup), nothing, "", 1, 2, counts=draw.random() < 0.95)


def play(tournament: StoredTournament, luck: int, order: Random, dies: float = 0.0) -> dict[int, TournamentResult]:
    """Play a tournament to its end: games end in any order, and with chance ``dies``, a step is not carried out."""
    results: dict[int, TournamentResult] = {}
    in_play: dict[int, PlannedGame] = {}
    while True:
        step = next_step(tournament, results, in_play.keys())
        if step.over:
            assert not in_play
            return results
        for game in step.begin if order.random() >= dies else ():
            in_play[game.number] = game
        busy = Counter(one for game in in_play.values() for one in set(game.lineup))
        assert all(count <= tournament.at_once for count in busy.values())
        if in_play and order.random() >= dies:
            number = order.choice(sorted(in_play))
            assert number not in results
            results[number] = played(tournament, in_play.pop(number), luck)


def tournaments() -> Iterator[tuple[Format, int, int]]:
    for form in Format:
        yield form, 5, 2
    yield Format.ROUND_ROBIN, 4, 3
    yield Format.SWISS, 7, 3
    yield Format.KNOCKOUT, 7, 3


@pytest.mark.parametrize(("form", "entrants", "seats"), list(tournaments()))
@settings(max_examples=6, deadline=None)
@given(luck=st.integers(0, 1000), order=st.integers(0, 1000), at_once=st.integers(1, 3))
def test_any_order_of_results_and_any_crash_give_the_same_tournament(
    form: Format, entrants: int, seats: int, luck: int, order: int, at_once: int
) -> None:
    expected = play(running(form, entrants, seats), luck, Random(0))
    tournament = running(form, entrants, seats, at_once)
    results = play(tournament, luck, Random(order), dies=0.3)
    assert dict(sorted(results.items())) == dict(sorted(expected.items()))
    final = standings(tournament, results, matches_of(tournament, results))
    assert final == standings(tournament, expected, matches_of(running(form, entrants, seats), expected))
    assert sorted(one.player for one in final) == list(range(entrants))
    assert final[0].place == 1


def test_in_a_round_robin_everybody_meets_everybody_in_each_seat() -> None:
    tournament = running(Format.ROUND_ROBIN, 4)
    results = play(tournament, 1, Random(1))
    seated = Counter(result.lineup for result in results.values())
    assert len(seated) == 12 and set(seated.values()) == {1}


def test_the_next_round_waits_for_all_results_of_the_round_before() -> None:
    tournament = running(Format.SWISS, 4)
    first = next_step(tournament, {}, ())
    assert [sorted(game.lineup) for game in first.begin] and len({one for g in first.begin for one in g.lineup}) == 4
    results = {}
    in_play = {game.number: game for game in first.begin}
    number, game = in_play.popitem()
    results[number] = played(tournament, game, 1)
    begun = next_step(tournament, results, in_play.keys()).begin
    assert {frozenset(one.lineup) for one in begun} <= {frozenset(game.lineup)}


def test_the_winner_of_a_knockout_is_first_in_the_standings() -> None:
    tournament = running(Format.KNOCKOUT, 5)
    results = play(tournament, 3, Random(3))
    rounds = matches_of(tournament, results)
    final: list[EntrantStanding] = standings(tournament, results, rounds)
    best = [
        one
        for one, (match, *_) in zip(advancing(tournament, rounds), rounds.complete, strict=True)
        if not match.playoff
    ]
    assert best[-1] == [final[0].player]
    assert not rounds.current
    assert [one.place for one in final] == sorted(one.place for one in final)


def test_a_session_id_belongs_to_one_game_of_one_tournament() -> None:
    ids = {session_of_game(running(Format.SWISS, 4, salt=salt), n) for salt in (b"a", b"b") for n in range(100)}
    assert len(ids) == 200


def test_the_second_seat_of_an_entrant_gets_a_name_of_its_own() -> None:
    names = ("Ada", "ADA 2", "Bob")
    entrants = tuple([TournamentEntrant(at + 1, name, b"") for at, name in enumerate(names)])
    cup = replace(running(Format.KNOCKOUT, 3, seats=4), entrants=entrants)
    assert [one.name for one in players(cup, 1, (0, 1, 0, 2))] == ["Ada", "ADA 2", "Ada 3", "Bob"]
    assert [one.name for one in players(cup, 1, (2, 2, 2, 0))] == ["Bob", "Bob 2", "Bob 3", "Ada"]


def test_no_more_games_begin_than_may_be_in_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_course, "MOST_IN_PLAY", 3)
    tournament = running(Format.ROUND_ROBIN, 6, at_once=8)
    begun = [game.number for game in next_step(tournament, {}, ()).begin]
    assert len(begun) == 3
    assert not next_step(tournament, {}, begun).begin
    assert [game.number for game in next_step(tournament, {}, begun[1:]).begin] == begun[:1]
