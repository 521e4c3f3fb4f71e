"""Run the command line with ``python -m tmuxprim``."""

import sys

from tmuxprim.cli import main

if __name__ == "__main__":
    sys.exit(main())
