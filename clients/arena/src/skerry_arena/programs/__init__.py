"""Players that are programs: processes that exchange lines of JSON with the arena.

This package knows processes, the line protocol and limits of time, memory and files. It knows no service and no log.
"""
