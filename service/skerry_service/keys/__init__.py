"""API keys: who may call at all, and what, before tokens say at which seat. Off unless the operator names a file."""
