"""The plans of all operations: no I/O, and no clock but the one handed in."""
