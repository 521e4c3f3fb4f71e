"""Programs behind programs: ssh, nested tmux, other users, other namespaces, launchers."""

import os

from tests.scenarios.model import (
    EXITED,
    FULLSCREEN,
    MORE,
    PROMPT,
    QUESTION,
    SECRET,
    STABLE,
    TIMEOUT,
    Program,
    Scenario,
    presses,
    types,
)
from tests.scenarios.shells import BASH

SHELL = "bash --norc --noprofile"
SILENT = types("sleep 1; touch done", PROMPT, leaves="done")

# Each scenario has a server of its own. ssh starts it for each connection and talks to it
# through a pipe, so there is no port to choose and no daemon to stop. In a session of its own
# it is, as on another machine, out of the terminal's sight.
SSH = """
if [ "$(id -u)" = 0 ]; then mkdir -p /run/sshd; fi
ssh-keygen -q -t ed25519 -N '' -f host
ssh-keygen -q -t ed25519 -N '' -f key
cat >server <<END
HostKey $PWD/host
AuthorizedKeysFile $PWD/key.pub
PermitRootLogin yes
SetEnv "HOME=$PWD" "PATH=$PATH" LC_ALL=C.UTF-8
StrictModes no
UsePAM no
END
cat >config <<END
Host far mux new
  RemoteCommand cd $PWD && PS1='far$ ' exec bash --norc --noprofile
  RequestTTY yes
Host mux
  ControlPath $PWD/mux
  ControlMaster auto
Host new
  StrictHostKeyChecking ask
  UserKnownHostsFile $PWD/known
Host locked
  PreferredAuthentications password
Host *
  ProxyCommand setsid $(command -v sshd) -i -f $PWD/server
  IdentityFile $PWD/key
  IdentitiesOnly yes
  IdentityAgent none
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
  NumberOfPasswordPrompts 2
  LogLevel ERROR
END
"""
SSH_PROGRAMS = ("ssh", "ssh-keygen", "sshd", "setsid", "bash", "python3", "vim")
REMOTE = Program(command=("ssh", "-F", "config", "far"), needs=SSH_PROGRAMS)
NEAR = Program(command=BASH.command, env=BASH.env, needs=SSH_PROGRAMS)
MUX = "ssh -F config -fNM -o RemoteCommand=none mux </dev/null >/dev/null 2>&1\n"
END_MUX = "ssh -F config -O exit mux 2>/dev/null"

TRAP = "printf '\\nbash-5.2# '; sleep 3; touch done"
# Without the clock, which is drawn anew each minute.
INNER = f"TMUX= tmux -S inner -f /dev/null new-session '{SHELL}' ';' set -g status-interval 0"
END_INNER = "tmux -S inner kill-server 2>/dev/null || true"
SCREEN = "SCREENDIR=$HOME/sockets screen"
END_SCREEN = f"{SCREEN} -S inner -X quit >/dev/null || true"

