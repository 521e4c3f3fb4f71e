"""Questions: programs that want a line or a key, with all kinds of words or none."""

import sys

from tests.scenarios.model import (
    FULLSCREEN,
    MORE,
    PROMPT,
    QUESTION,
    SECRET,
    STABLE,
    TIMEOUT,
    Program,
    Scenario,
    Turn,
    presses,
    types,
)
from tests.scenarios.shells import BASH, BUSYBOX, DASH, FISH, ZSH

SLOW_TO_START = Program(
    command=("sh", "-c", "sleep 0.7; printf 'Name: '; read x; sleep 60"), first=QUESTION
)

_NODE_ASKS = """cat > ask.js <<'END'
const asks = require('readline').createInterface(process.stdin, process.stdout);
asks.question('Name: ', (name) => { console.log('Hello ' + name); asks.close(); });
END
"""
_PYTHON_ASKS = """cat > ask.py <<'END'
import time
name = input("Name: ")
time.sleep(0.7)
open("done", "w").close()
print(name, "is", input("Age: "))
END
"""
_EXPECT_ASKS = (
    "expect -c 'send_user {Password: }; stty -echo; expect_user -re {(.*)\\n}; stty echo; "
    "exec sleep 2.5; exec touch done'"
)
_APT_ASKS = """cat > apt <<'END'
echo 'The following packages will be REMOVED:'
echo '  all of them (100%)'
printf 'Do you want to continue? [Y/n] '
read answer
echo "$answer it is"
END
"""
_A_CHANGE = """git init -q
git config user.name Ada
git config user.email ada@example.com
echo one > file
git add file
git commit -qm one
echo two > file
"""


def _asks(
    name: str,
    command: str,
    *then: Turn,
    program: Program = BASH,
    prepare: str = "",
    needs: tuple[str, ...] = (),
    by_screen: bool = True,
) -> Scenario:
    """Return a scenario that begins with a command that asks."""
    return Scenario(
        name=name,
        program=program,
        turns=(types(command, QUESTION), *then),
        prepare=prepare,
        needs=needs,
        by_screen=by_screen,
    )


def _asks_only_the_kernel(name: str, words: str) -> Scenario:
    """Return a question of bash in words that are no question's."""
    command = f"read -p {words} x; touch done"
    return _asks(name, command, types("5", leaves="done"), by_screen=False)


def _script_asks(name: str, command: str, *, prepare: str = "", needs: str = "") -> Scenario:
    """Return a question of a script whose words are a prompt's; it works behind the answer."""
    then = types("1", lasts=1.0, leaves="done")
    return _asks(name, command, then, prepare=prepare, needs=tuple(needs.split()), by_screen=False)


_INSTALLER = r"printf '%s\n' 1\) Go 2\) Stop; printf '> '; read x < /dev/tty; sleep 1; touch done"
_OF_SCRIPTS = (
    _script_asks("a script asks with an angle", f'bash -c "{_INSTALLER}"'),
    _script_asks(
        "a script from a pipe asks with an angle",
        "cat script | sh",
        prepare=f"cat > script << 'END'\n{_INSTALLER}\nEND",
    ),
    _script_asks(
        "a script of dash asks with a dollar at the end",
        "dash -c \"printf 'Amount in $ '; read x; sleep 1; touch done\"",
        needs="dash",
    ),
    _script_asks(
        "a script edits a line behind an angle",
        "bash -c \"read -e -p '> ' x; sleep 1; touch done\"",
    ),
    _script_asks(
        "a script of zsh edits a line behind its own prompt",
        "zsh -fc \"x=; vared -p '%# ' x; sleep 1; touch done\"",
        needs="zsh",
    ),
    Scenario(
        name="expect works while its question stands there still",
        program=BASH,
        turns=(
            types(_EXPECT_ASKS, SECRET, STABLE),
            types("me", leaves="done"),
        ),
        needs=("expect", "stty"),
    ),
)

