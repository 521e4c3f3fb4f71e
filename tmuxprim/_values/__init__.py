"""Values: they do no I/O, and know no clock."""
