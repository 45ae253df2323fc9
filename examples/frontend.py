"""A frontend with its own users, in German: sign-in, "my games", games driven by webhooks alone, several devices."""

import hmac
import json
import os
import re
import time
from base64 import b64decode, b64encode
from collections import Counter
from email.message import Message
from html import escape
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_hex, token_urlsafe
from threading import Condition
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs
from urllib.request import Request, urlopen

import jwt  # pip install "pyjwt[crypto]"
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SKERRY = os.environ.get("SKERRY_HTTP", "http://127.0.0.1:8080") + "/v1/"
HERE = os.environ.get("FRONTEND", "127.0.0.1:8090")  # SKERRY_WEBHOOKS_ALLOW on the server lists it
KEY, KID = Ed25519PrivateKey.generate(), token_hex(4)
JWK = jwt.algorithms.OKPAlgorithm.to_jwk(KEY.public_key(), as_dict=True) | {"kid": KID}
SIGN_IN = "<form method=post action=/sign-in><input name=user><button>Anmelden</button></form>"
PAGE = """<!doctype html><html lang=de><title>Spiele</title>{}<script>(function wait() {{
  fetch('/news/{}{}').then(response => response.status == 200 ? location.reload() : wait())
}})()</script>"""
devices: dict[str, tuple[str, dict[str, str]]] = {}  # of each cookie: the user, and the tokens of the seats held there
arrived, arrival = Counter[str](), Condition()  # how many webhooks each page has received


def call(path: str, body: Any = None, user: str = "", token: str = "") -> Any:
    """Call Skerry in German, as a user or with the token of a seat. ``body``: of a POST."""
    headers = {"Accept-Language": "de", "Content-Type": "application/json", "X-API-Key": os.environ["SKERRY_API_KEY"]}
    if user:  # equal claims give an equal token, which Skerry verifies once
        claims = {"iss": f"http://{HERE}", "aud": "skerry", "sub": user, "name": user}
        until = time.time() // 300 * 300 + 600
        headers["Skerry-Identity"] = jwt.encode({**claims, "exp": until}, KEY, "EdDSA", {"kid": KID})
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(SKERRY + path, data, headers), timeout=30) as response:
        return response.read() if ".svg" in path else json.load(response)


def button(action: str, words: str, fields: str = "") -> str:
    """Return a form with nothing but a button."""
    return f'<form method=post action="/{action}">{fields}<button>{escape(words)}</button></form>'


def home(user: str) -> str:
    """Return the user's games, those that wait first, and the games with a free seat."""
    mine, free = call("sessions?mine=true", user=user), call("sessions?label=frontend&state=SESSION_STATE_LOBBY")
    page = f"<h1>Spiele von {escape(user)}</h1><p>{mine['waiting']} warten auf dich.</p>{button('new', 'Neues Spiel')}"
    for session, turn in zip(mine["sessions"], mine["turns"], strict=True):
        names = ", ".join(escape(seat.get("displayName") or "frei") for seat in session["seats"])
        page += f'<p><a href="/{session["name"]}">{names}</a>{" – du bist am Zug" if turn["waits"] else ""}</p>'
    others = {session["name"] for session in free["sessions"]} - {session["name"] for session in mine["sessions"]}
    return page + "".join(button(f"{name}/join", "Mitspielen") for name in others)


def table(name: str, tokens: dict[str, str]) -> str:
    """Return a picture of the table, the last events, and a button for each legal move."""
    try:
        got = call(name, token=tokens.get(name, ""))
    except HTTPError as error:
        if error.code != 401 or not tokens.pop(name, ""):  # else: the user plays on another device
            raise
        return table(name, tokens)
    session, position, token = got["session"], got.get("position", {}), tokens.get(name, "")
    page = '<p><a href="/">Alle Spiele</a></p>' + (f'<img src="/{name}/picture.svg" width=900>' if position else "")
    last = call(f"{name}/entries?afterSequence={max(0, int(session['sequence']) - 3)}", token=token)["entries"]
    events = [event for entry in last for event in entry.get("moved", {}).get("events", [])]
    page += "".join(f"<p>{escape(event['text'])}</p>" for event in events)
    if "outcome" in session:
        return page + f"<h2>{escape(session['outcome']['reason'])} {session['outcome']['scores']}</h2>"
    at = f"<input type=hidden name=sequence value={position.get('sequence')}><input type=hidden name=move value="
    moves = [button(f"{name}/act", move["text"], f"{at}{n}>") for n, move in enumerate(position.get("legalMoves", []))]
    return page + ("".join(moves) if token else button(f"{name}/recover", "Hier weiterspielen"))


