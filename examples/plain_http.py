"""Plays a game of Kreta against a bot with nothing but HTTP and JSON, and Python's standard library."""

import json
import os
from random import choice
from typing import Any
from urllib.request import Request, urlopen

API = os.environ.get("SKERRY_HTTP", "http://127.0.0.1:8080") + "/v1/"


def call(path: str, body: Any = None, token: str = "") -> Any:
    """Return the response to a POST of ``body``, or to a GET if there is no body."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(API + path, data, headers), timeout=10) as answer:
        return json.load(answer)


created = call("sessions", {"game": "kreta", "seats": [{}, {"occupant": "OCCUPANT_BOT"}]})
table = created["session"]["name"]
token = call(f"{table}:join", {"displayName": "Ada"})["seatToken"]
position = call(table, token=token)["position"]
while moves := position.get("legalMoves"):  # the bot moves at once, so it is always Ada's turn
    move = choice(moves)
    print(move["text"])
    act = {"move": move, "expectedSequence": position["sequence"], "view": "POSITION_VIEW_FULL"}
    position = call(f"{table}:act", act, token)["position"]
print(position["outcome"]["reason"], *position["outcome"]["scores"])
