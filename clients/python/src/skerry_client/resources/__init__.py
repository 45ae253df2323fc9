"""Calls about resources beside sessions, such as ladders."""