FAR_TURNS = {
    "a silent command": (SILENT, types("exit", EXITED)),
    "a flood": (types("seq 50000; touch done", PROMPT, leaves="done", shows="^50000$"),),
    "an open quote": (types("echo 'a", MORE), types("b'", PROMPT, shows="^b$")),
    "a question": (
        types("read -p 'Continue? [y/N] ' x; sleep 0.7; touch done", QUESTION),
        types("y", PROMPT, leaves="done"),
    ),
    "a password": (types("read -s -p 'Password: ' x", SECRET), types("secret", PROMPT)),
    "a command that is interrupted": (
        types("sleep 60", TIMEOUT, timeout=0.5),
        presses("C-c", PROMPT),
    ),
    "python": (
        types("python3 -q", PROMPT, shows="^>>>"),
        types("import time, pathlib", PROMPT),
        types("time.sleep(1); pathlib.Path('done').touch()", PROMPT, leaves="done"),
        types("exit()", PROMPT),
    ),
    "vim": (
        types("sleep 0.7; vim --clean", FULLSCREEN, lasts=0.7),
        presses("C-z", PROMPT, shows="Stopped"),
        types("fg", FULLSCREEN),
        types(":q", PROMPT),
    ),
}
# A prompt never seen before has to stand for longer than these do, where nobody tells who reads.
FAR_TRAPS = {
    "output that looks like a prompt": "printf 'total: 5 $ '; sleep 1.1; echo; touch done",
    "output that is its prompt": "printf 'far$ '; sleep 1.1; echo; touch done",
    "output that looks like a question": "printf 'Ready? '; sleep 1.1; echo; touch done",
    "output that looks like a password's": "printf 'Password: '; sleep 1.1; echo; touch done",
    "progress in percent": r"for i in 10 50 90; do printf '\r%s%%' $i; sleep 0.4; done; echo; "
    "touch done",
}
SSH_SCENARIOS = (
    *(
        Scenario(name=f"ssh to {what}", program=REMOTE, turns=turns, prepare=SSH, by_screen=True)
        for what, turns in FAR_TURNS.items()
    ),
    *(
        Scenario(
            name=f"ssh to {what}",
            program=REMOTE,
            turns=(types(command, PROMPT, leaves="done"),),
            prepare=SSH,
            by_screen=True,
        )
        for what, command in FAR_TRAPS.items()
    ),
    Scenario(
        name="ssh logs in and out",
        program=NEAR,
        turns=(
            types("ssh -F config far", PROMPT, shows=r"^far\$"),
            types("echo hi", PROMPT, shows="^hi$"),
            types("exit", PROMPT),
        ),
        prepare=SSH,
        by_screen=True,
    ),
    Scenario(
        # zsh marks the missing line end with a "%", which is no prompt.
        name="ssh to a line without an end, in zsh",
        program=REMOTE,
        turns=(
            types("exec zsh -f", PROMPT),
            types("printf x; sleep 0.5; touch done", PROMPT, leaves="done", shows="^x[#%]$"),
        ),
        prepare=SSH,
        needs=("zsh",),
    ),
    Scenario(
        name="ssh runs a silent command",
        program=NEAR,
        turns=(types("ssh -F config near 'cd /; sleep 1'; touch done", PROMPT, leaves="done"),),
        prepare=SSH,
        by_screen=True,
    ),
    Scenario(
        name="ssh is left by its escape",
        program=NEAR,
        turns=(types("ssh -F config far", PROMPT), presses("Enter", PROMPT), presses("~ .")),
        prepare=SSH,
    ),
    Scenario(
        name="ssh asks whether it knows the host",
        program=NEAR,
        turns=(
            types("ssh -F config new", QUESTION, shows=r"\(yes/no/\[fingerprint\]\)\?$"),
            types("perhaps", QUESTION, shows="^Please type 'yes'"),
            types("yes", PROMPT, shows=r"^far\$"),
        ),
        prepare=SSH,
        by_screen=True,
    ),
    Scenario(
        name="ssh asks for a password",
        program=NEAR,
        turns=(
            types("ssh -F config locked", SECRET, shows="password:$"),
            types("wrong", SECRET, shows="^Permission denied, please try again"),
            presses("C-c", PROMPT),
        ),
        prepare=SSH,
        by_screen=True,
    ),
    Scenario(
        name="ssh-keygen asks for a passphrase twice",
        program=BASH,
        turns=(
            types("ssh-keygen -q -t ed25519 -f mine", SECRET, shows="^Enter passphrase"),
            types("secret", SECRET, shows="^Enter same passphrase again:$"),
            types("secret", PROMPT, leaves="mine.pub"),
        ),
        needs=("ssh-keygen",),
        by_screen=True,
    ),
    Scenario(
        # The terminal is read by the process that holds the connection, which is not in it.
        name="ssh shares a connection",
        program=NEAR,
        turns=(types("ssh -F config mux", PROMPT, shows=r"^far\$"), SILENT),
        prepare=SSH + MUX,
        finish=END_MUX,
        by_screen=True,
    ),
)

RELAY_SCENARIOS = (
    Scenario(
        name="tmux in tmux",
        program=BASH,
        turns=(
            types(INNER, FULLSCREEN),
            types("echo hi", FULLSCREEN, shows="^hi$"),
            presses("C-b d", PROMPT, shows=r"\[detached"),
            types("TMUX= tmux -S inner attach", FULLSCREEN, shows="^hi$"),
            types("exit", PROMPT, shows=r"\[exited\]$"),
        ),
        finish=END_INNER,
        by_screen=True,
    ),
    # It is their server that holds the terminal, and not what is in the pane.
    Scenario(
        name="tmux in tmux shows what looks like a prompt for 3 s",
        program=BASH,
        turns=(
            types(f"{INNER} ';' detach", PROMPT),
            types("TMUX= tmux -S inner attach", FULLSCREEN),
            types(TRAP, FULLSCREEN, leaves="done"),
            types("read -s x", SECRET),
        ),
        finish=END_INNER,
    ),
    Scenario(
        name="screen shows what looks like a prompt for 3 s",
        program=BASH,
        turns=(
            types(f"{SCREEN} -c /dev/null -dmS inner {SHELL}", PROMPT),
            types(f"{SCREEN} -r inner", FULLSCREEN, STABLE),
            types(TRAP, FULLSCREEN, leaves="done"),
            types("read -s x", SECRET),
        ),
        prepare="mkdir -m 700 sockets",
        finish=END_SCREEN,
        needs=("screen",),
    ),
    Scenario(
        # Nobody tells which one; that it takes keys is a guess.
        name="tmux in tmux has two windows",
        program=BASH,
        turns=(
            types(f"{INNER} ';' new-window '{SHELL}'", STABLE, lasts=2.0),
            types("sleep 1; touch done", STABLE, lasts=2.0, leaves="done"),
        ),
        finish=END_INNER,
    ),
    Scenario(
        # Both are shown, and only one of them takes keys.
        name="tmux in tmux has two panes",
        program=BASH,
        turns=(
            types(f"{INNER} ';' split-window '{SHELL}'", STABLE, lasts=2.0),
            types("sleep 1; touch done", STABLE, lasts=2.0, leaves="done"),
        ),
        finish=END_INNER,
    ),
    Scenario(
        name="script passes a shell on",
        program=Program(command=("script", "-q", "-c", SHELL, "/dev/null")),
        turns=(SILENT, types("read -p 'Name? ' x", QUESTION), types("me", PROMPT)),
    ),
    Scenario(
        name="script passes output on that looks like a prompt",
        program=Program(command=("script", "-q", "-c", SHELL, "/dev/null")),
        turns=(types("printf 'total: 5 $ '; sleep 0.7; echo; touch done", PROMPT, leaves="done"),),
    ),
)

