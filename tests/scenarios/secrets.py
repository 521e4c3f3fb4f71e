"""Secrets: lines that are read and not shown."""

import os
import sys

from tests.scenarios.model import PROMPT, QUESTION, SECRET, TIMEOUT, Scenario, presses, types
from tests.scenarios.shells import BASH, DASH, FISH, ZSH

# Root is asked for no password, so who is root asks as nobody. On runners of CI sudo asks nobody
# else for one, either, so there it starts another one as nobody.
_SETPRIV = "setpriv --reuid=65534 --regid=65534 --clear-groups "
AS_NOBODY = _SETPRIV if os.geteuid() == 0 else ""
SUDO = f"{_SETPRIV}sudo -k true" if AS_NOBODY else "sudo -k -u nobody sudo -k true"
_TO_BE_NOBODY = ("setpriv",) if AS_NOBODY else ()

_WORK = "import time, getpass; time.sleep(0.7); open('done', 'w').close(); getpass.getpass()"
# At 80 columns only the first row names a secret.
_IN_TWO_ROWS = f"Password of the user who deploys {'to the machine ' * 4}now: "
_OWN_WORDS = "import getpass; getpass.getpass('Word > ')"


def _bash(name: str, command: str, *, by_screen: bool = True) -> Scenario:
    """Return a secret that a command of bash asks for, and then leaves a file."""
    return Scenario(
        name=f"bash {name}",
        program=BASH,
        turns=(types(f"{command}; touch done", SECRET), types("secret", leaves="done")),
        by_screen=by_screen,
    )