_OF_BASH = (
    _asks("bash asks yes or no", "read -p 'Continue? [y/N] ' x", types("y")),
    _asks("bash asks with a colon", "read -r -p 'Name: ' x", types("Ada")),
    _asks("bash asks for words", "read -a words -p 'Words: '", types("one two")),
    _asks("bash asks with a default", "read -p 'Prefix [/usr/local]: ' x", types("")),
    _asks("busybox asks", "read -p 'Name: ' x", types("Ada"), program=BUSYBOX),
    _asks("busybox asks for nothing", "read x", types("Ada"), program=BUSYBOX, by_screen=False),
    _asks("bash asks with its line editor", "read -e -p 'Name: ' x", types("Ada")),
    _asks("bash asks for Enter", "read -p 'Press Enter to continue' x", types("")),
    _asks("bash asks in a subshell", "(read -p 'Go on? ' x)", types("y")),
    _asks(
        "bash asks in a pipe",
        "seq 2 | while read x; do read -p 'Go on? ' x </dev/tty; done",
        types("y", QUESTION),
        types("y"),
    ),
    _asks("bash asks for one key", "read -n1 -p 'Key? ' x", presses("y")),
    _asks("bash asks for any key", "read -rsn1 -p 'Press any key to continue...' x", presses("y")),
    _asks("bash asks up to a semicolon", "read -d ';' -p 'List: ' x", presses("a ;")),
    _asks(
        "bash shows a menu, twice",
        "select x in red blue; do echo got $x; break; done",
        types("", QUESTION),
        types("2", shows="^got blue$"),
    ),
    Scenario(
        name="bash asks after work",
        program=BASH,
        turns=(
            types("sleep 0.7; touch done; read -p 'Name: ' x", QUESTION, lasts=0.7, leaves="done"),
            types("Ada"),
        ),
        by_screen=True,
    ),
    _asks(
        "bash asks twice, with work between",
        "read -p 'A: ' x; sleep 0.7; touch done; read -p 'B: ' x; touch end",
        types("1", QUESTION, lasts=0.7, leaves="done", shows="^B:$"),
        types("2", leaves="end"),
    ),
    _asks(
        "bash asks twice, without work between",
        "read -p 'First: ' x; read -p 'Second: ' x; touch end",
        types("1", QUESTION, shows="^Second:$"),
        types("2", leaves="end"),
    ),
    _asks(
        "bash asks twice with an angle",
        'for i in 1 2; do read -p "$i> " x; sleep 0.7; done',
        types("a", QUESTION, lasts=0.7, shows="^2>$"),
        types("b", lasts=0.7),
        by_screen=False,
    ),
    _asks(
        "bash asks again after a wrong answer",
        "until [ \"$x\" = y ]; do read -p 'Sure? ' x; done",
        types("n", QUESTION, shows=r"^Sure\? n\nSure\?$"),
        types("y"),
    ),
    _asks(
        "bash works after the answer",
        "read -p 'Go on? ' x; sleep 0.7; touch done",
        types("y", lasts=0.7, leaves="done"),
    ),
    _asks("bash is interrupted in a question", "read -p 'Name: ' x", presses("C-c")),
    _asks(
        "bash asks while a job prints",
        "(sleep 0.5; echo late) & read -p 'Name: ' x; wait",
        types("Ada", shows="late$"),
        by_screen=False,
    ),
    _asks("bash asks without a word", "read x", types("Ada"), by_screen=False),
    _asks_only_the_kernel("bash asks with a dollar at the end", "'Amount in $ '"),
    _asks_only_the_kernel("bash asks with an angle", "'> '"),
    _asks_only_the_kernel("bash asks with a percent sign", "'100% '"),
    _asks_only_the_kernel("bash asks with its own prompt", '"$PS1"'),
    # They are read by the line editor that reads commands, but at another place.
    *(
        _asks(name, f"{command} x", types("x"), types("true"), by_screen=False)
        for name, command in (
            ("bash asks with its line editor and an angle", "read -e -p '> '"),
            ("bash asks with its line editor and its own prompt", 'read -e -p "$PS1"'),
            ("bash asks with its line editor in other words", "read -e -p 'so far '"),
            ("bash asks in a function", "f() { read -e -p '> '; }; f"),
        )
    ),
    _asks(
        "bash asks again with its line editor",
        "until [ \"$x\" = y ]; do read -e -p 'Sure? ' x; done",
        types("n", QUESTION, shows=r"^Sure\? n\nSure\?$"),
        types("y"),
        by_screen=False,
    ),
    _asks(
        "bash asks at the end of a block",
        "read -e -p 'Sure? ' x",
        types("y"),
        types("for x in 1", MORE),
        types("do read -e -p 'Sure? ' x", MORE),
        types("done", QUESTION),
        types("y"),
        by_screen=False,
    ),
)

