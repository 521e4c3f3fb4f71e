"""The evidence of the kernel: which process reads from a terminal, and how."""
