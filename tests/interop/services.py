"""The service that the clients of others call, and the games that they played there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry.v1.service_pb2_grpc import SkerryServiceStub
from tests.rest.processes import running
from tests.tls.authority import Authority

PLAIN = ("nghttp2", "grpcio")
SERVICES = (*PLAIN, "nghttp2-tls")
"""The gRPC servers that the fixture ``service`` runs."""


@dataclass(frozen=True)
class Service:
    """``address`` is that of gRPC, ``url`` that of HTTP, ``authority`` the file of the authority, if it uses TLS.

    ``games``: the games to play there.
    """

    address: str
    url: str
    authority: Path | None = None
    games: tuple[str, ...] = ("kreta",)

    @property
    def authority_argument(self) -> str:
        """Return the argument of the programs for ``authority``."""
        return str(self.authority or "")

    @property
    def games_argument(self) -> str:
        """Return the arguments of the programs for ``games``."""
        return " ".join(self.games)

    def expect_games(self, printed: Iterable[str], *, times: int = 1) -> None:
        """Check that a program played each of the games to its end, this many times.

        ``printed``: a line for each time, with the game, the session and the number of entries that were observed.
        """
        lines = [line.split() for line in printed]
        assert [game for game, _, _ in lines] == [game for game in self.games for _ in range(times)]
        self.expect_sessions({name: int(entries) for _, name, entries in lines})

    def expect_sessions(self, entries: dict[str, int]) -> None:
        """Check that sessions are finished, and how many entries they have."""
        with self._channel() as channel:
            stub = SkerryServiceStub(channel)
            for name, count in entries.items():
                session = stub.GetSession(api.GetSessionRequest(name=name)).session
                assert (session.state, session.sequence) == (session_pb2.SESSION_STATE_FINISHED, count)

    def _channel(self) -> grpc.Channel:
        if self.authority is None:
            return grpc.insecure_channel(self.address)
        return grpc.secure_channel(self.address, grpc.ssl_channel_credentials(self.authority.read_bytes()))


@contextmanager
def serving(*arguments: str, **fields: Any) -> Iterator[Service]:
    """Run the service. ``fields`` are those of the result that its greeting does not say."""
    with running(*arguments) as (url, greeting):
        yield Service(greeting[0].split()[2].rstrip(";"), url, **fields)


@contextmanager
def serving_tls(folder: Path) -> Iterator[Service]:
    """Run the service with a certificate."""
    authority = Authority(folder)
    pem = authority.issue("server")
    options = ("--tls-certificate", str(pem.certificate), "--tls-key", str(pem.key))
    with serving(*options, authority=authority.file) as service:
        yield service
