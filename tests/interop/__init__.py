"""Clients and proxies of others, against the service in a process of its own.

``make interop`` installs what they need. Elsewhere, a test whose programs are missing is skipped.
"""
