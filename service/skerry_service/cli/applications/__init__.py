"""Commands about API keys, and about the applications that they stand for."""
