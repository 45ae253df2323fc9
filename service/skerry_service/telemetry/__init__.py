"""What operators see: logs and counters. Knows neither transports nor sessions: it is told of calls."""
