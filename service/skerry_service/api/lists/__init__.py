"""The RPC that lists sessions."""
