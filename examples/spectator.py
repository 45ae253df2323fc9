"""Prints the events of the given session, or of the newest public game in play, from its first move on."""

import sys

from skerry_client import Client

with Client() as skerry:  # the server at SKERRY_SERVER, else at 127.0.0.1:50051
    playing = skerry.sessions(state="playing")
    name = sys.argv[1] if len(sys.argv) > 1 else next((session.name for session in playing), None)
    if name is None:
        sys.exit("No public game is being played.")
    table = skerry.table(name)
    print("At the table:", *[seat.display_name for seat in table.session().seats], flush=True)
    for update in table.observe(after_sequence=0):  # past entries first, then new ones until the end
        for entry in update.entries:
            for event in entry.moved.events:
                print(event.text, flush=True)  # a pipe shows each event at once
