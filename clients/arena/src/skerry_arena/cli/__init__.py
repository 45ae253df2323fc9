"""The commands that this distribution adds to ``skerry``: see the entry points in ``pyproject.toml``."""
