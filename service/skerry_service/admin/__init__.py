"""The calls of whoever runs the service, at a port of their own."""