# Each of them makes a terminal of its own and passes on what stands there. What looks like a prompt
# or a question stands for longer than anybody would wait who sees the screen only. What is started
# by socat has a socket of it, so that without the right to attach it is not known what it awaits.
RELAYS = {
    "script": ("script", "-q", "-c", SHELL, "/dev/null"),
    "script in script": ("script", "-q", "-c", f"script -q -c '{SHELL}' /dev/null", "/dev/null"),
    "socat": ("socat", "-,raw,echo=0", f"EXEC:{SHELL} -i,pty,setsid,ctty,stderr"),
    "expect": ("expect", "-c", f"spawn -noecho {SHELL}; interact"),
    "unbuffer": ("unbuffer", "-p", *SHELL.split()),
    "python's pty": ("python3", "-c", f"import pty; pty.spawn({SHELL.split()})"),
}
BEHIND_RELAYS = tuple(
    scenario
    for relay, command in RELAYS.items()
    for program in [Program(command=command)]
    for scenario in (
        Scenario(
            name=f"{relay} shows what looks like a prompt for 3 s",
            program=program,
            turns=(types("printf 'me@far:~# '; sleep 3; echo; touch done", PROMPT, leaves="done"),),
        ),
        Scenario(
            name=f"{relay} shows what looks like a question for 3 s",
            program=program,
            turns=(types("printf 'Ready? '; sleep 3; touch done", PROMPT, leaves="done"),),
        ),
        Scenario(
            name=f"{relay} passes a bare cat on",
            program=program,
            turns=(
                types("cat", QUESTION, timeout=5.0),
                types("hello", QUESTION, shows="^hello\nhello$"),
                presses("C-d", PROMPT),
            ),
            by_place=relay == "socat",
        ),
        Scenario(
            name=f"{relay} passes a password, vim and python on",
            program=program,
            turns=(
                types("read -s -p 'Token: ' x; sleep 1; touch done", SECRET),
                types("secret", PROMPT, leaves="done"),
                types("vim --clean", FULLSCREEN),
                types(":q", PROMPT),
                types("python3 -q", PROMPT, shows="^>>>"),
                types("import time; time.sleep(0.6); open('there', 'w')", PROMPT, leaves="there"),
            ),
            needs=("vim", "python3"),
            by_place=relay == "socat",
        ),
    )
    # It switches echo off, so that each line is read unseen.
    if scenario.name != "unbuffer passes a bare cat on"
)
# A script that asks, at the far end of a socket on which socat listens in the pane.
FAR_READ = """
cat >far <<'END'
printf 'Name? '
read -r name
sleep 0.7
touch done
echo "hi $name"
END
(until [ -S socket ]; do sleep 0.05; done
exec socat UNIX-CONNECT:socket EXEC:'bash far') </dev/null >/dev/null 2>&1 &
"""
RELAYED_SCENARIOS = (
    *BEHIND_RELAYS,
    Scenario(
        name="socat listens for a script that asks",
        program=BASH,
        turns=(
            types("socat - UNIX-LISTEN:socket", QUESTION, STABLE, shows=r"^Name\?"),
            types("Ada", PROMPT, leaves="done", shows="^hi Ada$"),
        ),
        prepare=FAR_READ,
        needs=("socat",),
        by_screen=True,
    ),
    Scenario(
        name="rlwrap reads lines for a program that has no line editor",
        program=BASH,
        turns=(
            types(
                "rlwrap sh -c 'while read -p \"cmd: \" x; do sleep 1; touch done; done'", QUESTION
            ),
            types("a", QUESTION, leaves="done", shows="^cmd: a\ncmd:$"),
            presses("C-d", PROMPT),
        ),
        needs=("rlwrap",),
    ),
    Scenario(
        # Whose text has looked like a prompt from its start on, and who then ends.
        name="script runs what looks like a prompt",
        program=BASH,
        turns=(
            types(
                "script -qc \"printf '\\$ '; sleep 3; touch done\" /dev/null", PROMPT, leaves="done"
            ),
        ),
        needs=("script",),
    ),
    Scenario(
        name="vim shows a shell in a window",
        program=BASH,
        turns=(
            types(f"vim --clean '+terminal {SHELL}'", FULLSCREEN),
            types("sleep 1", FULLSCREEN),
        ),
        needs=("vim",),
    ),
    Scenario(
        name="mc has a shell behind its panels",
        program=BASH,
        turns=(types("mc", FULLSCREEN), presses("Down", FULLSCREEN), presses("F10")),
        needs=("mc",),
    ),
)

