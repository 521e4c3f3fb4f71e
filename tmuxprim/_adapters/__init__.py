"""A terminal as agent frameworks know one, over a console."""
