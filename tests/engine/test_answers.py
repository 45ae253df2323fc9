"""What the engine answers: the rules' own answers, from snapshots and to snapshots, and nothing else from rubbish."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec import msgpack
from msgspec.structs import replace

from skerry.v1 import engine_pb2 as pb
from skerry.v1 import payload_pb2
from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame
from skerry_games.catalogue import all_games
from skerry_games.languages.translation import translator
from skerry_games.players.fast_dice import FastDice
from skerry_games.position import start
from skerry_games.rng import SeededRng
from skerry_service.processes.engine_answers import apply_moves, new_state, read_states
from skerry_service.processes.engine_refusals import EngineRefusal, PackedRefusal
from skerry_service.processes.engine_states import event_messages, move_messages
from skerry_service.processes.playouts import _chooser, play_out
from skerry_service.wire.payloads import codec_of, write_options
from tests.games.conformance.play import Step, dice, middle, play, spread
from tests.games.variants import all_variants

SEED = b"s" * 32
GAMES = list(all_games().values())
VARIANTS = [pytest.param(variant.game, id=variant.id) for variant in all_variants()]
EACH_GAME = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def named(game: AnyGame) -> dict[str, Any]:
    """What each request on snapshots begins with."""
    return {"name": f"games/{game.id}", "ruleset": game.ruleset}


def made(game: AnyGame, step: Step) -> pb.ActorMove:
    """A step as a move of its actor."""
    return pb.ActorMove(seat=None if step.actor == CHANCE else step.actor, move=move_message(game, step.move))


def move_message(game: AnyGame, move: Any) -> Any:
    """A move as a message."""
    return move_messages(game, [move])[0]


def midgame(game: AnyGame, seats: int | None = None) -> Any:
    """A state in mid-game in which a seat is to act."""
    states = [one for one in play(game, seats or game.seats[0], 1).states if game.to_act(one) not in ((), CHANCE_ACTS)]
    return states[len(states) // 2]


@pytest.mark.parametrize("game", VARIANTS)
def test_a_whole_game_made_of_snapshots_is_the_same_game(game: AnyGame) -> None:
    seats = game.seats[-1]
    played = play(game, seats, 2)
    options = write_options(game, replace(game.options_type()))
    first = new_state(pb.NewStateRequest(name=f"games/{game.id}", seats=seats, options=options))
    assert (first.ruleset, first.state.snapshot) == (game.ruleset, msgpack.encode(played.first))
    whole = pb.Branch(snapshot=first.state.snapshot, moves=[made(game, step) for step in played.steps])
    halves = [
        pb.Branch(snapshot=msgpack.encode(step.before), moves=[made(game, step)]) for step in spread(played.steps, 20)
    ]
    response = apply_moves(pb.ApplyMovesRequest(**named(game), branches=[whole, *halves]))
    end = response.branches[0].state
    assert end.snapshot == msgpack.encode(played.last)
    outcome = game.outcome(played.last)
    assert outcome is not None
    assert (tuple(end.outcome.ranks), tuple(end.scores), list(end.to_act)) == (outcome.ranks, outcome.scores, [])
    received = event_messages(game, [event for step in played.steps for event in step.events])
    assert list(response.branches[0].events) == list(received)
    for step, branch in zip(spread(played.steps, 20), response.branches[1:], strict=True):
        assert msgpack.decode(branch.state.snapshot, type=game.state_type) == step.after
        assert branch.state.chance_to_act == (game.to_act(step.after) == CHANCE_ACTS)


@EACH_GAME
def test_readings_tell_all_moves_of_who_is_to_act_and_the_view_that_is_asked_for(game: AnyGame) -> None:
    states = spread(play(game, game.seats[-1], 3).states, 15)
    request = pb.ReadStatesRequest(**named(game), snapshots=[msgpack.encode(one) for one in states], view_of=1)
    for state, reading in zip(states, read_states(request).readings, strict=True):
        actors = [one.seat if one.HasField("seat") else CHANCE for one in reading.moves]
        assert tuple(actors) == game.to_act(state)
        for actor, listed in zip(actors, reading.moves, strict=True):
            codec = codec_of(game.id)
            back = [codec.move_from_proto(getattr(move, game.id)) for move in listed.legal_moves]
            assert back == list(game.legal_moves(state, actor))
        shown = getattr(reading.view, game.id)
        assert shown == type(shown).FromString(codec_of(game.id).view_to_wire(game.view(state, 1)))
        assert reading.state.snapshot == b""
    request.without_moves = True
    request.ClearField("view_of")
    for reading in read_states(request).readings:
        assert not reading.moves
        assert not reading.HasField("view")


@EACH_GAME
def test_chance_draws_from_the_seed_that_is_sent_as_anybody_can_check(game: AnyGame) -> None:
    made_new = new_state(pb.NewStateRequest(name=f"games/{game.id}", seats=game.seats[1], seed=SEED))
    position = start(game.id, game.seats[1], rng=SeededRng(SEED, 0))
    assert made_new.state.snapshot == msgpack.encode(position.state)
    moves = [position.legal_moves(position.to_act[0])[0]] * 2
    branches = [
        pb.Branch(
            snapshot=made_new.state.snapshot,
            moves=[pb.ActorMove(seat=position.to_act[0], move=move_message(game, move))],
        )
        for move in moves
    ]
    request = pb.ApplyMovesRequest(**named(game), branches=branches, seed=SEED)
    for number, branch in enumerate(apply_moves(request).branches):
        after = position.play(moves[number], position.to_act[0], SeededRng(SEED, number))
        assert branch.state.snapshot == msgpack.encode(after.state)
    assert apply_moves(request) == apply_moves(request)


@EACH_GAME
def test_play_outs_go_to_the_end_or_so_far_and_equal_requests_have_equal_answers(game: AnyGame) -> None:
    snapshots = [msgpack.encode(midgame(game)), msgpack.encode(play(game, game.seats[0], 1).first)]
    request = pb.PlayOutRequest(**named(game), snapshots=snapshots, count=3, seed=SEED)
    played = play_out(request).play_outs
    assert [one.index for one in played] == [0, 0, 0, 1, 1, 1]
    assert all(one.state.HasField("outcome") and one.decisions > 0 for one in played)
    assert len({one.state.snapshot for one in played}) > 1
    assert list(play_out(request).play_outs) == list(played)
    del request.snapshots[0]
    request.max_decisions = most = max(1, middle(game, game.seats[0], 4) // 2)
    for name in ("random", "greedy", "mcts:5"):
        request.player = name
        played = play_out(request).play_outs
        assert {one.decisions for one in played} == {most}
        assert not any(one.state.HasField("outcome") or one.state.chance_to_act for one in played)


@EACH_GAME
def test_players_and_views_do_not_depend_on_what_the_seat_cannot_know(game: AnyGame) -> None:
    compared = 0
    for number, state in enumerate(spread(play(game, game.seats[-1], 4).states, 25)):
        for seat in game.to_act(state):
            if seat == CHANCE:
                continue
            twin = game.redeal(state, seat, dice(6, number))
            request = pb.ReadStatesRequest(
                **named(game), snapshots=[msgpack.encode(state), msgpack.encode(twin)], view_of=seat
            )
            first, second = read_states(request).readings
            assert first.view == second.view
            assert [one for one in first.moves if one.seat == seat] == [one for one in second.moves if one.seat == seat]
            for name in ("random", "greedy", "mcts:5"):
                chosen = [_chooser(game, name, FastDice(dice(7, number)))(one, seat) for one in (state, twin)]
                assert chosen[0] == chosen[1]
            compared += state != twin
    assert (compared > 0) == (game.id != "kreta")


@EACH_GAME
def test_what_is_no_snapshot_is_refused_with_a_sentence(game: AnyGame) -> None:
    good = msgpack.encode(midgame(game))
    other = next(one for one in GAMES if one is not game)
    rubbish = Random(1).randbytes(1 << 20)
    nested = b"\x91" * 100_000
    for bad in (b"", good[:-1], good[: len(good) // 2], good + b"\0", rubbish, nested, msgpack.encode(midgame(other))):
        for ask in (
            lambda one: read_states(pb.ReadStatesRequest(**named(game), snapshots=[good, one])),
            lambda one: play_out(pb.PlayOutRequest(**named(game), snapshots=[good, one], seed=SEED)),
            lambda one: apply_moves(pb.ApplyMovesRequest(**named(game), branches=[pb.Branch(snapshot=one)])),
        ):
            with pytest.raises(EngineRefusal) as caught:
                ask(bad)
            assert caught.value.packed.name == "InvalidField"
            assert caught.value.packed.arguments[0] in ("snapshots[1]", "branches[0].snapshot")


def test_a_snapshot_larger_than_any_state_is_refused() -> None:
    """Caches of rules and codecs keep parts of states, so they would keep its long lists."""
    game = all_games()["small_islands"]
    for length, refused in ((100, False), (10_000, True)):
        snapshot = msgpack.encode(replace(midgame(game), gone=(1,) * length))
        request = pb.ReadStatesRequest(**named(game), snapshots=[snapshot], without_moves=True)
        if refused:
            with pytest.raises(EngineRefusal, match="bytes are not a snapshot of small_islands"):
                read_states(request)
        else:
            assert len(read_states(request).readings) == 1


def _spoiled(value: Any, rng: Random) -> Any:
    """A value of the same shape with one number in it changed, at random."""
    if isinstance(value, list) and value:
        at = rng.randrange(len(value))
        return [*value[:at], _spoiled(value[at], rng), *value[at + 1 :]]
    if isinstance(value, int) and not isinstance(value, bool):
        return rng.choice([-1, 0, 1, value + 1, 7, 99, 2**31, 2**62])
    return value


@EACH_GAME
def test_a_state_that_makes_no_sense_is_answered_or_refused_and_nothing_else(game: AnyGame) -> None:
    rng, refused = Random(2), list[str]()
    whole = msgpack.decode(msgpack.encode(midgame(game)))
    for _ in range(150):
        snapshots = [msgpack.encode(_spoiled(whole, rng))]
        try:
            read_states(pb.ReadStatesRequest(**named(game), snapshots=snapshots, view_of=0))
            play_out(pb.PlayOutRequest(**named(game), snapshots=snapshots, seed=SEED, max_decisions=5))
        except EngineRefusal as wrong:
            refused.append(wrong.packed.arguments[0])
    assert len(refused) > 10
    assert set(refused) <= {"snapshots[0]", "view_of"}


def test_a_play_out_that_never_ends_is_refused() -> None:
    """No seat has the start seat, so no round of Islas Canarias is ever complete."""
    game = all_games()["canarias"]
    endless = msgpack.encode(replace(midgame(game), start=99))
    with pytest.raises(EngineRefusal) as caught:
        play_out(pb.PlayOutRequest(**named(game), snapshots=[endless], seed=SEED))
    sentence = "This state cannot occur in canarias. Send a snapshot that the engine returned."
    assert str(caught.value.packed.error()) == f"snapshots[0]: {sentence}"


@EACH_GAME
def test_moves_that_cannot_be_made_are_refused_and_named(game: AnyGame) -> None:
    state = midgame(game)
    (seat, *_), seats = game.to_act(state), game.seats[0]
    listed = game.legal_moves(state, seat)
    good = pb.ActorMove(seat=seat, move=move_message(game, listed[0]))
    moves = [step.move for step in play(game, seats, 1).steps if step.actor != CHANCE]
    absent = next(move for move in moves if move not in listed)
    foreign = next(one for one in GAMES if one is not game)
    other_move = move_message(foreign, foreign.legal_moves(midgame(foreign), foreign.to_act(midgame(foreign))[0])[0])

    def received(*moves: pb.ActorMove, snapshot: bytes = msgpack.encode(state)) -> tuple[str, tuple[str, ...]]:
        branches = [pb.Branch(snapshot=snapshot, moves=moves)]
        with pytest.raises(EngineRefusal) as caught:
            apply_moves(pb.ApplyMovesRequest(**named(game), branches=branches))
        return caught.value.packed.name, caught.value.packed.arguments

    kind, words = received(pb.ActorMove(seat=seat, move=move_message(game, absent)))
    assert (kind, words[1].startswith("In branches[0].moves[0]: ")) == ("IllegalMove", True)
    assert "{" not in words[1]
    field = "branches[0].moves[0]"
    assert received(pb.ActorMove(seat=seat, move=other_move))[1][0] == f"{field}.move"
    assert received(pb.ActorMove(seat=seat))[1][0] == f"{field}.move"
    nobody = next(one for one in range(seats + 1) if one not in game.to_act(state))
    assert received(pb.ActorMove(seat=nobody, move=good.move))[1][0] == f"{field}.seat"
    assert received(pb.ActorMove(seat=CHANCE, move=good.move))[1][0] == f"{field}.seat"
    over = msgpack.encode(play(game, seats, 1).last)
    assert received(good, snapshot=over)[1][0] == field


def test_where_several_seats_decide_at_once_the_seat_is_named() -> None:
    game = all_games()["small_islands"]
    state = next(one for one in play(game, 4, 1).states if len(game.to_act(one)) > 1)
    seats, snapshot = game.to_act(state), msgpack.encode(state)
    moves = [move_message(game, game.legal_moves(state, seat)[0]) for seat in seats]
    unnamed = pb.Branch(snapshot=snapshot, moves=[pb.ActorMove(move=moves[0])])
    with pytest.raises(EngineRefusal) as caught:
        apply_moves(pb.ApplyMovesRequest(**named(game), branches=[unnamed]))
    assert caught.value.packed.arguments[0] == "branches[0].moves[0].seat"
    ways = [list(zip(seats, moves, strict=True)), list(zip(seats, moves, strict=True))[::-1]]
    branches = [
        pb.Branch(snapshot=snapshot, moves=[pb.ActorMove(seat=seat, move=move) for seat, move in way]) for way in ways
    ]
    first, second = apply_moves(pb.ApplyMovesRequest(**named(game), branches=branches)).branches
    assert first.state == second.state
    assert len(seats) > 1


def test_options_that_cannot_be_are_refused() -> None:
    game, other = GAMES[0], GAMES[1]
    foreign = write_options(other, other.options_type())
    with pytest.raises(EngineRefusal) as caught:
        new_state(pb.NewStateRequest(name=f"games/{game.id}", options=foreign))
    assert caught.value.packed.arguments[0] == "options"
    options = write_options(game, game.options_type())
    getattr(options, game.id).edition = "nowhere"
    with pytest.raises(EngineRefusal) as caught:
        new_state(pb.NewStateRequest(name=f"games/{game.id}", options=options))
    assert caught.value.packed.name == "BadOptions"


def test_a_refusal_of_the_engine_is_written_in_german() -> None:
    """The child process sends the message with its parameters, not its English text alone."""
    game = all_games()["kreta"]
    move = pb.ActorMove(move=payload_pb2.Move())
    getattr(move.move, game.id).SetInParent()
    branch = pb.Branch(snapshot=msgpack.encode(midgame(game)), moves=[move])
    with pytest.raises(EngineRefusal) as caught:
        apply_moves(pb.ApplyMovesRequest(**named(game), branches=[branch]))
    packed = msgpack.decode(msgpack.encode(caught.value.packed), type=PackedRefusal)
    error = packed.error()
    assert str(error) == "In branches[0].moves[0]: The move is empty. Set one of its kinds."
    assert translator("de").show(error.args[0]) == (
        "In branches[0].moves[0]: Der Zug ist leer. Setze eine seiner Arten."
    )
