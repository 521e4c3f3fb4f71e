"""git: which starts editors and pagers by itself, and asks questions in lines."""

from tests.scenarios.model import (
    FULLSCREEN,
    PROMPT,
    QUESTION,
    SECRET,
    Program,
    Scenario,
    presses,
    types,
)
from tests.scenarios.shells import BASH

# Desktops and editors set these, and a window would ask what the terminal should.
GIT = Program(
    command=BASH.command,
    env={**BASH.env, "GIT_ASKPASS": "", "GIT_EDITOR": "vim --clean", "GIT_PAGER": ""},
    needs=("git",),
)
# Without LESS, git calls its pager so that it leaves the screen as it is: no alternate screen.
PAGED = Program(command=BASH.command, env={**BASH.env, "GIT_PAGER": "less"}, needs=("git", "less"))
FULL_PAGED = Program(
    command=BASH.command, env={**BASH.env, "GIT_PAGER": "less -+F -+X"}, needs=("git", "less")
)

REPOSITORY = """
git init -q .
git config user.name me
git config user.email me@localhost
git config advice.detachedHead false
for word in one two three; do
  printf '%s\n' $word - - - - - - - - >>file
  git add file
  git commit -qm $word
done
"""
CHANGED = REPOSITORY + "sed -i.old s/one/ONE/ file; echo four >>file\n"
MANY_COMMITS = REPOSITORY + "for n in {1..30}; do git commit -q --allow-empty -m $n; done\n"
MUCH_CHANGED = REPOSITORY + "seq 100 >>file\n"
SLOW_HOOK = """
printf '#!/bin/sh\nprintf "checking 50%%%% "; sleep 1; touch done\n' >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
"""
ASKING_HOOK = """
printf '#!/bin/bash\nread -p "Sure? " x </dev/tty\n' >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
"""
CREDENTIAL = r"printf 'protocol=https\nhost=localhost\n\n' | git credential fill"

SCENARIOS = (
    Scenario(
        name="git commit opens an editor",
        program=GIT,
        turns=(
            types("git commit -a", FULLSCREEN, shows="Please enter the commit message"),
            types("ifour", FULLSCREEN),
            presses("Escape", FULLSCREEN),
            types(":wq", PROMPT, shows="four$"),
        ),
        prepare=CHANGED,
        needs=("vim",),
        by_screen=True,
    ),
    Scenario(
        name="git commit is given up in the editor",
        program=GIT,
        turns=(
            types("git commit -a", FULLSCREEN),
            types(":cq", PROMPT, shows="^Please supply the message"),
        ),
        prepare=CHANGED,
        needs=("vim",),
        by_screen=True,
    ),
    Scenario(
        name="git commit runs a slow hook before the editor",
        program=GIT,
        turns=(
            types("git commit -a", FULLSCREEN, leaves="done"),
            types(":cq", PROMPT),
        ),
        prepare=CHANGED + SLOW_HOOK,
        needs=("vim",),
    ),
    Scenario(
        name="git commit runs a hook that asks",
        program=GIT,
        turns=(
            types("git commit -am four", QUESTION, shows=r"^Sure\?$"),
            types("yes", PROMPT, shows="four$"),
        ),
        prepare=CHANGED + ASKING_HOOK,
        by_screen=True,
    ),
    Scenario(
        name="git commit is quick",
        program=GIT,
        turns=(types("git commit -am four && touch done", PROMPT, leaves="done"),),
        prepare=CHANGED,
        by_screen=True,
    ),
    Scenario(
        name="git rebase opens an editor",
        program=GIT,
        turns=(
            types("git rebase -i HEAD~2", FULLSCREEN, shows="^pick .* three$"),
            types(":q", PROMPT, shows="Success"),
        ),
        prepare=REPOSITORY,
        needs=("vim",),
        by_screen=True,
    ),
    Scenario(
        name="git rebase runs a slow command for each commit",
        program=GIT,
        turns=(
            types("git rebase -q --exec 'sleep 0.5; touch done$(git log -1 --format=%s)' HEAD~2"),
            types("ls done*", PROMPT, shows="donethree  donetwo"),
        ),
        prepare=REPOSITORY,
        by_screen=True,
    ),
    Scenario(
        name="git add asks about each hunk",
        program=GIT,
        turns=(
            types("git add -p", QUESTION, shows=r"^\(1/2\) Stage this hunk .*\?$"),
            types("y", QUESTION, shows=r"^\(2/2\) Stage this hunk .*\?$"),
            types("?", QUESTION, shows="^q - quit"),
            types("q", PROMPT),
        ),
        prepare=CHANGED,
        by_screen=True,
    ),
    Scenario(
        name="git add takes a single key",
        program=GIT,
        turns=(
            types("git -c interactive.singleKey=true add -p", QUESTION, shows=r"^\(1/2\) Stage"),
            presses("n", QUESTION, shows=r"^\(2/2\) Stage"),
            presses("q", PROMPT),
        ),
        prepare=CHANGED,
        by_screen=True,
    ),
    Scenario(
        # "What now>$" is a question, or the prompt of a small shell.
        name="git clean shows a menu",
        program=GIT,
        turns=(
            types("git clean -i", QUESTION, PROMPT, shows="^What now>$"),
            types("ask each", QUESTION, PROMPT, shows=r"^Remove litter .*\?$"),
            types("y", PROMPT, shows="^Removing litter$"),
        ),
        prepare=REPOSITORY + "touch litter\n",
    ),
    Scenario(
        name="git log starts a pager on the same screen",
        program=PAGED,
        turns=(
            types("git log --oneline", QUESTION, shows="^:"),
            presses("Space", QUESTION, shows=r"one\n.*\(END\)"),
            presses("q", PROMPT),
        ),
        prepare=MANY_COMMITS,
    ),
    Scenario(
        name="git log starts a pager on another screen",
        program=FULL_PAGED,
        turns=(types("git log --oneline", FULLSCREEN), presses("q", PROMPT)),
        prepare=MANY_COMMITS,
        by_screen=True,
    ),
    Scenario(
        name="git log needs no pager when it is short",
        program=PAGED,
        turns=(types("git log --oneline", PROMPT, shows="three$"),),
        prepare=REPOSITORY,
        by_screen=True,
    ),
    Scenario(
        name="git diff starts a pager",
        program=FULL_PAGED,
        turns=(
            types("git diff", FULLSCREEN, shows=r"^\+1$"),
            types("/99", FULLSCREEN, shows=r"^\+99$"),
            presses("q", PROMPT),
        ),
        prepare=MUCH_CHANGED,
        by_screen=True,
    ),
    Scenario(
        name="git clone shows its progress",
        program=GIT,
        turns=(
            types("git clone --progress file://$PWD copy && touch done", PROMPT, leaves="done"),
        ),
        prepare=REPOSITORY,
        by_screen=True,
    ),
    Scenario(
        name="git clone waits for a slow server",
        program=GIT,
        turns=(
            types(
                "git clone -u 'sleep 1; git-upload-pack' file://$PWD copy && touch done",
                PROMPT,
                leaves="done",
                lasts=1,
            ),
        ),
        prepare=REPOSITORY,
        by_screen=True,
    ),
    Scenario(
        name="git asks for a name and a password",
        program=GIT,
        turns=(
            types(CREDENTIAL, QUESTION, shows="^Username for .*:$"),
            types("me", SECRET, shows="^Password for .*:$"),
            types("secret", PROMPT, shows="^password=secret$"),
        ),
        by_screen=True,
    ),
)
