"""Prompts of all looks, and those that change, come late or cannot be told from a question."""

from collections.abc import Iterator

import attrs

from tests.scenarios.model import (
    MORE,
    PROMPT,
    QUESTION,
    Program,
    Scenario,
    Turn,
    presses,
    types,
)
from tests.scenarios.shells import BASH, FISH

_SLEEP = types("sleep 0.4; touch ~/done", leaves="done")
_USUAL = (types("echo hi", shows="hi"), _SLEEP)


def _bash(
    name: str,
    ps1: str,
    *turns: Turn,
    leaves: str = "",
    prepare: str = "",
    needs: str = "",
    by_screen: bool = True,
    **env: str,
) -> Scenario:
    """Return a scenario of bash with a prompt of its own."""
    program = Program(command=BASH.command, env={"PS1": ps1, **env}, leaves=leaves)
    return Scenario(
        name=name,
        program=program,
        turns=turns or _USUAL,
        prepare=prepare,
        needs=tuple(needs.split()),
        by_screen=by_screen,
    )


def _zsh(name: str, rc: str, *turns: Turn, leaves: str = "", by_screen: bool = True) -> Scenario:
    """Return a scenario of zsh with a .zshrc."""
    return Scenario(
        name=name,
        program=Program(command=("zsh",), leaves=leaves),
        turns=turns or _USUAL,
        prepare=f"cat > .zshrc << 'END'\n{rc}\nEND",
        by_screen=by_screen,
    )


def _fish(name: str, config: str, *turns: Turn, leaves: str = "") -> Scenario:
    """Return a scenario of fish with some configuration."""
    program = Program(command=(*FISH.command, "--init-command", config), leaves=leaves)
    return Scenario(name=name, program=program, turns=turns or _USUAL, by_screen=True)


_LOOKS = (
    _bash("a prompt of two lines", "\\u in \\w\n$ "),
    _bash("a prompt after an empty line", "\\n$ "),
    _bash("a prompt of three lines with a frame", "┌ \\u\n├ \\w\n└$ "),
    _bash("a heavy angle", "❯ "),  # noqa: RUF001  # that prompt
    _bash("a lambda", "λ "),
    _bash("an arrow and a directory", "➜  \\W "),
    _bash("an arrow, a directory and a branch", "➜  \\W git:(main) "),
    _bash("powerline", " me \ue0b0 \\W \ue0b0 "),
    _bash("colours", "\\[\\e[1;32m\\]me\\[\\e[0m\\]:\\[\\e[34m\\]~\\[\\e[0m\\]$ "),
    _bash("a title and marks in the prompt", "\\[\\e]0;me\\a\\e]133;A\\a\\]$ \\[\\e]133;B\\a\\]"),
    _bash("the prompt of a superuser", "# "),
    _bash("a percent sign", "host% "),
    _bash("no space after the prompt", "$"),
    _bash("spaces around the prompt", "   $   "),
    _bash("a smiling prompt", "[\\u] :-) ", by_screen=False),
    _bash("a wide character at the end", "用户 ", by_screen=False),
    _bash("a prompt wider than the pane", "p" * 100 + "$ "),
    # A line of output that is as wide leaves the same picture.
    _bash("a prompt as wide as the pane", "p" * 78 + "$ ", by_screen=False),
    _bash("a prompt nearly as wide as the pane", "p" * 77 + "$ "),
    _bash("a command wider than the pane", "$ ", types("echo " + "x" * 150), _SLEEP),
    _bash("only a directory", "\\w ", by_screen=False),
    _zsh("a right-hand prompt", "PS1='%n$ '; RPROMPT='%~ [12:00] $ '"),
    _zsh("zsh's prompt of two lines with a right-hand one", "PS1=$'%~\\n%# '; RPROMPT='<ok>'"),
    _zsh("zsh's colours", "PS1='%F{green}%n%f %B%#%b '"),
    _fish("fish's own prompt", "true"),
    _fish("fish's right-hand prompt", "function fish_right_prompt; echo -n '[right] $'; end"),
    _fish(
        "fish's prompt of two lines",
        "function fish_prompt; printf '%s\\n❯ ' $PWD; end",  # noqa: RUF001  # that prompt
    ),
)

_PLACES = (
    _bash("a prompt behind output", "$ ", types("printf x", shows="^x\\$"), *_USUAL),
    _bash("output that ends like a prompt", "$ ", types("printf '$ '"), *_USUAL),
    _bash("output that is two prompts", "$ ", types("printf '$ \\n$ \\n'"), _SLEEP),
    _bash("a prompt at the last row", "$ ", types("seq 100"), types("echo hi"), _SLEEP),
    _bash("a prompt on a cleared screen", "$ ", types("clear"), types("clear"), _SLEEP),
    _bash("a prompt in the middle of the screen", "$ ", types("printf '\\e[5;20H'"), _SLEEP),
    _bash("a prompt that repeats the command", "echo hi$ ", types("echo hi"), _SLEEP),
    _bash(
        "a command that ends like a prompt",
        "$ ",
        types("sleep 0.5; touch done # $ ", leaves="done"),
    ),
    _zsh("zsh marks a line that was not ended", "PS1='%# '", types("printf x"), _SLEEP),
)

