"""The table: lifecycle, seats, log, idempotency. Knows neither gRPC nor Redis."""
