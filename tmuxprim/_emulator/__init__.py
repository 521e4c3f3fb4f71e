"""A terminal in memory: it takes the bytes of a program, and shows rows and styles."""
