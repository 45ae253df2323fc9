"""The games of a tournament report to the endpoints of the application that created it."""

from __future__ import annotations

from pathlib import Path

from skerry.v1 import tournament_pb2 as pb
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.ladders.bots import serving
from tests.webhooks.receivers import receiving


async def test_the_creator_gets_the_events_of_all_games(valkey: EmbeddedServer, tmp_path: Path) -> None:
    async with (
        receiving() as receiver,
        serving(valkey, tmp_path, webhooks_allow=(f"127.0.0.1:{receiver.port}",)) as service,
        service.client("ada") as ada,
        service.client("bob") as bob,
    ):
        await ada.set_webhook_endpoint("main", f"{receiver.url}&ada", events=["start", "end"])
        await bob.set_webhook_endpoint("main", f"{receiver.url}&bob")
        request = pb.CreateTournamentRequest(title="Cup", game="tenerife", seats=2)
        made, organizer = await ada.create_tournament(request)
        _, token = await bob.enter_tournament(made.name, "Bob")
        await bob.enter_tournament(made.name, "Cyd")
        await ada.start_tournament(made.name, organizer)
        first = await receiver.has(1)
        assert (first.type, first.data["game"], first.data["labels"]) == (
            "session.start",
            "tenerife",
            {"tournament": made.name.removeprefix("tournaments/")},
        )
        (seat, *_) = await bob.tournament_seats(made.name, 1, token)
        await seat.resign()
        while receiver.requests[-1].type != "session.end":
            await receiver.has(len(receiver.requests) + 1)
        assert {one.target.rpartition("&")[2] for one in receiver.requests} == {"ada"}
