"""The version of the distribution ``skerry-games``."""

__version__ = "0.1.0"
