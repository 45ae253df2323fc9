"""Clients that users generate from the protos. Needs the tools of package.json."""
