"""Shells: what is done at a prompt, in each of six shells, and how shells start."""

from tests.scenarios.model import (
    EXITED,
    MORE,
    PROMPT,
    QUESTION,
    TIMEOUT,
    Program,
    Scenario,
    Turn,
    presses,
    types,
)
from tmuxprim import Outcome

BASH = Program(command=("bash", "--norc", "--noprofile"), replwrap="bash")
ZSH = Program(command=("zsh", "-f"), env={"PS1": "%m%# ", "RPROMPT": "[right]"}, replwrap="zsh")
FISH = Program(command=("fish", "--no-config", "--private"))
DASH = Program(command=("dash",))
MKSH = Program(command=("mksh",))
BUSYBOX = Program(command=("busybox", "sh"))

_PROGRAMS = {"bash": BASH, "zsh": ZSH, "fish": FISH, "dash": DASH, "mksh": MKSH, "busybox": BUSYBOX}
_ALL = "bash zsh fish dash mksh busybox"
_EDITORS = "bash zsh fish mksh busybox"  # dash leaves the editing of its line to the kernel
_POSIX = "bash zsh dash mksh busybox"


def _in(
    shells: str,
    name: str,
    *turns: Turn,
    prepare: str = "",
    needs: str = "",
    by_screen: bool = False,
) -> tuple[Scenario, ...]:
    """Return the same scenario for several shells."""
    return tuple(
        Scenario(
            name=f"{name} in {shell}",
            program=_PROGRAMS[shell],
            turns=turns,
            prepare=prepare,
            needs=tuple(needs.split()),
            by_screen=by_screen,
        )
        for shell in shells.split()
    )


_SLEEP = types("sleep 0.5; touch done", lasts=0.5, leaves="done")
_HANG = types("sleep 60", TIMEOUT, timeout=0.3)

_COMMANDS = (
    *_in(_ALL, "an echo", types("echo hi", shows="^hi$"), by_screen=True),
    *_in(_ALL, "a silent command", _SLEEP, by_screen=True),
    *_in(_ALL, "nothing printed", types("true"), types(""), types("true"), types("")),
    *_in(
        _ALL,
        "errors",
        types("ls /nowhere", shows="No such file"),
        types("nosuchcommand", shows="not found|Unknown"),
        _SLEEP,
    ),
    *_in(_ALL, "an interrupted command", _HANG, presses("C-c"), _SLEEP, by_screen=True),
    *_in(_ALL, "exit", types("exit 3", EXITED)),
    *_in(_ALL, "the end of input", types("echo hi"), presses("C-d", EXITED)),
    *_in(
        _ALL,
        "a child shell",
        types("bash --norc"),
        _SLEEP,
        types("exit"),
        types("echo b", shows="^b$"),
    ),
    *_in(_ALL, "exec of bash", types("exec bash --norc --noprofile"), _SLEEP, by_screen=True),
    *_in(_ALL, "a background job", types("sleep 0.5 &"), types("echo hi", shows="^hi$"), _SLEEP),
    *_in(
        _ALL,
        "type-ahead",
        types("sleep 0.5; touch one", TIMEOUT, timeout=0.1),
        types("sleep 0.5; touch two", lasts=0.5, leaves="two"),
    ),
    *_in(
        _EDITORS,
        "a stopped command that goes on",
        types("sleep 60", TIMEOUT, timeout=0.3),
        presses("C-z", shows="(?i)stopped|suspended"),
        types("fg", TIMEOUT, timeout=0.4),
        presses("C-c"),
        _SLEEP,
    ),
    *_in(
        _EDITORS,
        "a command from the history",
        types("sleep 0.5; mkdir done", lasts=0.5),
        types("rmdir done"),
        presses("Up Up Enter", lasts=0.5),
        types("ls", shows="done"),
    ),
    *_in(_EDITORS, "half a line given up", presses("e c h o", QUESTION), presses("C-c"), _SLEEP),
    *_in(
        _EDITORS,
        "a name completed by Tab",
        presses("c a t Space m a r k Tab", QUESTION, shows="marked"),
        presses("Enter", shows="^treasure$"),
        prepare="echo treasure > marked",
    ),
)

