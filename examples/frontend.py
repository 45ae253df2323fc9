"""A frontend with its own users, in German: sign-in, "my games", games driven by webhooks alone, several devices."""

import os
import time
from collections import Counter
from functools import cache
from secrets import token_hex, token_urlsafe
from threading import Condition

import jwt  # pip install flask "pyjwt[crypto]"
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask, redirect, request
from flask import render_template_string as page
from flask import session as device  # a signed cookie
from werkzeug import Response

from skerry_client import Client, Seat, SkerryError, errors, webhooks

HERE = os.environ.get("FRONTEND", "127.0.0.1:8090")  # SKERRY_WEBHOOKS_ALLOW on the server lists it
KEY, KEY_ID = Ed25519PrivateKey.generate(), {"kid": token_hex(4)}
SIGN_IN = "<!doctype html><html lang=de><form method=post><input name=user><button>Anmelden</button></form>"
HEAD = """<!doctype html><html lang=de><title>Spiele</title><form method=post>
<script>new EventSource("/news?page={{ request.path }}&seen={{ seen }}").onmessage = () => location.reload()</script>"""
HOME = """<h1>Spiele von {{ user }}</h1><button>Neues Spiel</button>{% for game, turn in mine %}
<p><a href="/{{ game.name }}">{% for seat in game.seats %}{{ seat.display_name or "frei" }}{{ ", " if not loop.last -}}
{% endfor %}</a> {{ "– du bist am Zug" if turn.waits else game.outcome.reason }}</p>{% endfor %}"""
TABLE = """<p><a href="/">Alle Spiele</a></p>{{ table.picture().decode() | safe if table.last_position }}
{% for entry in entries %}{% for event in entry.moved.events %}<p>{{ event.text }}</p>{% endfor %}{% endfor %}
{% if game.HasField("outcome") %}<h2>{{ game.outcome.reason }} {{ game.outcome.scores | list }}</h2>
{% elif not table.last_position %}<p>Hier fehlt noch jemand.</p>
{% elif not seated %}<button>Hier weiterspielen</button>{% endif %}
{% for id, move in moves.items() %}<button name=move value="{{ id }}">{{ move.text }}</button>{% endfor %}"""
app = Flask(__name__)
app.config.update(SECRET_KEY=token_urlsafe(), SESSION_COOKIE_SAMESITE="Strict", MAX_CONTENT_LENGTH=65_536)
tokens: dict[tuple[str, str], str] = {}  # of the seats on each device, by its id and the path of the page
arrived, arrival = Counter[str](), Condition()  # how many webhooks each page has received


@cache
def client_of(user: str) -> Client:
    """Return the client of a user. It signs a new identity token when the last one has expired."""
    claims = {"iss": f"http://{HERE}", "aud": "skerry", "sub": user}
    return Client(language="de", identity=lambda: jwt.encode(claims | {"exp": time.time() + 300}, KEY, "EdDSA", KEY_ID))


@app.get("/keys")
def keys() -> dict[str, list[dict[str, str]]]:
    """Return the public key, with which Skerry verifies the identity tokens."""
    return {"keys": [jwt.algorithms.OKPAlgorithm.to_jwk(KEY.public_key(), as_dict=True) | KEY_ID]}


@app.before_request
def sign_in() -> str | Response | None:
    """Ask for the user. A real frontend checks a password here."""
    if user := request.form.get("user"):
        device.update(user=user, id=token_urlsafe())
        return redirect("/", 303)
    return None if "user" in device or request.path in ("/keys", "/webhook") else SIGN_IN


@app.route("/", methods=["GET", "POST"])
def home() -> str | Response:
    """Show the user's games, those that wait first. On POST, join a game with a free seat, or begin one."""
    client, seen = client_of(device["user"]), arrived["/"]
    mine = {game.name: (game, turn) for game, turn in client.my_sessions()}
    if request.method == "GET":
        return page(HEAD + HOME, seen=seen, user=device["user"], mine=mine.values())
    free = [game.name for game in client.sessions(state="lobby", label="frontend") if game.name not in mine]
    table = client.table(free[0]) if free else client.create("kreta", seats=2, labels={"frontend": "1"})
    tokens[device["id"], f"/{table.name}"] = table.join(device["user"]).token
    return redirect(f"/{table.name}", 303)


@app.route("/sessions/<table>", methods=["GET", "POST"])
def play(table: str) -> str | Response:
    """Show a table. On POST, make a move, or take the seat to this device."""
    client, seen, key = client_of(device["user"]), arrived[request.path], (device["id"], request.path)
    try:
        handle = client.seat(table, tokens[key]) if key in tokens else client.table(table)
    except errors.TokenInvalid:  # the user has taken the seat to another device
        tokens.pop(key, None)
        return redirect(request.path, 303)
    game, position = handle.session(), handle.last_position
    moves = {f"{position.sequence}-{n}": move for n, move in enumerate(position.legal_moves)} if position else {}
    if request.method == "GET":
        last = handle.entries(after=max(0, game.sequence - 3))
        return page(HEAD + TABLE, seen=seen, seated=key in tokens, game=game, table=handle, entries=last, moves=moves)
    if not isinstance(handle, Seat):  # the token on the user's other device becomes void
        tokens[key] = client.recover_seat(table).token
    elif move := moves.get(request.form.get("move", "")):  # none if the game has moved on
        handle.act(move)
    return redirect(request.path, 303)


@app.post("/webhook")
def receive() -> tuple[str, int]:
    """Wake the pages that a webhook is about."""
    _, event = webhooks.verify(request.get_data(), request.headers, SECRET)
    with arrival:
        arrived.update(["/", f"/{event.data.session}"])
        arrival.notify_all()
    return "", 204


@app.get("/news")
def news() -> Response:
    """Wait until a page has received a webhook."""
    with arrival:
        came = arrival.wait_for(lambda: str(arrived[request.args["page"]]) != request.args["seen"], 25)
    return Response("data: news\n\n" if came else "", mimetype="text/event-stream")


@app.errorhandler(SkerryError)
@app.errorhandler(webhooks.WebhookInvalid)
def explain(error: Exception) -> tuple[str, int]:
    """Show an error of the service in German, and reject webhooks of others."""
    return page("{{ error.localized_message or error }}", error=error), 400 if isinstance(error, SkerryError) else 401


if __name__ == "__main__":
    SECRET = Client().set_webhook_endpoint("frontend", f"http://{HERE}/webhook", rotate_secret=True)[1]
    app.run(HERE.rpartition(":")[0], int(HERE.rpartition(":")[2]))
