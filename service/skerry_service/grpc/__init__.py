"""gRPC: all that is gRPC in the service. Bytes become requests, refusals become statuses."""