LAUNCHER_SCENARIOS = (
    Scenario(
        name="sh waits for a shell",
        program=Program(command=("sh", "-c", f"{SHELL}; true"), needs=("sh", "bash")),
        turns=(SILENT, types("exit", EXITED)),
        by_screen=True,
    ),
    Scenario(
        name="env starts a shell that knows nothing",
        program=BASH,
        turns=(types(f"env -i PATH=$PATH {SHELL}", PROMPT), SILENT, types("exit", PROMPT)),
        by_screen=True,
    ),
    Scenario(
        name="timeout limits a shell",
        program=BASH,
        turns=(types(f"timeout 30 {SHELL}", PROMPT), SILENT, types("exit", PROMPT)),
        needs=("timeout",),
        by_screen=True,
    ),
    Scenario(
        name="nohup lets a command run",
        program=BASH,
        turns=(types("nohup sh -c 'sleep 1; touch done'", PROMPT, leaves="done"),),
        by_screen=True,
    ),
    Scenario(
        name="setsid waits for a command in another session",
        program=BASH,
        turns=(types("setsid -w sh -c 'sleep 1; touch done'", PROMPT, leaves="done"),),
        needs=("setsid",),
        by_screen=True,
    ),
    Scenario(
        name="xargs opens an editor",
        program=BASH,
        turns=(types("echo note | xargs -o vim --clean", FULLSCREEN), types(":q", PROMPT)),
        needs=("xargs", "vim"),
        by_screen=True,
    ),
    Scenario(
        name="xargs asks before each command",
        program=BASH,
        turns=(
            types("echo one two | xargs -n1 -p echo", QUESTION, shows=r"^echo one *\?\.\.\."),
            types("y", QUESTION, shows=r"^echo two *\?\.\.\."),
            types("n", PROMPT),
        ),
        needs=("xargs",),
    ),
    Scenario(
        name="find asks before each command",
        program=BASH,
        turns=(
            types("find . -name note -ok sh -c 'sleep 1; touch done' ';'", QUESTION),
            types("y", PROMPT, leaves="done"),
        ),
        prepare="touch note",
        needs=("find",),
        by_screen=True,
    ),
)

# Only the superuser may become somebody else; the directory is nobody else's before.
OPEN_FOLDER = "chmod 777 ."
_USER_SHELLS = tuple(
    Scenario(
        name=f"{name} starts a shell",
        program=BASH,
        turns=(types(command, PROMPT), SILENT, types("read -p 'Name? ' x", QUESTION)),
        prepare=OPEN_FOLDER,
        needs=(name.partition(" ")[0],),
        by_screen=name not in ("su -c", "sudo"),  # what is behind them is a guess
    )
    for name, command in {
        "chroot": f"chroot --skip-chdir / {SHELL}",
        "unshare": f"unshare --fork --pid --mount-proc {SHELL}",
        "setpriv": f"setpriv --reuid 65534 --regid 65534 --clear-groups {SHELL}",
        "su": "su nobody -s /bin/bash -- --norc --noprofile",
        "su -c": f"su nobody -s /bin/bash -c '{SHELL} -i'",  # in another session
        "sudo": f"sudo -n -u nobody PS1='$ ' {SHELL}",  # runs it in a terminal of its own
    }.items()
)

SCENARIOS = (
    *SSH_SCENARIOS,
    *RELAY_SCENARIOS,
    *RELAYED_SCENARIOS,
    *LAUNCHER_SCENARIOS,
    *(_USER_SHELLS if os.geteuid() == 0 else ()),
)
