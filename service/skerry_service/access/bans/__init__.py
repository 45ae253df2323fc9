"""The bans in force in one process: who is banned, and which open streams that ends."""
