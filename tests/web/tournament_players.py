"""A tournament on a server of the page, and players that play it with the Python client."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random

from msgspec import Struct

from skerry.v1 import tournament_pb2 as pb
from skerry_client import Client, Seat
from skerry_client.errors import FailedPrecondition
from tests.web.ladder_bots import PATIENCE
from tests.web.server_process import Server


class Cup(Struct):
    """A tournament, and the token of its organizer."""

    server: Server
    name: str
    organizer: str
    code: str = ""
    """The join code. Empty: none is required."""

    @property
    def path(self) -> str:
        """The path of its page."""
        return f"/{self.name}"

    def enter(self, *names: str) -> list[Player]:
        """Enter players."""
        with self.server.client() as client:
            return [Player(self, *client.enter_tournament(self.name, name, join_code=self.code)) for name in names]

    def start(self) -> None:
        """Start the tournament."""
        with self.server.client() as client:
            client.start_tournament(self.name, self.organizer)

    def read(self) -> pb.GetTournamentResponse:
        """Return the tournament with its standings."""
        with self.server.client() as client:
            return client.tournament(self.name)


class Player(Struct):
    """An entrant of a tournament."""

    cup: Cup
    number: int
    token: str

    def seats(self, client: Client) -> list[Seat]:
        """Return the seats of the next games. Empty when the tournament is over."""
        return client.tournament_seats(self.cup.name, self.number, self.token, wait_for=PATIENCE)


def create_cup(
    server: Server, title: str, form: pb.TournamentFormat.ValueType, *, join_code_required: bool = False
) -> Cup:
    """Create a tournament of two-seat Tenerife games."""
    with server.client() as client:
        request = pb.CreateTournamentRequest(title=title, game="tenerife", seats=2, format=form)
        request.games_at_once = 2
        request.join_code_required = join_code_required
        made, organizer = client.create_tournament(request)
        return Cup(server, made.name, organizer, client.tournament(made.name, organizer).join_code)


def play(players: Sequence[Player], *, resigning: Sequence[int] = ()) -> None:
    """Let players play to the end of their tournament with random moves. Those with numbers in ``resigning`` resign."""
    with ThreadPoolExecutor(len(players)) as threads:
        for done in [threads.submit(_play, player, player.number in resigning) for player in players]:
            done.result()


def _play(player: Player, resigns: bool) -> None:
    with player.cup.server.client() as client:
        while seats := player.seats(client):
            for seat in seats:
                with suppress(FailedPrecondition):  # the game has ended, and is not recorded yet
                    _play_game(seat, resigns, Random(player.number))


def _play_game(seat: Seat, resigns: bool, random: Random) -> None:
    if resigns:
        seat.resign()
        return
    for position in seat.turns():
        seat.act(random.choice(position.legal_moves))
