"""Certification of programs that use the API: a proxy injects faults between the program and a service.

This package knows gRPC calls as bytes, and the players and seats of ``remote``.
"""
