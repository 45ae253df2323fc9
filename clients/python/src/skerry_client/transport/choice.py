"""The choice of a client's transport."""

from __future__ import annotations

from functools import partial
from ssl import SSLContext
from typing import Literal

import grpc

from skerry_client.transport.auto_transport import AutoTransport
from skerry_client.transport.call_headers import NO_HEADERS, CallHeaders
from skerry_client.transport.http_address import HttpAddress
from skerry_client.transport.interface import Transport
from skerry_client.transport.tls import TlsCredentials, credentials_from_environment
from skerry_client.transport.tracing import connect_transport_to, grpc_transport_to

TransportName = Literal["auto", "connect", "grpc"]
Credentials = TlsCredentials | SSLContext | grpc.ChannelCredentials


def transport_to(
    server: str,
    name: TransportName,
    credentials: Credentials | None,
    headers: CallHeaders = NO_HEADERS,
) -> Transport:
    """Return a transport to an address. Raises TypeError, ValueError for arguments that do not fit each other."""
    given = credentials or credentials_from_environment()
    if isinstance(given, grpc.ChannelCredentials) or (name == "auto" and HttpAddress.parse(server) is None):
        name = "grpc" if name == "auto" else name
    if name == "grpc":
        if isinstance(given, SSLContext):
            raise TypeError("credentials: Pass those of tls_credentials() for gRPC, not an ssl.SSLContext.")
        channel = given.channel_credentials() if isinstance(given, TlsCredentials) else given
        return grpc_transport_to(server, channel, headers)
    if isinstance(given, grpc.ChannelCredentials):
        raise TypeError("credentials: Pass those of tls_credentials() or an ssl.SSLContext for Connect.")
    connect = connect_transport_to(server, given, headers)
    if name == "connect" or isinstance(given, SSLContext):
        return connect
    channel = None if given is None else given.channel_credentials()
    return AutoTransport(connect, partial(grpc_transport_to, server, channel, headers))
