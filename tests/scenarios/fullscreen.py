"""Full-screen programs: editors, pagers, monitors, pickers and dialogs."""

import attrs

from tests.scenarios.model import (
    EXITED,
    FULLSCREEN,
    MORE,
    PROMPT,
    QUESTION,
    STABLE,
    TIMEOUT,
    Program,
    Scenario,
    presses,
    types,
)
from tests.scenarios.shells import BASH, BUSYBOX, DASH, FISH, MKSH, ZSH

IN_VIM = Program(command=("vim", "--clean", "note"), first=FULLSCREEN)
IN_LESS = Program(command=("less", "lines"), first=FULLSCREEN)
# The same shell for all, and what is started from it.
VIM = Program(command=BASH.command, env=BASH.env, needs=("bash", "vim"))
LESS = Program(command=BASH.command, env=BASH.env, needs=("bash", "less"))
DIALOG = Program(command=BASH.command, env=BASH.env, needs=("bash", "dialog"))
CURSES = Program(command=("python3", "draw.py"), first=FULLSCREEN)
# What somebody has set as options would change what is seen.
FZF = Program(
    command=BASH.command,
    env={**BASH.env, "FZF_DEFAULT_OPTS": "", "FZF_DEFAULT_COMMAND": ""},
    needs=("bash", "fzf"),
)
# As fzf's own key bindings for bash do.
FZF_KEYS = r"""
cat >keys <<'END'
pick() { READLINE_LINE=$(HISTTIMEFORMAT= history | fzf --height 40% --tac); }
bind -m emacs-standard -x '"\C-r": pick'
touch started
END
"""

GAUGE = "(echo 20; sleep 1; touch done; echo 80) | dialog --gauge working 7 40"
LINES = "seq 500 >lines"
MAN_PAGE = r"""
printf '%s\n' '.TH GREET 1' '.SH NAME' 'greet \- say hello' '.SH DESCRIPTION' >greet.1
printf 'Line %s.\n.PP\n' {1..50} >>greet.1
"""
# Draws long before it reads its first key, and works for long after each.
SLOW_CURSES = """
cat >draw.py <<'END'
import curses, pathlib, time

def main(screen):
    for number in range(3):
        screen.addstr(number, 2, "working> ")
        screen.refresh()
        time.sleep(0.7)
        pathlib.Path(f"done{number}").touch()
        screen.addstr(number, 2, f"ready {number} ")
        screen.getch()

curses.wrapper(main)
END
"""
# Draws ten times a second, as an animation does, while it reads keys.
ANIMATION = """
cat >draw.py <<'END'
import curses, itertools

def main(screen):
    screen.timeout(100)
    for spoke in itertools.cycle("-/|"):
        screen.addstr(2, 2, spoke)
        if screen.getch() == ord("q"):
            return

curses.wrapper(main)
END
"""

VIM_COMMANDS = {
    "filters its text through a slow command": ":r !sleep 1; echo read; touch done",
    "sleeps": ":sleep 1 | call writefile([], 'done')",
    "computes": ":let t = reltime() | while reltimefloat(reltime(t)) < 1 | endwhile"
    " | call writefile([], 'done')",
}
VIM_SCENARIOS = (
    *(
        Scenario(
            name=f"vim {does}", program=IN_VIM, turns=(types(command, FULLSCREEN, leaves="done"),)
        )
        for does, command in VIM_COMMANDS.items()
    ),
    Scenario(
        name="vim writes a file",
        program=VIM,
        turns=(
            types("vim --clean note", FULLSCREEN),
            types("ihello", FULLSCREEN, shows="^hello"),
            presses("Escape", FULLSCREEN),
            types(":wq", PROMPT, leaves="note"),
        ),
        by_screen=True,
    ),
    Scenario(
        name="vim runs a command, asks for a key and is back",
        program=IN_VIM,
        turns=(
            types(":!sleep 1; touch done", QUESTION, leaves="done", shows="Press ENTER"),
            presses("Enter", FULLSCREEN),
        ),
    ),
    Scenario(
        name="vim reads a slow pipe",
        program=VIM,
        turns=(types("(echo a; sleep 1; touch done) | vim --clean -", FULLSCREEN, leaves="done"),),
    ),
    Scenario(
        name="vim refuses to quit",
        program=IN_VIM,
        turns=(
            types("ihello", FULLSCREEN),
            presses("Escape", FULLSCREEN),
            types(":q", FULLSCREEN, shows="^E37: No write"),
            types(":q!", EXITED),
        ),
        by_screen=True,
    ),
    Scenario(
        name="vim starts slowly, is suspended and resumed",
        program=VIM,
        turns=(
            types("sleep 0.7; vim --clean note", FULLSCREEN, lasts=0.7),
            presses("C-z", PROMPT, shows="Stopped"),
            types("fg", FULLSCREEN),
            types(":q", PROMPT),
        ),
        by_screen=True,
    ),
    Scenario(
        name="vim is followed by a silent command",
        program=VIM,
        turns=(
            types("vim --clean; sleep 1; touch done", FULLSCREEN),
            types(":q", PROMPT, leaves="done"),
        ),
        by_screen=True,
    ),
)

