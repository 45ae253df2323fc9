"""Several processes on one port: workers that serve, and the one that keeps them running."""
