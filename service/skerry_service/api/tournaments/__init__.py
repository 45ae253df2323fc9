"""The RPCs about tournaments."""
