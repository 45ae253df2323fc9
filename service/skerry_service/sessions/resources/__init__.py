"""Resources beside sessions: the port of their store, and a store in memory."""
