"""TLS for gRPC: the certificate that is in force when a connection begins."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import grpc

from skerry_service.access.certificates import Certificates, TlsMaterial


def is_usable(material: TlsMaterial) -> bool:
    """Whether gRPC can listen with it: it has fewer kinds of keys than OpenSSL, and does not tell otherwise."""
    credentials = grpc.ssl_server_credentials(
        [(material.key, material.certificate)], material.client_ca, material.client_ca is not None
    )
    trial = grpc.server(ThreadPoolExecutor(1))
    try:
        trial.add_secure_port(f"unix-abstract:skerry-{uuid4()}", credentials)
    except RuntimeError:
        return False
    finally:
        trial.start()  # one that has not begun keeps its socket for good
        trial.stop(None).wait()
    return True


def credentials_of(certificates: Certificates) -> grpc.ServerCredentials:
    """Return what a port listens with. Clients need certificates if there are authorities for them."""
    given = certificates.value

    def changed() -> grpc.ServerCertificateConfiguration | None:
        """gRPC asks before each handshake, from threads of its own, and goes on with what it has for ``None``."""
        nonlocal given
        if certificates.value is given:
            return None
        given = certificates.value
        return _configuration(given)

    authenticated = given.client_ca is not None
    return grpc.dynamic_ssl_server_credentials(
        _configuration(given),
        changed,  # type: ignore[arg-type]  # its types leave None out
        authenticated,
    )


def _configuration(material: TlsMaterial) -> grpc.ServerCertificateConfiguration:
    pairs = [(material.key, material.certificate)]
    return grpc.ssl_server_certificate_configuration(pairs, root_certificates=material.client_ca)
