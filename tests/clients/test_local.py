"""What is true of the local client alone: what it needs, and what it keeps."""

from __future__ import annotations

import gc
import subprocess
import sys
from threading import Thread

import pytest

from skerry_client import Seat, errors
from skerry_service import local
from tests.clients.play import SEED, play_to_the_end

FORGETFUL = """
import sys
from skerry_service import local

skerry = local.Client()
table = skerry.create("kreta", seats=2, bots=1)
updates, turns = table.observe(), table.join("Ada").turns()
print(next(updates).session.name == table.name, len(next(turns).legal_moves) > 0)
sys.exit(3)
"""


def test_a_program_ends_without_closing_its_client() -> None:
    run = subprocess.run([sys.executable, "-c", FORGETFUL], capture_output=True, text=True, timeout=30, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (3, "True True\n", "")


def test_a_finished_game_is_kept_as_long_as_a_handle_of_it() -> None:
    with local.Client() as skerry:
        table = skerry.create("kreta", seats=2, bots=2, seed=SEED)
        name = table.name
        again = skerry.table(name)
        del table
        assert again.replay().session.name == name
        assert [one.name for one in skerry.sessions(state="finished")] == [name]
        del again
        assert list(skerry.sessions()) == []
        with pytest.raises(errors.SessionNotFound):
            skerry.table(name)


def test_an_iteration_keeps_what_it_follows() -> None:
    with local.Client() as skerry:
        updates = skerry.create("kreta", seats=2, bots=2, seed=SEED).observe(after_sequence=0)
        skerry.games()
        assert len(list(updates)) == 1


def test_an_iteration_that_is_collected_ends_as_one_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a program holds one in a cycle, the garbage collector decides when it ends, in whatever thread it runs."""
    unraisable: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda received: unraisable.append(received.exc_value))
    with local.Client() as skerry:
        updates = skerry.create("kreta", seats=2).observe()
        next(updates)
        cycle: list[object] = [updates]
        cycle.append(cycle)
        del updates, cycle
        collecting = Thread(target=gc.collect)
        collecting.start()
        collecting.join(10)
        assert unraisable == []
        assert not collecting.is_alive()


def test_a_game_that_goes_on_is_kept_without_handles() -> None:
    with local.Client() as skerry:
        name, tokens = _begun(skerry)
        skerry.games()
        seats = [skerry.seat(name, token) for token in tokens]
        assert play_to_the_end(skerry.table(name), seats)
        assert seats[0].session().outcome.scores
        seats.clear()
        skerry.games()
        with pytest.raises(errors.SessionNotFound):
            skerry.table(name)


def _begun(skerry: local.Client) -> tuple[str, list[str]]:
    table = skerry.create("kreta", seats=2, seed=SEED)
    seats: list[Seat] = [table.join("Ada"), table.join("Bob")]
    return table.name, [seat.token for seat in seats]


def test_a_language_in_one_request_changes_no_other_call() -> None:
    with local.Client() as skerry:
        table = skerry.create("kreta", seats=2, bots=2, seed=SEED)
        assert "Punkte</text>" in table.picture(language="de").decode()
        assert "points</text>" in table.picture().decode()
