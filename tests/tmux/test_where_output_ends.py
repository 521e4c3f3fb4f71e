"""`Console.run` at shells whose end of output is hard to tell: it is exact, or says that it is not.

Each shell is set up as people have it: with a theme, with hooks, with options of the prompt.
"""

import tempfile
from pathlib import Path

import pytest

from tests.tmux.remote import PROGRAMS, Far
from tests.tmux_server import Server
from tmuxprim import Console, Outcome, Size, TmuxTerminal

pytestmark = [pytest.mark.tmux, pytest.mark.needs("bash", "fish", "zsh")]

SIZE = Size(40, 8)
# A command, and what it prints.
COMMANDS = {
    "echo hi": "hi\n",
    "printf abc": "abc",
    "true": "",
    "printf 'x\\nabc'": "x\nabc",
    "printf %040d 0": "0" * 40,
    "printf %039d 0": "0" * 39,
    "printf '%040d\\n' 0": "0" * 40 + "\n",
    "printf %0400d 7": "7".zfill(400),
    "seq 9; printf %0501d 7": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" + "7".zfill(501),
    "printf 'a%39s\\n' ''": "a" + " " * 39 + "\n",
    "printf 'a%%%38s\\n' ''": "a%" + " " * 38 + "\n",
    "printf 'a⏎%38s\\n' ''": "a⏎" + " " * 38 + "\n",
    "printf 'a⏎'": "a⏎",
    "echo '$ '": "$ \n",
    "echo": "\n",
}
SHELLS = {
    "bash": "PS1='$ '",
    "bash, as ble.sh marks": (
        "PS1='$ '\nPROMPT_COMMAND='printf \"\\e[94m[ble: EOF]\\e[m%28s  \\r\\e[K\" \"\"'"
    ),
    "bash, a hook": "PS1='$ '\nPROMPT_COMMAND='echo up'",
    "zsh": "PROMPT='$ '",
    "zsh, as pure": (
        "PROMPT_EOL_MARK=''\nsetopt nopromptcr\nprecmd() { print; }\nPROMPT=$'%~\\n> '"
    ),
    "zsh, a hook": "precmd() { print; print -P '%~'; }\nPROMPT='%# '",
    "zsh, a hook that prints a blank row": "precmd() { print; }\nPROMPT='%# '",
    "zsh, nopromptsp": "setopt nopromptsp\nPROMPT='$ '",
    "zsh, nopromptsp nopromptcr": "setopt nopromptsp nopromptcr\nPROMPT='$ '",
    "zsh, no mark": "PROMPT_EOL_MARK=''\nPROMPT='$ '",
    "zsh, a mark of its own": "PROMPT_EOL_MARK='<none>'\nPROMPT='$ '",
    "fish": "function fish_prompt; echo -n '$ '; end",
    "fish, a hook": (
        "function fish_prompt; echo -n '$ '; end\nfunction up --on-event fish_prompt; echo up; end"
    ),
}


def start(terminal: TmuxTerminal, name: str, directory: Path) -> Console:
    """Return a console on a shell that has been set up."""
    shell = name.partition(",")[0]
    settings = directory / {"bash": "rc", "zsh": ".zshrc", "fish": "rc.fish"}[shell]
    settings.write_text(f"{SHELLS[name]}\n")
    argv = {
        "bash": ("bash", "--noprofile", "--rcfile", str(settings)),
        "zsh": ("zsh",),
        "fish": ("fish", "--no-config", "--private", "-C", f"source '{settings}'"),
    }[shell]
    env = {"HOME": str(directory), "ZDOTDIR": str(directory), "LC_ALL": "C.UTF-8"}
    return Console(terminal, terminal.open(argv, size=SIZE, cwd=directory, env=env))


@pytest.mark.parametrize("learns", [True, False])
@pytest.mark.parametrize("name", SHELLS)
def test_what_is_called_complete_is_exact(
    server: Server,
    tmp_path: Path,
    name: str,
    learns: bool,  # noqa: FBT001  # a parameter
) -> None:
    """And a shell whose prompt is known gives a line that has ended, if no option hides that."""
    console = start(server.terminal, name, tmp_path)
    if learns:
        console.learn_prompt()
    for command, truth in COMMANDS.items():
        if "ble.sh" in name and len(truth) > 0 and -len(truth) % SIZE.columns < len("[ble: EOF]"):
            continue  # the mark reaches the next row, which is wiped without a trace
        result = console.run(command)
        assert result.readiness.outcome is Outcome.PROMPT, (command, result.readiness)
        assert result.complete is not bool(result.doubt)
        if result.complete:
            assert result.output == truth, command
    if name in {"bash", "zsh", "fish"}:
        result = console.run("echo hi")
        assert (result.output, result.complete) == ("hi\n", True), result.doubt


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_a_line_that_is_longer_than_the_screen(server: Server, tmp_path: Path, name: str) -> None:
    """It is whole, also where it has no line break."""
    console = start(server.terminal, name, tmp_path)
    for before in ("", "1\n2\n3\n"):
        many = f"seq {len(before) // 2}; head -c 10001 /dev/zero | tr '\\0' y"
        assert console.run(many).output == before + "y" * 10_001


def test_a_zsh_whose_options_are_changed(server: Server, tmp_path: Path) -> None:
    """From then on what it overwrites is not called complete."""
    console = start(server.terminal, "zsh", tmp_path)
    assert console.run("printf abc").output == "abc"
    console.run("setopt no_prompt_sp")
    for command, truth in COMMANDS.items():
        result = console.run(command)
        if result.complete:
            assert result.output == truth, command


@pytest.mark.needs(*PROGRAMS)
def test_a_command_behind_ssh_that_shows_the_prompt_and_works_on(server: Server) -> None:
    """Whoever takes that for the end does not call the output complete."""
    console = Console(server.terminal, server.terminal.open(["bash", "--norc", "--noprofile"]))
    with tempfile.TemporaryDirectory(prefix="tp-") as directory:  # a path for sockets is short
        far = Far.prepare(Path(directory))
        connect = f"{' '.join(far.launcher)} -t \"env PS1='far> ' bash --norc --noprofile\""
        assert console.run(connect).readiness.outcome is Outcome.PROMPT
        result = console.run("printf 'far> '; sleep 3; echo ho")
        assert result.output == "far> ho\n" or not result.complete
        console.keys("C-c")
        console.send("exit")
        assert console.wait_ready(60.0)
