"""The kernel's evidence: who reads a pane's terminal, and how, by ``/proc`` and termios.

`probe` asks a terminal and `procfs`. That asks the best source that is open for each thread:
`syscall`, `wchan`, or only its state. `files` is all access to this machine, and `printed` the same
for another one.
"""