_CHANGES = (
    _bash(
        "the directory in the prompt",
        "\\w$ ",
        types("cd sub", shows="sub\\$ *$"),
        _SLEEP,
        types("cd .."),
        prepare="mkdir sub",
    ),
    _bash(
        "the branch in the prompt",
        "($(git branch --show-current)) $ ",
        types("git checkout -qb other", shows="^\\(other\\)"),
        _SLEEP,
        prepare="git init -qb main",
        needs="git",
    ),
    _bash("a virtual environment", "$ ", types('PS1="(venv) $PS1"', shows="^.venv. \\$"), _SLEEP),
    _bash("a prompt of another look", "$ ", types("PS1='me> '"), types("PS1='λ '"), *_USUAL),
    _bash("the last command in the prompt", "[$(history 1)] $ "),
    _bash("the last status in the prompt", "$? $ ", types("false", shows="^1 "), _SLEEP),
    _bash("a clock in the prompt", "$(date +%N) $ "),
    _bash("a counter in the prompt", "\\# $ "),
    _zsh(
        "a prompt that shrinks when it is left",
        """PS1=$'%~ in a directory\\n%# '
zle-line-finish() { PS1='%# '; zle reset-prompt; PS1=$'%~ in a directory\\n%# ' }
zle -N zle-line-finish""",
    ),
    _zsh(
        "a clock that ticks in the prompt",
        "PS1='%D{%S} %# '; TMOUT=1; TRAPALRM() { zle reset-prompt }",
        types("sleep 1.2; touch done", leaves="done"),
        types("echo hi"),
    ),
    _zsh(
        "a prompt that is drawn again when git has answered",
        """PS1='(...) %# '
answer() { read -u $1 _; zle -F $1; exec {fd}<&-; PS1='(main) %# '; zle reset-prompt }
precmd() { PS1='(...) %# '; exec {fd}< <(sleep 0.3; echo); zle -F $fd answer }""",
        attrs.evolve(types("true"), draws_again=True),
        attrs.evolve(_SLEEP, lasts=0.4, draws_again=True),
    ),
)

# The prompt makes `done` before it is shown, the first one as well.
_AGAIN = types("rm -f done", leaves="done")

_SLOW = (
    _bash(
        "a slow prompt",
        "$ ",
        _AGAIN,
        leaves="done",
        PROMPT_COMMAND="sleep 0.5; touch done",
    ),
    _bash(
        "a slow prompt that tells what it does",
        "$ ",
        _AGAIN,
        leaves="done",
        PROMPT_COMMAND="echo looking for 100%; sleep 0.5; touch done",
    ),
    _bash(
        "a prompt whose end comes late",
        "me$(sleep 0.5; touch done) $ ",
        _AGAIN,
        leaves="done",
    ),
    _bash(
        "a prompt of two lines whose last comes late",
        "$ ",
        _AGAIN,
        leaves="done",
        PROMPT_COMMAND="echo '~/src >'; sleep 0.5; touch done",
    ),
    _bash(
        "a prompt that is painted piece by piece",
        "$ ",
        _AGAIN,
        leaves="done",
        PROMPT_COMMAND="printf 'a $ '; sleep 0.2; printf 'b $ '; sleep 0.2; touch done",
        by_screen=False,
    ),
    _zsh(
        "zsh's slow precmd",
        "PS1='%# '; precmd() { sleep 0.5; touch done }",
        _AGAIN,
        leaves="done",
    ),
    _zsh(
        "zsh's slow preexec",
        "PS1='%# '; preexec() { sleep 0.3 }; precmd() { sleep 0.3; touch done }",
        types("rm -f done", lasts=0.6, leaves="done"),
        leaves="done",
    ),
    _fish(
        "fish's slow prompt",
        "function fish_prompt; sleep 0.5; touch done; echo -n 'fish> '; end",
        _AGAIN,
        leaves="done",
    ),
)

_DOUBTFUL = (
    # bash's own continuation is "> " too, so what stands there after an open quote is both.
    _bash("a prompt like bash's continuation", "> ", *_USUAL, types("echo 'a", PROMPT, MORE)),
    # The screen alone cannot tell these from a question; the flags of a line editor can.
    _bash("a prompt that ends in a colon", "cmd: ", by_screen=False),
    _bash("a prompt that ends in a question mark", "what now? ", by_screen=False),
    _bash("no prompt at all", "", by_screen=False),
    # In a block bash reads on where it reads commands, and shows the same: nobody can tell.
    _bash(
        "a block whose continuation looks like the prompt",
        "$ ",
        types("if true; then", MORE, PROMPT),
        types("echo b; fi", shows="^b$"),
        _SLEEP,
        by_screen=False,
        PS2="$ ",
    ),
)

