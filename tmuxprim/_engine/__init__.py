"""What to do and when: no I/O, and no clock but the one handed in."""
