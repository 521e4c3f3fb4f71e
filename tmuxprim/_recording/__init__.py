"""Recordings of real sessions, to play back to unit tests, and to show in a browser."""
