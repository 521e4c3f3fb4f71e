"""The parts of the command line: options, commands, and how their answers are printed."""
