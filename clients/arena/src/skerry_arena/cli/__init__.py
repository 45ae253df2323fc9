"""The commands that this distribution adds to ``skerry`` (see the entry points in ``pyproject.toml``).

A ``*_command`` module declares the options of a command; its ``*_actions`` module, which takes long to import, does the
work. This package alone knows terminals and exit codes.
"""
