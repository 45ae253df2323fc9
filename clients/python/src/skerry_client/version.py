"""The version of this client, as it tells servers."""

__version__ = "0.1.0"
