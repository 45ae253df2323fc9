"""Logs, metrics and traces, fed by observers of calls. Knows no transports and no sessions."""
