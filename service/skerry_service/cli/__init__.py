"""The command line: ``skerry serve``, ``play``, ``verify``, ``games``, ``rules``, ``protos``, ``health``."""

import os

# gRPC's core writes lines of its own to stderr. What matters of them is raised, and told as this program tells it.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from skerry_service.cli.app import main

__all__ = ["main"]
