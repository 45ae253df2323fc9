"""An authority of the tests' own, and the files that it fills."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import trustme

HOST = "127.0.0.1"


@dataclass(frozen=True)
class Pem:
    """Where the files of a server or a client stand."""

    certificate: Path
    key: Path


class Authority:
    """Signs certificates, and keeps them in a folder."""

    def __init__(self, folder: Path, name: str = "ca") -> None:
        self._made = trustme.CA(key_type=trustme.KeyType.ECDSA)
        self._folder = folder
        self.file = folder / f"{name}.pem"
        self._made.cert_pem.write_to_path(self.file)

    def issue(self, name: str, host: str = HOST, not_after: datetime | None = None) -> Pem:
        """Write a certificate and its key under this name, in place of those that were there."""
        leaf = self._made.issue_cert(host, not_after=not_after, key_type=trustme.KeyType.ECDSA)
        pem = Pem(self._folder / f"{name}.crt", self._folder / f"{name}.key")
        put(pem.certificate, b"".join(one.bytes() for one in leaf.cert_chain_pems))
        put(pem.key, leaf.private_key_pem.bytes())
        return pem


def put(path: Path, data: bytes) -> None:
    """Write a file in one step, as tools that renew certificates do."""
    beside = path.with_suffix(".new")
    beside.write_bytes(data)
    os.replace(beside, path)
