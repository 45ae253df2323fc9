"""Three cells, each a service with a store of its own, and a proxy in front of them with the shipped configuration."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from skerry_client import Client, tls_credentials
from tests.generators.workshop import ROOT
from tests.interop.nginx import AROUND, wait_until_open
from tests.interop.services import Service
from tests.store.replicated import free_ports
from tests.tls.authority import Authority, Pem

CELLS = ("eu1", "us1", "ap1")
"""In the order of the ports 50051, 50052 and 50053 of the shipped configurations. The first is the home."""
FIRST_PORT = 50051
PATIENCE = 20
ENVOY = ROOT / "build/envoy/envoy/_bin/envoy"


class Cell:
    """One cell. It can be killed and started again on the same port and data."""

    def __init__(self, cell: str, port: int, folder: Path, peers: str = "") -> None:
        """``peers``: the value of ``SKERRY_PEERS``."""
        self.cell = cell
        self.port, self.address = port, f"127.0.0.1:{port}"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("REDIS_", "SKERRY_"))}
        settings = {"SKERRY_CELL": cell, "SKERRY_PEERS": peers, "SKERRY_TRUSTED_PROXIES": "127.0.0.1"}
        self._environment = {**kept, **settings}
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
    def port(self) -> int:
        """Return its port."""
        return int(self.address.rpartition(":")[2])

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
        ports = dict(zip(CELLS, free_ports(len(CELLS)), strict=True))
        peers = ",".join(f"{cell}=http://127.0.0.1:{port}" for cell, port in ports.items())
        cells = {cell: Cell(cell, port, folder, peers) for cell, port in ports.items()}
        for cell in cells.values():
            stack.callback(cell.stop)
            cell.launch()
        for cell in cells.values():
            cell.wait()
        yield cells


@contextmanager
def behind_nginx(cells: Mapping[str, Cell], folder: Path) -> Iterator[Front]:
    """Run nginx in front of the cells; yield its address."""
    front, pem = _front(folder)
    configuration = _with_addresses("nginx.conf", cells, "127.0.0.1:{}", lambda cell: cell.address)
    server = _replaced(
        configuration,
        {
            "listen 443 ": f"listen {front.address} ",
            "/etc/nginx/tls.crt": str(pem.certificate),
            "/etc/nginx/tls.key": str(pem.key),
        },
    )
    written = folder / "nginx.conf"
    written.write_text(AROUND.format(certificate=pem.certificate, key=pem.key, server=server), encoding="utf-8")
    with _running("nginx", "-p", str(folder), "-c", str(written), "-e", "stderr") as process:
        wait_until_open(process, folder / "nginx.pid")
        yield front


@contextmanager
def behind_envoy(cells: Mapping[str, Cell], folder: Path) -> Iterator[Front]:
    """Run Envoy in front of the cells; yield its address."""
    front, pem = _front(folder)
    configuration = _with_addresses("envoy.yaml", cells, "port_value: {}}}", lambda cell: f"port_value: {cell.port}}}")
    replacements = {
        "address: 0.0.0.0, port_value: 443": f"address: 127.0.0.1, port_value: {front.port}",
        "/etc/envoy/tls.crt": str(pem.certificate),
        "/etc/envoy/tls.key": str(pem.key),
    }
    written = folder / "envoy.yaml"
    written.write_text(_replaced(configuration, replacements), encoding="utf-8")
    with _running(str(ENVOY), "-c", str(written), "--concurrency", "1", "--use-dynamic-base-id") as process:
        _wait_until_connected(process, front.port)
        yield front


def _front(folder: Path) -> tuple[Front, Pem]:
    """Return the address of a proxy with a certificate, and its files."""
    authority, (port,) = Authority(folder), free_ports(1)
    front = Front(f"127.0.0.1:{port}", f"https://127.0.0.1:{port}", authority.file)
    return front, authority.issue("proxy")


@contextmanager
def _running(*command: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, text=True)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _wait_until_connected(process: subprocess.Popen[str], port: int) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.02)


def _with_addresses(name: str, cells: Mapping[str, Cell], form: str, actual: Callable[[Cell], str]) -> str:
    """Return a shipped configuration with the addresses of the cells in place of the documented ones.

    ``form``: how it writes an address, with a placeholder for the port.
    """
    configuration = (ROOT / "deploy/cells" / name).read_text(encoding="utf-8")
    addresses = {form.format(FIRST_PORT + number): actual(cells[cell]) for number, cell in enumerate(CELLS)}
    return _replaced(configuration, addresses)


def _replaced(configuration: str, actual: Mapping[str, str]) -> str:
    """Replace the documented values by actual ones. Each must be there."""
    for documented, value in actual.items():
        assert documented in configuration
        configuration = configuration.replace(documented, value)
    return configuration
