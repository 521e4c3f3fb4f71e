"""What a program is called, and what it runs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tmuxprim._values.programs import (
    Kind,
    bare_name,
    is_named,
    program_called,
    program_itself,
    program_run_by,
)


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("bash", "bash"),
        ("-bash", "bash"),
        ("/opt/homebrew/bin/bash-5.2", "bash"),
        ("bash-5.3-beta", "bash"),
        ("zsh5", "zsh"),
        ("zsh-5.9", "zsh"),
        ("zsh-5.9.0.2-dev", "zsh"),
        ("zsh5-static", "zsh"),
        ("ksh93", "ksh"),
        ("ksh93u+m", "ksh"),
        ("mksh-r59c", "mksh"),
        ("busybox.static", "busybox"),
        ("python3.13", "python"),
        ("python3.13t", "python"),
        ("python3.11-dbg", "python"),
        ("sqlite3", "sqlite"),
        ("gdb-multiarch", "gdb"),
        ("redis-cli", "redis-cli"),
        ("tmux: server", "tmux"),
        ("R", "R"),
        ("7z", "7z"),
        ("2048", "2048"),
        ("sha256sum", "sha256sum"),
        ("", ""),
    ],
)
def test_a_name_is_said_once(name: str, bare: str) -> None:
    """Directory, dash, version and build differ from machine to machine."""
    assert bare_name(name) == bare


@given(st.text())
def test_a_bare_name_stays(name: str) -> None:
    """Any name has a bare one, which is its own."""
    assert bare_name(bare_name(name)) == bare_name(name)


_VERSIONS = ("", "3", "-5.2", "5.9", "93", "3.13", "-5.9.0.1")


@given(
    st.sampled_from(["bash", "zsh", "ksh", "fish", "dash", "python", "sqlite", "ssh", "fzf"]),
    st.sampled_from(["", "-", "/usr/bin/", "/opt/x-2/bin/"]),
    st.sampled_from(_VERSIONS),
)
def test_what_is_known_does_not_depend_on_a_version(name: str, before: str, version: str) -> None:
    """All that is asked of a program is answered by one table, whatever the machine calls it."""
    assert program_called(f"{before}{name}{version}") == program_called(name)
    assert program_called(name).kind is not Kind.OTHER
    assert is_named(f"{before}{name}{version}", (name,))


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("", ""),
        ("vim notes", "vim"),
        ("-bash", "bash"),
        ("/usr/bin/opencode", "opencode"),
        ("claude.exe", "claude"),
        # no file
        ("node", "node"),
        ("python3 -q", "python3"),
        ("python3 -", "python3"),
        ("python3 - app.py", "python3"),
        ("python3 -c pass app.py", "python3"),
        ("python3 -Ic pass app.py", "python3"),
        ("python3 -m", "python3"),
        ("python3 -W", "python3"),
        ("node -e 1 app.js", "node"),
        ("node --eval 1 app.js", "node"),
        ("node --print 1", "node"),
        ("ruby -e 1 app.rb", "ruby"),
        ("perl -wne print notes", "perl"),
        ("php -r 1; x", "php"),
        ("bash -c vim x", "bash"),
        ("bash -ec vim x", "bash"),
        ("bash -s x", "bash"),
        ("bash --norc -i", "bash"),
        ("bash +o posix", "bash"),
        ("sudo -i", "sudo"),
        ("env", "env"),
        ("env A=1", "env"),
        # a file
        ("node /usr/lib/node_modules/.bin/gemini --yolo", "gemini"),
        ("node --no-warnings /opt/codex/bin/codex.js", "codex"),
        ("node -r dotenv/config /usr/bin/gemini", "gemini"),
        ("node --require dotenv/config /usr/bin/gemini", "gemini"),
        ("node --require=dotenv/config /usr/bin/gemini", "gemini"),
        ("node --import tsx --env-file .env agent.ts -e", "agent"),
        ("node --max-old-space-size=99 -- /usr/bin/gemini", "gemini"),
        ("node inspect app.js", "app"),
        ("bun run gemini", "gemini"),
        ("bun --watch run run", "run"),
        ("deno run -A --config x.json main.ts", "main"),
        ("/venv/bin/python3.11 /venv/bin/aider", "aider"),
        ("python -m aider --no-git", "aider"),
        ("python -maider --no-git", "aider"),
        ("python3 -W ignore app.py", "app"),
        ("python3 -Wignore app.py", "app"),
        ("python3.13t -uW ignore -X dev app.py", "app"),
        ("python3 -um http.server 80", "http.server"),
        ("python3 --check-hash-based-pycs always app.py", "app"),
        ("ruby -W0 -I lib -rset app.rb", "app"),
        ("ruby -S irb", "irb"),
        ("perl -Mstrict -I lib -T script.pl", "script"),
        ("perl -i.bak script.pl", "script"),
        ("php -d x=1 -f app.php y", "app"),
        ("php artisan", "artisan"),
        ("lua5.4 -l x -e y app.lua", "app"),
        ("bash -o posix +O extglob /usr/bin/gemini", "gemini"),
        ("bash --rcfile x /usr/bin/gemini", "gemini"),
        ("sh /usr/bin/gemini", "gemini"),
        ("fish --init-command x app.fish", "app"),
        # a command
        ("env -u B A=1 node /usr/bin/gemini", "gemini"),
        ("env -i -- A=1 gemini", "gemini"),
        ("nice -n 5 python3 -W ignore app.py", "app"),
        ("sudo -u bob A=1 gemini", "gemini"),
        ("timeout -k 5 10 gemini -y", "gemini"),
        ("nohup nice env claude", "claude"),
    ],
)
def test_the_name_of_what_is_run(line: str, name: str) -> None:
    """An option's value is no program, and code is none; an interpreter's file is."""
    assert program_run_by(line.split()) == name


@given(st.lists(st.text(max_size=5)), st.sampled_from(["node", "python3", "sh", "sudo", "env"]))
def test_any_words_name_something(words: list[str], first: str) -> None:
    """A program may write what it likes over its command line."""
    assert isinstance(program_run_by([first, *words]), str)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("python3 -q", Kind.REPL),
        ("python3 program.py", Kind.OTHER),
        ("python3 -c code", Kind.OTHER),
        ("env A=1 python3 -c code", Kind.OTHER),
        ("-zsh", Kind.SHELL),
        ("bash -c code", Kind.OTHER),
        ("python3 /usr/bin/ipython", Kind.REPL),
        ("", Kind.OTHER),
    ],
)
def test_what_is_known_of_a_script_is_not_what_is_known_of_its_interpreter(
    line: str, kind: Kind
) -> None:
    """A REPL that is given something to carry out is none."""
    assert program_itself(line.split()).kind is kind