SCENARIOS = (
    _bash("asks for a password", "read -s -p 'Password: ' x"),
    _bash("asks for a key's passphrase", "read -s -p 'Enter passphrase for key /tmp/key: ' x"),
    _bash("asks for a PIN", "read -s -p 'PIN: ' x"),
    _bash("asks for a password after a percentage", "echo 100%; read -sp 'Password? ' x"),
    _bash("hides a line without a word", "read -s x", by_screen=False),
    _bash("hides a line with a dollar at the end", "read -s -p 'Worth in $ ' x", by_screen=False),
    _bash("hides a line with an angle", "read -s -p '> ' x", by_screen=False),
    # Its line editor reads keys and has echo off always: only the words tell.
    _bash("asks for a password with its line editor", "read -e -s -p 'Password: ' x"),
    _bash("asks for a password in two rows", f"read -s -p '{_IN_TWO_ROWS}' x"),
    _bash("asks in two rows with its line editor", f"read -e -s -p '{_IN_TWO_ROWS}' x"),
    Scenario(
        name="bash asks for a password after work",
        program=BASH,
        turns=(
            types(
                "sleep 0.7; touch done; read -sp 'Password: ' x", SECRET, lasts=0.7, leaves="done"
            ),
            types("secret"),
        ),
        by_screen=True,
    ),
    Scenario(
        name="bash works in silence and without echo",
        program=BASH,
        turns=(types("stty -echo; sleep 0.7; touch done; stty echo", lasts=0.7, leaves="done"),),
        by_screen=True,
    ),
    Scenario(
        name="bash shows what asks for a password, and works on",
        program=BASH,
        turns=(types("printf 'Password: '; sleep 60", TIMEOUT, timeout=0.8), presses("C-c")),
    ),
    Scenario(
        name="bash asks for a name and a password",
        program=BASH,
        turns=(
            types("read -p 'Login: ' x; read -sp 'Password: ' x; touch done", QUESTION),
            types("ada", SECRET),
            types("secret", leaves="done"),
        ),
        by_screen=True,
    ),
    Scenario(
        name="bash asks for a password again, after a while",
        program=BASH,
        turns=(
            types('until [ "$x" = right ]; do read -sp "Password: " x; sleep 0.7; done', SECRET),
            types("wrong", SECRET, lasts=0.7),
            types("right", lasts=0.7),
        ),
    ),
    Scenario(
        name="bash is interrupted in a password",
        program=BASH,
        turns=(types("read -s -p 'Password: ' x", SECRET), presses("C-c")),
        by_screen=True,
    ),
    Scenario(
        name="cat without echo",
        program=BASH,
        turns=(types("stty -echo; cat; stty echo", SECRET), presses("C-d")),
    ),
    Scenario(
        name="getpass in a script, after work",
        program=BASH,
        turns=(
            types(f'{sys.executable} -c "{_WORK}"', SECRET, lasts=0.7, leaves="done"),
            types("secret"),
        ),
        by_screen=True,
    ),
    Scenario(
        name="getpass in words of its own",
        program=BASH,
        turns=(types(f'{sys.executable} -c "{_OWN_WORDS}"', SECRET), types("secret")),
    ),
    Scenario(
        name="su refuses after a while",
        program=BASH,
        needs=("su", *_TO_BE_NOBODY),
        turns=(
            types(f"{AS_NOBODY}su -c true; touch done", SECRET),
            types("wrong", PROMPT, leaves="done", shows="ailure|orry"),
        ),
        by_screen=True,
    ),
    Scenario(
        name="sudo asks again after a while",
        program=BASH,
        needs=("sudo", *_TO_BE_NOBODY),
        turns=(
            types(f"{SUDO}; touch done", SECRET),
            types("wrong", SECRET, shows="try again"),
            presses("C-c"),
        ),
        by_screen=True,
    ),
    Scenario(
        name="passwd asks for the old password",
        program=BASH,
        needs=("passwd", *_TO_BE_NOBODY),
        turns=(
            types(f"{AS_NOBODY}passwd", SECRET),
            presses("C-d", shows="unchanged"),
        ),  # C-c is ignored
        by_screen=True,
    ),
    Scenario(
        name="ssh-keygen asks for a file and a passphrase",
        program=BASH,
        needs=("ssh-keygen",),
        turns=(
            types("ssh-keygen -q -t ed25519", QUESTION),
            types("key", SECRET),
            types("secret", SECRET, shows="again"),
            types("secret"),
        ),
        by_screen=True,
    ),
    Scenario(
        name="ssh-keygen asks for a key's passphrase",
        program=BASH,
        needs=("ssh-keygen",),
        prepare="ssh-keygen -q -t ed25519 -N secret -f key",
        turns=(types("ssh-keygen -y -f key", SECRET), types("secret", shows="^ssh-ed25519")),
        by_screen=True,
    ),
    Scenario(
        name="openssl asks for a password, twice",
        program=BASH,
        needs=("openssl",),
        turns=(
            types("openssl passwd", SECRET),
            types("secret", SECRET, shows="^Verifying"),
            types("secret"),
        ),
        by_screen=True,
    ),
    Scenario(
        name="openssl asks for a pass phrase in two words",
        program=BASH,
        needs=("openssl",),
        turns=(types("openssl genrsa -aes128 -out key 1024", SECRET), presses("C-c")),
        by_screen=True,
    ),
    Scenario(
        # Of what is behind a relay, as ssh and newer sudo are, only the screen tells.
        name="a relay passes a password on",
        program=BASH,
        needs=("script",),
        turns=(
            types("script -q -c 'stty -echo; printf \"Password: \"; read x' log", SECRET),
            types("secret"),
        ),
        by_screen=True,
    ),
    Scenario(
        name="dash hides a line with an angle",
        program=DASH,
        turns=(types("stty -echo; printf '> '; read x; stty echo", SECRET), types("secret")),
    ),
    Scenario(
        name="zsh asks for a password",
        program=ZSH,
        turns=(types("read -s 'x?Password: '", SECRET), types("secret")),
        by_screen=True,
    ),
    Scenario(
        name="fish asks for a password",
        program=FISH,
        turns=(types("read -s -P 'Password: ' x", SECRET), types("secret")),
        by_screen=True,
    ),
)
