"""The in-memory terminal with virtual time."""