# It leaves the alternate screen on, and the shell on it.
KILLED_SCENARIOS = tuple(
    Scenario(
        name=f"vim is killed in {' '.join(shell.command[:2])}",
        program=shell,
        turns=(
            types("vim --clean", FULLSCREEN),
            types(":call system('kill -9 ' . getpid())", PROMPT),
            types("echo 'a", MORE),
            types("b'; sleep 0.5; touch done", PROMPT, leaves="done"),
            types("printf 'Name: '; read x", QUESTION),
            types("Ada", PROMPT),
            types("vim --clean", FULLSCREEN),
            types(":q", PROMPT),
        ),
        needs=("vim",),
    )
    for shell in (BASH, ZSH, FISH, DASH, MKSH, BUSYBOX)
)

PAGER_SCENARIOS = (
    Scenario(
        name="less searches",
        program=IN_LESS,
        turns=(
            types("/^300", FULLSCREEN, shows="^300$"),
            presses("G", FULLSCREEN, shows=r"^\(END\)"),
            types("/nowhere", FULLSCREEN, shows="not found"),
        ),
        prepare=LINES,
        by_screen=True,
    ),
    Scenario(
        # It fills its screen before it reads a key; the last thing it draws is "(END)".
        name="less reads a slow pipe",
        program=LESS,
        turns=(types("(echo a; sleep 1; touch done; echo b) | less", FULLSCREEN, leaves="done"),),
    ),
    Scenario(
        # What writes leads the group of processes, and less is another child of the shell.
        name="less reads from a program that goes on",
        program=LESS,
        turns=(types("yes | less", FULLSCREEN, shows="^:$"), presses("Space", FULLSCREEN)),
        by_screen=True,
    ),
    Scenario(
        # A key may be read while it waits, or only C-c: that depends on the version.
        name="less follows a file",
        program=LESS,
        turns=(
            types("less +F lines", TIMEOUT, FULLSCREEN, timeout=1, shows="Waiting for data"),
            presses("C-c", FULLSCREEN),
            presses("q", PROMPT),
        ),
        prepare=LINES,
    ),
    Scenario(
        name="less leaves the screen as it is",
        program=LESS,
        turns=(types("less -X lines", QUESTION, FULLSCREEN), presses("q", PROMPT)),
        prepare=LINES,
    ),
    Scenario(
        name="man formats a page and starts a pager",
        program=BASH,
        turns=(
            types("man ./greet.1", FULLSCREEN, shows="say hello"),
            presses("Space", FULLSCREEN),
            presses("q", PROMPT),
        ),
        prepare=MAN_PAGE,
        needs=("man", "less"),
        by_screen=True,
    ),
    Scenario(
        name="more waits for a key",
        program=BASH,
        turns=(
            types("more lines", QUESTION, shows="^--More--"),
            presses("Space", QUESTION, shows="^40$"),
            presses("q", PROMPT),
        ),
        prepare=LINES,
        needs=("more",),
        by_screen=True,
    ),
)

EDITOR_AND_MONITOR_SCENARIOS = (
    Scenario(
        name="nano asks whether to save",
        program=BASH,
        turns=(
            types("nano --ignorercfiles note", FULLSCREEN),
            types("hello", FULLSCREEN, shows="^hello$"),
            presses("C-x", FULLSCREEN, shows=r"^Save modified buffer\?"),
            presses("y", FULLSCREEN, shows="^File Name to Write: note"),
            presses("Enter", PROMPT),
        ),
        needs=("nano",),
        by_screen=True,
    ),
    Scenario(
        name="htop draws itself again and again",
        program=BASH,
        turns=(types("htop", FULLSCREEN, shows="PID"), presses("q", PROMPT)),
        needs=("htop",),
        by_screen=True,
    ),
    Scenario(
        # Where it takes the alternate screen depends on the version.
        name="top draws itself again and again",
        program=BASH,
        turns=(types("top", QUESTION, FULLSCREEN, shows="PID"), presses("q", PROMPT)),
        needs=("top",),
    ),
    Scenario(
        # Reads no key before version 4.0.5, only C-c ends it.
        name="watch draws itself again and again",
        program=BASH,
        turns=(
            types("watch -n 0.5 date", TIMEOUT, FULLSCREEN, timeout=2, shows="^Every 0.5s"),
            presses("C-c", PROMPT),
        ),
        needs=("watch",),
    ),
    Scenario(
        name="curses draws before it reads, and works after each key",
        program=BASH,
        turns=(
            types("python3 draw.py", FULLSCREEN, leaves="done0"),
            presses("x", FULLSCREEN, lasts=0.7, shows="ready 1"),
            types("", FULLSCREEN, leaves="done2"),
            presses("q", PROMPT),
        ),
        prepare=SLOW_CURSES,
        needs=("python3",),
    ),
    Scenario(
        name="curses draws an animation and reads keys",
        program=CURSES,
        turns=(presses("x", FULLSCREEN), presses("q", EXITED)),
        prepare=ANIMATION,
    ),
    Scenario(
        name="tput shows another screen, and nobody reads",
        program=BASH,
        turns=(types("tput smcup; sleep 1; tput rmcup; touch done", PROMPT, leaves="done"),),
        needs=("tput",),
    ),
)

