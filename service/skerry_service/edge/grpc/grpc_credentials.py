"""TLS for gRPC. Each connection starts with the certificate then in force."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import grpc

from skerry_service.access.certificates import Certificates, TlsMaterial


def is_usable(material: TlsMaterial) -> bool:
    """Return whether gRPC can use the material. It supports fewer kinds of keys than OpenSSL; only a trial shows it."""
    credentials = grpc.ssl_server_credentials(
        [(material.key, material.certificate)], material.client_ca, material.client_ca is not None
    )
    trial = grpc.server(ThreadPoolExecutor(1))
    try:
        trial.add_secure_port(f"unix-abstract:skerry-{uuid4()}", credentials)
    except RuntimeError:
        return False
    finally:
        trial.start()  # a server that never started keeps its socket
        trial.stop(None).wait()
    return True


def credentials_of(certificates: Certificates) -> grpc.ServerCredentials:
    """Return the credentials of a port. Clients need certificates if authorities are configured."""
    used = certificates.value

    def reload() -> grpc.ServerCertificateConfiguration | None:
        """Return the new material; ``None`` if unchanged. gRPC calls this before each handshake, in its own threads."""
        nonlocal used
        if certificates.value is used:
            return None
        used = certificates.value
        return _configuration(used)

    authenticated = used.client_ca is not None
    return grpc.dynamic_ssl_server_credentials(
        _configuration(used),
        reload,  # type: ignore[arg-type]  # the stubs omit None
        authenticated,
    )


def _configuration(material: TlsMaterial) -> grpc.ServerCertificateConfiguration:
    pairs = [(material.key, material.certificate)]
    return grpc.ssl_server_certificate_configuration(pairs, root_certificates=material.client_ca)
