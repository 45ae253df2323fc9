"""Transports: one attempt at a call, over Connect, over gRPC, or into the service's own code.

This package knows messages, RPC names, TLS and tracing. It knows nothing of retries, handles or games.
"""

from skerry_client.transport.interface import Exchange, SupportsFindMatch, SupportsLadders, SupportsPlay, Transport
from skerry_client.transport.rpcs import A, Method, Q

__all__ = ["A", "Exchange", "Method", "Q", "SupportsFindMatch", "SupportsLadders", "SupportsPlay", "Transport"]
