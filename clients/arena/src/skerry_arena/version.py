"""The version of the distribution ``skerry-arena``."""

__version__ = "0.1.0"
