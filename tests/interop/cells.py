"""Three cells, each a service with a store of its own, and a proxy in front of them with the shipped configuration."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from skerry_client import Client, tls_credentials
from tests.generators.workshop import ROOT
from tests.interop.nginx import AROUND, wait_until_open
from tests.interop.services import Service
from tests.store.replicated import free_ports
from tests.tls.authority import Authority

CELLS = ("eu1", "us1", "ap1")
"""In the order of the ports 50051, 50052 and 50053 of the shipped configurations. The first is the home."""
FIRST_PORT = 50051
PATIENCE = 20


class Cell:
    """One cell. It can be killed and started again on the same port and data."""

    def __init__(self, cell: str, port: int, folder: Path) -> None:
        self.cell = cell
        self.address = f"127.0.0.1:{port}"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("REDIS_", "SKERRY_"))}
        self._environment = {**kept, "SKERRY_CELL": cell, "SKERRY_TRUSTED_PROXIES": "127.0.0.1"}
        serve = ("serve", "--port", str(port), "--data-dir", str(folder / cell))
        self._command = [sys.executable, "-m", "skerry_service.cli", *serve]
        self._process: subprocess.Popen[str] | None = None

    def launch(self) -> None:
        """Start the service."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True, env=self._environment)

    def wait(self) -> None:
        """Wait until it listens."""
        assert self._process is not None and self._process.stdout is not None
        assert self._process.stdout.readline().startswith("Listening")

    def kill(self) -> None:
        """Kill the service and its store at once."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate(timeout=PATIENCE)
            self._process = None

    def stop(self) -> None:
        """Stop the service in order."""
        if self._process is not None:
            self._process.terminate()
            self._process.communicate(timeout=PATIENCE)


class Front(Service):
    """The address of the proxy."""

    @property
    def credentials(self) -> Any:
        """Return the credentials of the Python client."""
        assert self.authority is not None
        return tls_credentials(ca=self.authority)

    def client(self, **options: Any) -> Client:
        """Return a client of the proxy."""
        return Client(self.address, credentials=self.credentials, **options)


@contextmanager
def three_cells(folder: Path) -> Iterator[Mapping[str, Cell]]:
    """Run the cells; yield them by id."""
    with ExitStack() as stack:
        cells = {cell: Cell(cell, port, folder) for cell, port in zip(CELLS, free_ports(len(CELLS)), strict=True)}
        for cell in cells.values():
            stack.callback(cell.stop)
            cell.launch()
        for cell in cells.values():
            cell.wait()
        yield cells


@contextmanager
def behind_nginx(cells: Mapping[str, Cell], folder: Path) -> Iterator[Front]:
    """Run nginx in front of the cells; yield its address."""
    authority = Authority(folder)
    pem = authority.issue("proxy")
    (port,) = free_ports(1)
    shipped = (ROOT / "deploy/cells/nginx.conf").read_text(encoding="utf-8")
    configuration = _with_addresses(shipped, cells, "127.0.0.1:{}")
    assert "listen 443 " in configuration
    server = configuration.replace("listen 443 ", f"listen 127.0.0.1:{port} ")
    written = folder / "nginx.conf"
    written.write_text(AROUND.format(certificate=pem.certificate, key=pem.key, server=server), encoding="utf-8")
    command = ["nginx", "-p", str(folder), "-c", str(written), "-e", "stderr"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, text=True)
    try:
        wait_until_open(process, folder / "nginx.pid")
        yield Front(f"127.0.0.1:{port}", f"https://127.0.0.1:{port}", authority.file)
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _with_addresses(shipped: str, cells: Mapping[str, Cell], form: str) -> str:
    """Return a configuration with the addresses of the cells in place of the shipped ones."""
    for number, cell in enumerate(CELLS):
        documented = form.format(FIRST_PORT + number)
        assert documented in shipped
        shipped = shipped.replace(documented, cells[cell].address)
    return shipped
