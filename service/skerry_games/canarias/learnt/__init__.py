"""The learnt evaluation: its features, and the weights."""
