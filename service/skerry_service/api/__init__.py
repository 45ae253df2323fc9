"""The API: an endpoint with interceptors for every transport, a method for each RPC, and the table of errors.

It checks requests, calls ``sessions`` and renders responses. Knows no transport.
"""
