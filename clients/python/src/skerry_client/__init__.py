"""Client of Skerry, a game service for island board games.

    from skerry_client import Client

    with Client("127.0.0.1:50051") as skerry:
        table = skerry.create("kreta", seats=2)
        ada, bob = table.join("Ada"), table.join("Bob")
        print(ada.position().legal_moves)

``AsyncClient`` is the same for asyncio, ``skerry_service.local`` the same without a server. ``skerry_client.errors``
lists the errors. Moves, views and events are the generated messages of ``skerry.v1`` and ``skerry.games``.
"""

from skerry_client import errors
from skerry_client.aio import AsyncClient
from skerry_client.errors import SkerryError
from skerry_client.handles import AsyncSeat, AsyncTable
from skerry_client.move_keys import move_key
from skerry_client.scene import apply_frame
from skerry_client.sync import Client, Seat, Table
from skerry_client.transport import Transport
from skerry_client.transport.tls import tls_credentials
from skerry_client.version import __version__

__all__ = [
    "AsyncClient",
    "AsyncSeat",
    "AsyncTable",
    "Client",
    "Seat",
    "SkerryError",
    "Table",
    "Transport",
    "__version__",
    "apply_frame",
    "errors",
    "move_key",
    "tls_credentials",
]