_OF_OTHER_SHELLS = (
    _asks("dash asks", "printf 'Name: '; read x", types("Ada"), program=DASH),
    _asks(
        "dash asks with its own prompt",
        "printf '$ '; read x",
        types("x"),
        program=DASH,
        by_screen=False,
    ),
    _asks(
        "dash asks again and again",
        "while read x; do printf 'more: '; done",
        types("n", QUESTION),
        types("n", QUESTION),
        presses("C-d", QUESTION, PROMPT),
        program=DASH,
        by_screen=False,
    ),
    _asks("zsh asks", "read 'x?Name: '", types("Ada"), program=ZSH),
    _asks("zsh asks for y or n", "read -q 'x?Sure? '", presses("y"), program=ZSH),
    _asks("zsh shows a menu", "select x in red blue; do break; done", types("1"), program=ZSH),
    _asks(
        "zsh has a variable edited",
        "x=old; vared -p 'Value: ' x",
        types("er"),
        types("echo $x", shows="^older$"),
        program=ZSH,
        by_screen=False,
    ),
    _asks("fish asks", "read -P 'Name: ' x", types("Ada"), program=FISH),
    _asks("fish asks in its own words", "read x", types("Ada"), program=FISH),
    _asks(
        "fish asks with an angle",
        "read -P 'name> ' x",
        types("Ada"),
        program=FISH,
        by_screen=False,
    ),
    _asks("fish asks for one key", "read -n1 -P 'Key? ' x", presses("y"), program=FISH),
)

_OF_PROGRAMS = (
    _asks(
        "cat reads without a word",
        "cat",
        types("meow", QUESTION, shows="^meow\nmeow$"),
        presses("C-d"),
        by_screen=False,
    ),
    _asks("cat is interrupted", "cat", presses("C-c"), by_screen=False),
    _asks("cat is stopped", "cat", presses("C-z"), types("kill %1"), by_screen=False),
    _asks(
        "rm -i asks for each file",
        "rm -i one two",
        types("y", QUESTION, shows="two"),
        types("y"),
        prepare="touch one two",
    ),
    _asks("cp -i asks", "cp -i one two", types("y"), prepare="touch one two"),
    _asks("find -ok asks", "find . -prune -ok touch done ';'", types("y", leaves="done")),
    _asks("xargs -p asks", "echo done | xargs -p touch", types("y", leaves="done")),
    _asks(
        "git asks for a hunk",
        "git add -p",
        types("?", QUESTION),
        types("y"),
        prepare=_A_CHANGE,
        needs=("git",),
    ),
    _asks(
        "openssl asks for a country",
        "openssl req -new -newkey rsa:1024 -nodes -keyout key -out csr",
        types("", QUESTION, shows="Name"),
        presses("C-c"),
        needs=("openssl",),
    ),
    _asks("a script asks as apt does", "sh apt", types("Y", shows="^Y it"), prepare=_APT_ASKS),
    _asks(
        "a script of python asks twice",
        f"{sys.executable} ask.py",
        types("Ada", QUESTION, lasts=0.7, leaves="done", shows="^Age:$"),
        types("36", shows="^Ada is 36$|^Age: 36$"),
        prepare=_PYTHON_ASKS,
    ),
    Scenario(
        # The prompt of a REPL that reads whole lines, as tclsh, looks just the same.
        name="a script of python asks with a dollar at the end",
        program=BASH,
        turns=(
            types(f"{sys.executable} -c \"input('Amount in $ ')\"", QUESTION, PROMPT),
            types("5"),
        ),
    ),
    # It reads keys, and its event loop waits for other things as well.
    _asks(
        "a script of node asks",
        "node ask.js",
        types("Ada", shows="^Hello Ada$"),
        prepare=_NODE_ASKS,
        needs=("node",),
    ),
    # Of what is behind a relay, as ssh and newer sudo are, only the screen tells.
    _asks(
        "a relay passes a question on",
        "script -q -c 'rm -i one' log",
        types("y"),
        prepare="touch one",
        needs=("script",),
    ),
    Scenario(
        name="a relay passes on what is no prompt",
        program=BASH,
        needs=("script",),
        turns=(types("script -q -c \"printf '50%%'; sleep 0.7; touch done\" log", leaves="done"),),
    ),
    _asks(
        "more shows a page at a time",
        "seq 100 | more",
        presses("Space", QUESTION),
        presses("q"),
        needs=("more",),
    ),
    _asks(
        "more shows how far it is",
        "more numbers",
        presses("q"),
        prepare="seq 100 > numbers",
        needs=("more",),
    ),
    _asks(
        "less on the main screen shows a page at a time",
        "seq 100 | less -X",
        presses("Space", QUESTION),
        presses("q"),
        needs=("less",),
    ),
    Scenario(
        # It draws on the main screen, or on the alternate one where it is built that way.
        name="dialog asks in a box",
        program=BASH,
        needs=("dialog",),
        turns=(types("dialog --yesno 'Go on?' 7 40", QUESTION, FULLSCREEN), presses("Enter")),
    ),
    Scenario(
        name="a program that is slow to start asks",
        program=SLOW_TO_START,
        turns=(types("Ada", TIMEOUT, timeout=1.0),),
        by_screen=True,
    ),
)

SCENARIOS = (*_OF_BASH, *_OF_SCRIPTS, *_OF_OTHER_SHELLS, *_OF_PROGRAMS)
