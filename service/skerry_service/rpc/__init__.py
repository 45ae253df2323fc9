"""The gRPC front: messages in and out, tokens, and one table of errors. Every rule it enforces lives elsewhere."""
