"""Real tmux: how its commands are written, carried and read."""
