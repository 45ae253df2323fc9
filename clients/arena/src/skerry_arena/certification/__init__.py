"""Certification: a player must cope with the faults of an arena or a service. Each check has a result.

This package certifies programs that exchange lines of JSON. It knows no service (see ``remote.certification``).
"""
