"""What only operators use: the state of the service, and the erasure of players."""
