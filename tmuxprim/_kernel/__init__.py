"""The evidence of the kernel: it tells which process reads from a terminal, and how."""
