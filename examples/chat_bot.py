"""Posts each move to a chat, with a picture of the table: from webhooks and REST alone. Argument: sessions/ID."""

import hmac
import json
import os
import sys
import time
from base64 import b64decode, b64encode
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

SESSION = os.environ.get("SKERRY_HTTP", "http://127.0.0.1:8080") + "/v1/" + sys.argv[1]
HOST = {"Authorization": f"Bearer {os.environ['SKERRY_HOST_TOKEN']}", "Content-Type": "application/json"}
BOT = os.environ.get("BOT_ADDRESS", "127.0.0.1:8070")  # SKERRY_WEBHOOKS_ALLOW on the server lists it
CHAT = os.environ["CHAT_WEBHOOK"]  # a secret: its holders can post
LONGEST, MOST_SECONDS = 2_000, 60  # the characters of a message, and the wait before the next attempt
events = Queue[str]()


def send(url: str, body: bytes | None, headers: dict[str, str]) -> bytes:
    """Send a request and return the response. Wait while the receiver limits calls, fails or is away."""
    wait = 1.0
    while True:
        try:
            with urlopen(Request(url, body, headers), timeout=30) as response:
                return bytes(response.read())
        except HTTPError as error:
            if error.code not in (429, 500, *range(502, 600)):
                raise
            problem, after = f"HTTP {error.code}", error.headers.get("Retry-After", "")
        except (OSError, HTTPException) as error:
            problem, after = repr(error), ""
        pause = float(after) if after.replace(".", "", 1).isdecimal() else wait
        print(f"{problem} from {url.split('/')[2]}. Next attempt in {pause:g} s.", file=sys.stderr)
        time.sleep(pause)
        wait = min(2 * wait, MOST_SECONDS)


def shorten(words: str) -> str:
    """Return the first sentences that fit a message, or the first words of a longer sentence."""
    if len(words) <= LONGEST:
        return words
    fits = words[: LONGEST - 2]
    end = max(fits.rfind(mark) for mark in (". ", "! ", "? ")) + 1
    return f"{fits[:end] or fits.rpartition(' ')[0] or fits} …"


def post(words: str, picture: bytes) -> None:
    """Post words and a PNG, as Discord's webhooks take them. A player's name can mention nobody."""
    mark, message = uuid4().hex, json.dumps({"content": shorten(words), "allowed_mentions": {"parse": []}})
    part = f'--{mark}\r\nContent-Disposition: form-data; name="'
    head = f'{part}payload_json"\r\nContent-Type: application/json\r\n\r\n{message}\r\n'
    head += f'{part}files[0]"; filename="table.png"\r\nContent-Type: image/png\r\n\r\n'
    body = head.encode() + picture + f"\r\n--{mark}--\r\n".encode()
    agent = {"User-Agent": "skerry-chat-bot (example, 1.0)"}  # Discord rejects the name of Python's library
    send(CHAT, body, {"Content-Type": f"multipart/form-data; boundary={mark}"} | agent)


class Receiver(BaseHTTPRequestHandler):
    """Receives the session's webhooks, if their signatures are valid."""

    key = b""

    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers["Content-Length"]), 65_536))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
        expected = b"v1," + b64encode(hmac.digest(self.key, signed, "sha256"))
        genuine = hmac.compare_digest(expected, str(self.headers["webhook-signature"]).encode())
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if genuine:
            events.put(json.loads(body)["type"])


def main() -> None:
    """Register the webhook, and post each move until the game ends."""
    if "delay" in json.loads(send(SESSION, None, HOST))["session"]:  # the host sees the moves without it
        sys.exit(f"{sys.argv[1]} has a delay for spectators. This bot would post its moves at once.")
    server = ThreadingHTTPServer((BOT.partition(":")[0], int(BOT.partition(":")[2])), Receiver)
    hook = json.dumps({"url": f"http://{BOT}/", "events": ["WEBHOOK_EVENT_TURN", "WEBHOOK_EVENT_END"]}).encode()
    secret = json.loads(send(f"{SESSION}:setWebhook", hook, HOST))["secret"]
    Receiver.key = b64decode(secret.removeprefix("whsec_"))
    Thread(target=server.serve_forever, daemon=True).start()
    posted, event = int(json.loads(send(SESSION, None, HOST))["session"]["sequence"]), ""
    while event != "session.end":
        event = events.get()  # only a hint: the moves are in the replay
        for entry in json.loads(send(f"{SESSION}/replay", None, HOST))["replay"]["entries"]:
            if "moved" in entry and "seat" in entry and int(entry["sequence"]) > posted:
                posted = int(entry["sequence"])
                picture = send(f"{SESSION}/picture.png?sequence={posted}&width=800", None, HOST)
                post(" ".join(event["text"] for event in entry["moved"]["events"]), picture)


if __name__ == "__main__":
    main()
