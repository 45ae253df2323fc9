"""The store of a process: opening it, and watching it."""
