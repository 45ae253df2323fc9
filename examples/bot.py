"""A bot in 30 lines: joins the given session, or a new one with another bot, and plays Kreta."""

import sys
from random import choice

from skerry.v1.payload_pb2 import Move
from skerry_client import Client

LIKES = ["build_fort", "build_village", "harvest", "recruit", "place_ship", "march"]


def eagerness(move: Move) -> int:
    """Return how much the bot likes a move. It prefers building to waiting."""
    kind = move.kreta.WhichOneof("kind")
    return len(LIKES) - LIKES.index(kind) if kind in LIKES else 0


with Client() as skerry:  # the server at SKERRY_SERVER, else at 127.0.0.1:50051
    table = skerry.table(sys.argv[1]) if len(sys.argv) > 1 else skerry.create("kreta", seats=2, bots=1)
    me = table.join("Busy bee")
    for position in me.turns():  # each time it owes a decision, until the game is over
        best = max(map(eagerness, position.legal_moves))
        me.act(choice([move for move in position.legal_moves if eagerness(move) == best]))
    outcome = table.session().outcome
    print(f"Busy bee has {outcome.scores[me.number]} points and comes in as number {outcome.ranks[me.number]}.")
