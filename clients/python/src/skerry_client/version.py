"""The version of this client. Its user agent has it."""

__version__ = "0.1.0"
