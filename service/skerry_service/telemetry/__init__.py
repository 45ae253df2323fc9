"""What operators see: a log of calls and counters. Knows neither transports nor sessions: it is told of calls."""