_CONTINUATIONS = (
    *_in(
        _POSIX,
        "an open quote",
        types("echo 'a", MORE),
        types("b", MORE),
        types("c'; sleep 0.5; touch done", shows="^b$", leaves="done"),
        by_screen=True,
    ),
    *_in(
        _POSIX,
        "a here document",
        types("cat << END; sleep 0.5; touch done", MORE),
        types("one $ ", MORE),
        types("END", shows="^one", leaves="done"),
    ),
    *(
        scenario
        for shell, switch in (("bash", "shopt -s"), ("zsh", "setopt"))
        for scenario in _in(
            shell,
            "an old command to be verified",
            types(f"{switch} histverify"),
            types("echo hi", shows="^hi$"),
            types("!!", QUESTION, shows="!![^!]*echo hi"),
            presses("Enter", PROMPT, shows="^hi$"),
        )
    ),
    *_in(
        _POSIX,
        "an if over lines",
        types("if true; then", MORE),
        types("sleep 0.5; touch done", MORE),
        types("fi", leaves="done"),
    ),
    *_in(
        _POSIX,
        "a loop over lines",
        types("for x in 1 2", MORE),
        types("do sleep 0.3", MORE),
        types("done; touch done", lasts=0.6, leaves="done"),
    ),
    *_in(
        _POSIX,
        "a function over lines",
        types("work() {", MORE),
        types("sleep 0.5", MORE),
        types("touch done", MORE),
        types("}"),
        types("work", leaves="done"),
    ),
    *_in(
        _POSIX,
        "a pipe and a backslash at the end",
        types("sleep 0.3 |", MORE),
        types("cat", lasts=0.3),
        types("sleep 0.3 && \\", MORE),
        types("touch done", leaves="done"),
    ),
    *_in(
        _POSIX,
        "an open quote given up",
        types("echo 'a", MORE),
        presses("C-c"),
        _SLEEP,
        by_screen=True,
    ),
    *_in(
        "fish",
        "a block over lines",
        types("for x in 1 2", MORE),
        types("sleep 0.3", MORE),
        types("end; touch done", leaves="done"),
    ),
    *_in(
        "fish",
        "an open quote",
        types("echo 'a", MORE),
        types("b'; sleep 0.5; touch done", shows="^b$", leaves="done"),
    ),
)

_CONVERSATIONS = (
    *_in(
        "bash",
        "a question, an answer and an interrupt",
        types("read -p 'Continue? [y/N] ' x; echo got $x", QUESTION),
        types("y", shows="^got y$"),
        types("sleep 60", TIMEOUT, timeout=0.3),
        presses("C-c"),
        by_screen=True,
    ),
    *_in(
        "bash",
        "thirty commands of odd lengths",
        *(types(f"sleep 0.0{n}; echo '$ '; touch {n}", leaves=str(n)) for n in range(30)),
    ),
    *_in(
        "bash",
        "a command found in the history",
        types("sleep 0.4; echo found"),
        presses("C-r f o u n d", QUESTION),
        presses("Enter", lasts=0.4),
    ),
    *_in("bash", "a trap at the exit", types("trap 'sleep 0.5' EXIT"), types("exit", EXITED)),
    *_in("bash", "a shell that renames itself", types("exec -a sh bash --norc"), _SLEEP),
    *_in("zsh", "exec of fish", types("exec fish --no-config"), _SLEEP, needs="fish"),
    *_in("mksh", "exec of zsh", types("exec zsh -f"), _SLEEP, types("echo 'a", MORE), needs="zsh"),
    *_in(
        "bash",
        "a subshell that reads",
        types("sh -c 'dash; true'"),
        _SLEEP,
        types("exit"),
        needs="dash",
    ),
    *_in(
        "bash",
        "shells within shells",
        *(types("zsh -f"), types("mksh"), types("exec busybox sh"), _SLEEP),
        *(types("exit"), types("exit"), types("echo back", shows="^back$")),
        needs="zsh mksh busybox",
    ),
)


