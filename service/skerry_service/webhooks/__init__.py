"""What the service tells by HTTP requests of its own: where they may go, how they are sent, signed and repeated."""