def receive(headers: Message, body: bytes) -> bool:
    """Wake the pages that a webhook is about. Return whether its signature is valid."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + b64encode(hmac.digest(SECRET, signed, "sha256")).decode()
    if not any(hmac.compare_digest(expected, one) for one in headers.get("webhook-signature", "").split()):
        return False
    with arrival:
        arrived.update(["/", f"/{json.loads(body)['data'].get('session')}"])
        arrival.notify_all()
    return True


class Frontend(BaseHTTPRequestHandler):
    """The pages of the users, the keys of the issuer, and the receiver of the webhooks."""

    def reply(self, body: str | bytes, status: int = 200, kind: str = "text/html; charset=utf-8", **more: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Cache-Control": "no-store", **more}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body.encode() if isinstance(body, str) else body)

    def do_GET(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 65_536))
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get("device")
        user, tokens = devices.get(cookie.value if cookie else "", ("", {}))
        try:
            if self.path == "/keys":
                self.reply(json.dumps({"keys": [JWK]}), kind="application/json")
            elif self.path == "/webhook":
                self.reply("", 204 if receive(self.headers, body) else 401)
            elif self.command == "POST":
                self.submit({name: values[0] for name, values in parse_qs(body.decode()).items()}, user, tokens)
            else:
                self.show(user, tokens)
        except HTTPError as error:
            details = json.load(error)["error"]["details"]
            self.reply(escape(next((one["message"] for one in details if "message" in one), str(error))), error.code)

    do_POST = do_GET  # noqa: N815 (the name is that of the standard library)

    def show(self, user: str, tokens: dict[str, str]) -> None:
        seen, path = arrived[self.path], re.fullmatch(r"/(?:news/(\d+)/)?(sessions/\w+|)(/picture.svg)?", self.path)
        if not user or not path:
            self.reply(SIGN_IN, 404 if user else 200)
        elif path[1]:
            with arrival:
                news = arrival.wait_for(lambda: arrived[f"/{path[2]}"] > int(path[1]), 25)
            self.reply("", 200 if news else 204)
        elif path[3]:
            self.reply(call(self.path[1:], token=tokens.get(path[2], "")), kind="image/svg+xml")
        else:
            self.reply(PAGE.format(table(path[2], tokens) if path[2] else home(user), seen, self.path))

    def submit(self, form: dict[str, str], user: str, tokens: dict[str, str]) -> None:
        path = re.fullmatch(r"/(sessions/\w+)/(join|recover|act)|/(sign-in|new)", self.path)
        name, verb = (path[1] or "", path[2] or path[3]) if path else ("", "")
        if verb == "sign-in" and form.get("user"):  # a real frontend checks a password here
            devices[cookie := token_urlsafe()] = (form["user"], {})
            self.reply("", 303, Location="/", Set_Cookie=f"device={cookie}; HttpOnly; SameSite=Strict")
            return
        if user and verb == "new":
            new = call("sessions", {"game": "kreta", "seats": [{}, {}], "labels": {"frontend": "1"}})
            name, verb = new["session"]["name"], "join"
        if user and verb in ("join", "recover"):  # RecoverSeat makes the token on the user's other device void
            tokens[name] = call(f"{name}:{verb}", {}, user)["seatToken"]
        if verb == "act" and name in tokens:
            position = call(name, token=tokens[name])["position"]
            for number, move in enumerate(position["legalMoves"]):
                if (form.get("sequence"), form.get("move")) == (position["sequence"], str(number)):
                    call(f"{name}:act", {"move": move, "expectedSequence": position["sequence"]}, token=tokens[name])
        self.reply("", 303, Location=f"/{name}")


if __name__ == "__main__":
    hook = {"url": f"http://{HERE}/webhook", "rotateSecret": True}
    SECRET = b64decode(call("webhookEndpoints/frontend:set", hook)["secret"].removeprefix("whsec_"))
    host, _, port = HERE.rpartition(":")
    ThreadingHTTPServer((host, int(port)), Frontend).serve_forever()
