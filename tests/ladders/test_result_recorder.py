"""Recording results into a store in memory."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import Outcome
from skerry_games.catalogue import all_games
from skerry_service.domain.record import Occupant, Phase, SeatRecord
from skerry_service.ladders import ladder_records as stored
from skerry_service.ladders.ladder_records import LadderSeatRecord, OpenGame
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.ladders.result_recorder import ResultRecorder
from skerry_service.sessions.resources.field_values import replacing
from skerry_service.sessions.resources.memory_resources import MemoryResources
from skerry_service.sessions.resources.resource_port import FieldChange
from tests.sessions.records import new_record

SEATS = (LadderSeatRecord("alpha/1", "alpha"), LadderSeatRecord("beta/1", "beta"))
GAME = OpenGame("abcdefghijklmnop", 1, SEATS, 1, 1, "block", creation=b"request")


async def test_a_game_is_recorded_over_damaged_entrants_and_pairs() -> None:
    data = LadderData(MemoryResources())
    damaged = [FieldChange("entrants.1", b"alpha/1", b"\xc1"), FieldChange("pairs.1", b"alpha/1|beta/1", b"\xc1")]
    await data.change("l", [replacing(stored.GAMES, GAME.session, None, GAME), *damaged])
    seats = tuple([SeatRecord(Occupant.PLAYER, one.name) for one in SEATS])
    lobby = new_record(all_games()["tenerife"], seats, bytes(32))
    finished = replace(lobby, phase=Phase.FINISHED, outcome=Outcome((1, 2), (7, 3), "It is over."))
    await ResultRecorder(data).record("l", GAME, finished, 2, 2)
    assert not await data.games("l")
    assert {name: (one.games, one.points) for name, one in (await data.entrants("l", 1)).items()} == {
        "alpha/1": (1, 1.0),
        "beta/1": (1, 0.0),
    }
    assert (await data.pairs("l", 1))["alpha/1", "beta/1"].wins == 1
