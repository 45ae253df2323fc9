"""Connect and gRPC-Web: calls by POST to ``/skerry.v1.<Service>/<Method>``, over any version of HTTP.

The first bytes of a path select the RPC, and its content type selects protocol and codec.
"""