# What shells may show where they want more; and where the line alone does not tell it.
_PS2 = {"an angle": ">", "a word and an angle": "more> ", "a plus": "+ ", "dots": "... "}
_UNLIKE_MORE = {"nothing": "", "a question": "more? ", "the prompt": "$ "}
_OPEN = (
    types("echo 'a", MORE),
    types("b", MORE),
    types("c'; sleep 0.4; touch done", shows="^b$", leaves="done"),
)
_BLOCK = (
    types("if true; then", MORE),
    types("sleep 0.4", MORE),
    types("touch done; fi", leaves="done"),
)
_SHELLS = {"bash": BASH.command, "zsh": ("zsh", "-f"), "dash": ("dash",), "mksh": ("mksh",)}


def _with_ps2(name: str, ps2: str, shell: str) -> Iterator[Scenario]:
    # Some shells forget what they find in the environment.
    told = types(f"PS1='$ '; PS2='{ps2}'")
    for what, turns in (("quote", _OPEN), ("block", _BLOCK)):
        if what == "block" and ps2 == "$ ":
            continue  # that of bash is among the doubtful
        yield Scenario(
            name=f"an open {what} where {shell} asks for more with {name}",
            program=Program(command=_SHELLS[shell]),
            turns=(told, *turns, types("rm done"), _SLEEP),
            by_screen=shell == "bash" and ps2 in _PS2.values(),
        )


_WIDE = tuple(
    Scenario(
        name=f"a block below a line of {width} columns in {shell}",
        program=Program(command=_SHELLS[shell]),
        turns=(
            types("PS1='$ '; PS2='+ '"),
            types(f"if echo {'x' * (width - 16)}; then", MORE),
            types(f"true {'x' * (width - 7)}", MORE),
            types("sleep 0.4", MORE),
            types("touch done; fi", leaves="done"),
        ),
    )
    for width in (79, 80, 81, 200)
    for shell in _SHELLS
)

_MORE = tuple(
    scenario
    for name, ps2 in {**_PS2, **_UNLIKE_MORE}.items()
    for shell in _SHELLS
    for scenario in _with_ps2(name, ps2, shell)
)

# Prompts of which nobody could know that they are some.
_ODD = {
    "a word": "ready",
    "an emoji": "🐍 ",
    "a question": "what now? ",
    "a percentage": "100% ",
    "a password": "password: ",
    "an angle": "> ",
    "a plus": "+ ",
}


def _comes_to_be(name: str, ps1: str, shell: str) -> Scenario:
    text = ps1.replace("%", "%%") if shell == "zsh" else ps1
    return Scenario(
        name=f"{shell}'s prompt comes to be {name}",
        program=Program(command=_SHELLS[shell]),
        turns=(
            types(f"PS1='{text}'"),
            types("true"),
            types("echo hi", shows="^hi$"),
            types("printf 'Name: '; read x", QUESTION),
            types("Ada"),
            types("echo 'a", MORE),
            presses("C-c"),
            _SLEEP,
        ),
    )


_COME = (
    *(_comes_to_be(name, ps1, shell) for name, ps1 in _ODD.items() for shell in _SHELLS),
    *(
        Scenario(
            name=f"{first} becomes {then}, whose prompt is {name}",
            program=Program(command=_SHELLS[first]),
            turns=(types(f"PS1='{ps1}' exec {' '.join(_SHELLS[then])}"), types("true"), _SLEEP),
            needs=(then,),
        )
        for name, ps1 in (("a word", "ready"), ("a question", "what now? "), ("a key", "PIN: "))
        for first, then in (("bash", "zsh"), ("zsh", "bash"), ("bash", "bash"), ("mksh", "zsh"))
    ),
    Scenario(
        name="a virtual environment of a snapshot that nobody knows",
        program=BASH,
        turns=(
            types(". venv/bin/activate", shows="^venv here:"),
            types("true"),
            _SLEEP,
            types("deactivate", shows="^\\$ *$"),
        ),
        prepare=(
            "mkdir -p venv/bin; cat > venv/bin/activate << 'END'\n"
            "deactivate() { PS1=$old; }\nold=$PS1; PS1='venv here: '\nEND"
        ),
    ),
    Scenario(
        name="fish's prompt comes to be an angle",
        program=FISH,
        turns=(
            types("function fish_prompt", MORE),
            types("echo -n '> '", MORE),
            types("end"),
            types("true"),
            types("echo 'a", MORE),
            types("b'", shows="^b$"),
            _SLEEP,
        ),
    ),
    Scenario(
        name="fish's prompt comes to be a question",
        program=FISH,
        turns=(types("function fish_prompt; echo -n 'what now? '; end"), types("true"), _SLEEP),
    ),
    _bash(
        "a prompt that a block has changed",
        "$ ",
        types("for x in 1", MORE),
        types("do PS1=ready", MORE),
        types("done", shows="^ready$"),
        types("true"),
        _SLEEP,
        by_screen=False,
        PS2="+ ",
    ),
)

SCENARIOS = (*_LOOKS, *_PLACES, *_CHANGES, *_SLOW, *_DOUBTFUL, *_MORE, *_WIDE, *_COME)
