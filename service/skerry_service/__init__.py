"""Skerry: island board games behind one gRPC API."""

__version__ = "0.1.0"
