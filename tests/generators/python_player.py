"""Plays a game of Kreta with the client that openapi-python-client generates. Arguments: the client's folder, the URL.

It runs in the environment of the code generators, which has what the generated client imports.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

folder, url = Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(folder.parent))
package: Any = importlib.import_module(folder.name)
for module in pkgutil.walk_packages(package.__path__, f"{folder.name}."):
    importlib.import_module(module.name)


def call(name: str, path: dict[str, str], body: dict[str, Any] | None = None, token: str = "", **headers: str) -> Any:
    """Make a call; return its answer as the generated types hold it."""
    operation: Any = importlib.import_module(f"{folder.name}.api.sessions.{name}")
    client = package.AuthenticatedClient(url, token) if token else package.Client(url)
    sent = {} if body is None else {"body": getattr(body_module(name), body_name(name)).from_dict(body)}
    answer = operation.sync(**path, client=client, **sent, **headers)
    if not type(answer).__name__.endswith("Response"):
        sys.exit(f"{name}: {answer}")
    return answer


def body_name(name: str) -> str:
    """Return the class of the body of a call: ``JoinSessionBody``."""
    return "".join(word.capitalize() for word in name.split("_")) + "Body"


def body_module(name: str) -> Any:
    """Return the module of that class."""
    return importlib.import_module(f"{folder.name}.models.{name}_body")


created = call("create_session", {}, {"game": "kreta", "seats": [{}, {"occupant": "OCCUPANT_BOT"}], "clock": None})
session = {"session": created.session.name.removeprefix("sessions/")}
joined = call("join_session", session, {"displayName": "Ada", "seat": None}, idempotency_key=f'"{uuid4()}"')
moves = 0
while True:
    position = call("get_session", session, token=joined.seat_token).position
    if position.outcome:
        break
    move = position.to_dict()["legalMoves"][moves % len(position.legal_moves)]
    move = {name: value for name, value in move.items() if name not in ("text", "template")}
    body = {"move": move, "expectedSequence": position.sequence, "requestId": str(uuid4())}
    call("act", session, body, joined.seat_token)
    moves += 1
print(f"{moves} moves, ranks {position.outcome.ranks}")
