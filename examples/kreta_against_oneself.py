"""Plays both seats of a game of Kreta with random moves."""

from random import choice

from skerry_client import Client

with Client() as skerry:  # the server at SKERRY_SERVER, or 127.0.0.1:50051
    table = skerry.create("kreta", seats=2)
    seats = [table.join("Ada"), table.join("Bob")]
    while to_act := table.position().to_act:
        seat = seats[to_act[0]]
        move = choice(seat.position().legal_moves)
        print(f"Seat {seat.number}: {move.text}")
        seat.act(move)
    print(table.session().outcome.reason, *table.session().outcome.scores)
