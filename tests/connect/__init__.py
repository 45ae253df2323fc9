"""Connect and gRPC-Web."""