def _file(name: str, *lines: str) -> str:
    """Return the script that writes a file."""
    return "\n".join((f"mkdir -p $(dirname {name}); cat > {name} << 'END'", *lines, "END\n"))


def _starting(
    name: str,
    command: str,
    prepare: str,
    *,
    first: Outcome = PROMPT,
    turns: tuple[Turn, ...] = (_SLEEP,),
    by_screen: bool = False,
) -> Scenario:
    """Return a scenario with a slow start, which leaves `ready` before the first prompt."""
    leaves = "ready" if first is PROMPT else ""
    words, env = tuple(command.split()), {"ENV": "./rc"}
    program = Program(command=words, env=env, first=first, leaves=leaves)
    return Scenario(name=name, program=program, turns=turns, prepare=prepare, by_screen=by_screen)


_READS = {  # how each shell is started so that it reads a file, and which one
    "bash": ("bash --rcfile rc", "rc"),
    "zsh": ("zsh", ".zshrc"),
    "fish": ("fish --private", ".config/fish/config.fish"),
    "dash": ("dash", "rc"),
    "mksh": ("mksh", "rc"),
    "busybox": ("busybox sh", "rc"),
}
_LOADS = "printf 'loading\\n100%%\\n<html>\\n'; sleep 0.6; touch ready"
_LURES = "printf 'user@host:~$ '; sleep 0.6; touch ready; echo"  # only the kernel sees through it

_STARTS = (
    *(
        _starting(f"a slow start of {shell}", command, _file(rc, _LOADS), by_screen=True)
        for shell, (command, rc) in _READS.items()
    ),
    *(
        _starting(f"a prompt that {shell}'s start prints", command, _file(rc, _LURES))
        for shell, (command, rc) in _READS.items()
    ),
    _starting(
        "a prompt that is set late",
        "bash --rcfile rc",
        _file("rc", "PS1='early$ '", "sleep 0.6", "PS1='late> '", "touch ready"),
        by_screen=True,
    ),
    _starting(
        "a login shell's profile",
        "bash --login",
        _file(".bash_profile", "echo Welcome", "sleep 0.6", "PS1='me$ '", "touch ready"),
        by_screen=True,
    ),
    _starting(
        "a start that ends in another shell",
        "bash --rcfile rc",
        _file("rc", "sleep 0.5", "touch ready", "PS1='other$ ' exec bash --norc"),
        by_screen=True,
    ),
    _starting(
        "a start that asks the terminal where its cursor is",
        "bash --rcfile rc",
        _file("rc", "printf '\\e[6n'", "read -rsdR -t 1 where", "sleep 0.5", "touch ready"),
    ),
    _starting(
        "a start that turns echo off",
        "bash --rcfile rc",
        _file("rc", "stty -echo", "printf 'unlocking: '", "sleep 0.6", "stty echo", "touch ready"),
    ),
    _starting(
        "a start that asks",
        "bash --rcfile rc",
        _file("rc", "read -p 'Start the agent? [y/N] ' x", "sleep 0.5", "touch ready"),
        first=QUESTION,
        turns=(types("n", leaves="ready"), _SLEEP),
        by_screen=True,
    ),
    *_in(
        "bash",
        "type-ahead while zsh starts",
        types("zsh", TIMEOUT, timeout=0.3),
        types("sleep 0.4; touch done", leaves="done"),
        prepare=_file(".zshrc", "sleep 0.8", "stty -ixon"),
        needs="zsh",
    ),
    *_in(
        "bash",
        "type-ahead while fish starts",
        types("fish --private", TIMEOUT, timeout=0.3),
        types("sleep 0.4; touch done", leaves="done"),
        prepare=f"{_file('.config/fish/config.fish', 'sleep 0.8')}",
        needs="fish",
    ),
)

SCENARIOS = (*_COMMANDS, *_CONTINUATIONS, *_CONVERSATIONS, *_STARTS)