PICKER_SCENARIOS = (
    Scenario(
        # Its "> " is where one types, and what a prompt looks like.
        name="fzf shows its list below the command line",
        program=FZF,
        turns=(
            types("seq 9 | fzf --height 5", QUESTION, shows="9/9"),
            presses("Enter", PROMPT, shows="^1$"),
        ),
        by_screen=True,
    ),
    Scenario(
        # The shell leads the group, and fzf reads.
        name="fzf is started by a key of bash",
        program=FZF,
        turns=(
            types("bind -x '\"\\C-t\": seq 9 | fzf --height 5'", PROMPT),
            presses("C-t", QUESTION, shows="9/9"),
            presses("Enter", PROMPT),
        ),
        by_screen=True,
    ),
    Scenario(
        # Right below the command line, where a shell asks for the rest of a command.
        name="fzf picks an argument right below the command line",
        program=FZF,
        turns=(
            types('echo "$(seq 9 | fzf --height 5 --layout=reverse)"', QUESTION, shows="9/9"),
            presses("Enter", PROMPT, shows="^1$"),
        ),
        by_screen=True,
    ),
    Scenario(
        name="fzf shows its counts in the row where it is searched",
        program=FZF,
        turns=(
            types("cd; seq 9 >list", PROMPT),
            types('echo "$(fzf --height 5 --info=inline <list)"', QUESTION, shows="9/9"),
            presses("Enter", PROMPT, shows="^1$"),
        ),
        by_screen=True,
    ),
    Scenario(
        name="fzf is started by the key of bash that searches old commands",
        program=attrs.evolve(
            FZF, command=("bash", "--noprofile", "--rcfile", "keys"), leaves="started"
        ),
        prepare=FZF_KEYS,
        turns=(
            types("echo one", PROMPT),
            presses("C-r", QUESTION, shows="1/1"),
            presses("C-c", PROMPT),
        ),
        by_screen=True,
    ),
    Scenario(
        # It shows no counts; but no line was ended, so a shell has no new prompt to show.
        name="a picker without counts is started by a key of bash",
        program=FZF,
        turns=(
            types("bind -x '\"\\C-t\": seq 9 | fzf --height 5 --info=hidden'", PROMPT),
            presses("C-t", QUESTION, PROMPT, STABLE, shows="^> 1"),
            presses("Enter", PROMPT),
        ),
    ),
    Scenario(
        name="fzf shows its list below the command line while more may come",
        program=FZF,
        turns=(
            types("(seq 9; sleep 1) | fzf --height 5", QUESTION, shows="9/9"),
            presses("Enter", PROMPT, shows="^1$"),
        ),
    ),
    Scenario(
        name="fzf shortens its list below the command line",
        program=FZF,
        turns=(
            types("seq 9 | fzf --height 5", QUESTION, shows="9/9"),
            presses("7", PROMPT, QUESTION, shows="1/9"),
            presses("Enter", PROMPT, shows="^7$"),
        ),
    ),
    Scenario(
        name="fzf picks on a screen of its own",
        program=FZF,
        turns=(types("seq 9 | fzf", FULLSCREEN), presses("Enter", PROMPT, shows="^1$")),
        by_screen=True,
    ),
    Scenario(
        # It takes keys while its list still grows.
        name="fzf picks from what comes slowly",
        program=FZF,
        turns=(
            types("(echo a; sleep 1; echo b) | fzf", FULLSCREEN),
            presses("b", FULLSCREEN),
            presses("C-c", PROMPT),
        ),
    ),
    Scenario(
        # It draws on the main screen where it finds what it takes for an xterm.
        name="dialog asks yes or no",
        program=DIALOG,
        turns=(types("dialog --yesno Sure? 7 30", QUESTION, FULLSCREEN), presses("Enter", PROMPT)),
    ),
    Scenario(
        name="dialog asks yes or no on a screen of its own",
        program=DIALOG,
        turns=(
            types("dialog --keep-tite --yesno Sure? 7 30", FULLSCREEN),
            presses("Tab", FULLSCREEN),
            presses("Enter", PROMPT),
        ),
        by_screen=True,
    ),
    Scenario(
        name="dialog shows a gauge and reads nothing",
        program=DIALOG,
        turns=(types(GAUGE, PROMPT, leaves="done"),),
    ),
)

SCENARIOS = (
    *VIM_SCENARIOS,
    *KILLED_SCENARIOS,
    *PAGER_SCENARIOS,
    *EDITOR_AND_MONITOR_SCENARIOS,
    *PICKER_SCENARIOS,
)
