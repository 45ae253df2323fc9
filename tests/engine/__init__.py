"""The engine: the rules as a service without memory."""
