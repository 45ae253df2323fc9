"""An issuer of identity tokens, with keys of every kind, and a server of its key set."""

from __future__ import annotations

import json
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

ISS = "https://login.example"
AUDIENCE = "skerry-tests"
ALGORITHMS = ("EdDSA", "ES256", "RS256")


@cache
def private_key(kid: str) -> Any:
    """Return the private key with this id. Its first part is the algorithm: ``EdDSA-1``."""
    match kid.partition("-")[0]:
        case "EdDSA":
            return ed25519.Ed25519PrivateKey.generate()
        case "ES256":
            return ec.generate_private_key(ec.SECP256R1())
        case _:
            return rsa.generate_private_key(65537, 2048)


def public_jwk(kid: str) -> dict[str, Any]:
    """Return the public key with this id."""
    of_kind: Any = {"EdDSA": OKPAlgorithm, "ES256": ECAlgorithm, "RS256": RSAAlgorithm}[kid.partition("-")[0]]
    return {**of_kind.to_jwk(private_key(kid).public_key(), as_dict=True), "kid": kid}


def token(subject: str = "ada", kid: str = "EdDSA-1", **changed: Any) -> str:
    """Return a token for a subject. ``changed``: other claims; ``None`` leaves a claim out."""
    claims = {"iss": ISS, "aud": AUDIENCE, "sub": subject, "exp": time.time() + 600} | changed
    kept = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(kept, private_key(kid), kid.partition("-")[0], headers={"kid": kid})


def unsigned(header: Any, claims: Any, signature: bytes = b"") -> str:
    """Return a token made by hand."""
    parts = (json.dumps(header).encode(), json.dumps(claims).encode(), signature)
    return ".".join(urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


def issuer_entry(**changed: Any) -> dict[str, Any]:
    """Return the entry of the issuer in the file. ``None`` leaves a member out."""
    entry = {
        "iss": ISS,
        "audiences": [AUDIENCE],
        "algorithms": list(ALGORITHMS),
        "keys": [public_jwk(f"{one}-1") for one in ALGORITHMS],
    } | changed
    return {name: value for name, value in entry.items() if value is not None}


def write_issuers(path: Path, *entries: dict[str, Any]) -> Path:
    """Write a file of issuers; return its path."""
    path.write_text(json.dumps({"issuers": entries or [issuer_entry()]}))
    return path


class KeySetServer:
    """Serves a key set over HTTP on loopback."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.body = b""
        self.status = 200
        self.requests = 0
        self.pause_seconds = 0.0
        """The pause before each byte of the document; 0: it is sent at once."""

    def offer(self, *kids: str) -> None:
        """Serve these keys."""
        self.body, self.status = json.dumps({"keys": [public_jwk(kid) for kid in kids]}).encode(), 200

    def parts(self) -> Iterator[bytes]:
        """Yield the parts in which the document is sent."""
        if not self.pause_seconds:
            yield self.body
            return
        for byte in self.body:
            time.sleep(self.pause_seconds)
            yield bytes([byte])


@contextmanager
def key_set_server() -> Iterator[KeySetServer]:
    """Run a server of key sets."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            offered.requests += 1
            self.send_response(offered.status)
            if offered.status == 302:
                self.send_header("location", f"{offered.url}/elsewhere")
            self.send_header("content-length", str(len(offered.body)))
            self.end_headers()
            with suppress(ConnectionError):
                for part in offered.parts():
                    self.wfile.write(part)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    offered = KeySetServer(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield offered
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
