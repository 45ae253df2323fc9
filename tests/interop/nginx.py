"""nginx in front of the service, with the configuration that the documents recommend."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.generators.workshop import GRPC, HTTP, blocks
from tests.interop.services import Service
from tests.store.replicated import free_ports
from tests.tls.authority import Authority

PAGE = "how-to/operations.md"
AROUND = """
daemon off;
master_process off;
pid nginx.pid;
events {{}}
http {{
    access_log off;
    client_body_temp_path client_body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    ssl_certificate {certificate};
    ssl_certificate_key {key};
    {server}
}}
"""
PATIENCE = 20
"""Seconds until nginx listens."""


@contextmanager
def proxying(service: Service, folder: Path) -> Iterator[Service]:
    """Run nginx; yield the service behind it. Both protocols have one address, with TLS."""
    authority = Authority(folder)
    pem = authority.issue("proxy")
    (port,) = free_ports(1)
    (server,) = blocks(PAGE, "nginx")
    for documented, actual in {
        "listen 443 ": f"listen 127.0.0.1:{port} ",
        GRPC: service.address,
        HTTP: service.url,
    }.items():
        assert documented in server
        server = server.replace(documented, actual)
    configuration = folder / "nginx.conf"
    configuration.write_text(AROUND.format(certificate=pem.certificate, key=pem.key, server=server), encoding="utf-8")
    command = ["nginx", "-p", str(folder), "-c", str(configuration), "-e", "stderr"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        wait_until_open(process, folder / "nginx.pid")
        yield Service(f"127.0.0.1:{port}", f"https://127.0.0.1:{port}", authority.file)
    finally:
        process.terminate()
        _, errors = process.communicate(timeout=PATIENCE)
    assert errors == ""


def wait_until_open(process: subprocess.Popen[str], pid: Path) -> None:
    """Wait for the file that nginx writes when it listens."""
    until = time.monotonic() + PATIENCE
    while not pid.exists():
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < until
        time.sleep(0.02)
