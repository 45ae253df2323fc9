"""What the RPC protocols share: enveloped messages, compression, timeouts, refusals and statuses.

gRPC, gRPC-Web and Connect differ in their headers and in how a call ends. The rest is here.
"""
