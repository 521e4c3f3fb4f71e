"""The real assistants, each in a home of its own, with `tests.assistants.model_server`.

``python3 dev.py test-assistants`` installs them; no account and no network is needed to use them.
"""

# ruff: noqa: RUF001  # their arrows are what is looked for

import json
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import attrs

from tests.assistants.model_server import Speech
from tmuxprim import Console, KeySequence, Receipt, Size, Terminal
from tmuxprim.profiles import (
    AIDER,
    CLAUDE_CODE,
    CODEX,
    GEMINI,
    LLM,
    OPENCODE,
    QWEN,
    Profile,
)

# The directory of each is its name, and for npm's packages the version.
INSTALLED: Final = Path(__file__).parents[2] / "build" / "assistants"

LINES: Final = "\n\n".join(f"line {number}" for number in range(1, 41))
LIES: Final = (
    "Do you want to proceed? Permission required. Allow once, esc to interrupt, Interrupted by the "
    "user, esc interrupt, Press enter to continue."
)
"""What an assistant may say, and means nothing."""

MADE: Final = "made"
NOT_MADE: Final = "not-made"
"""The files that commands of the model make; one of them is never allowed."""


def words(length: int) -> str:
    """Return a question of so many characters in one line, of which none is like another part."""
    text = f"words{length} " + " ".join(f"w{number}" for number in range(length))
    return text[: length - 1] + "."


# The keys are words that no program says in a person's name.
SPEECHES: Final[Mapping[str, Speech]] = {
    "run it": Speech((), thinks=1.0, runs=f"touch {MADE}; echo from the command"),
    "reject it": Speech((), thinks=1.0, runs=f"touch {NOT_MADE}"),
    # OpenCode 1.2.15 never shows a first answer that is there before it has drawn the question.
    "quick one": Speech(("Quick ", "answer."), thinks=1.0),
    "slow one": Speech(("Slow ", "answer ", "comes."), thinks=3.0, pause=0.5),
    "many lines": Speech(tuple(f"{line}\n\n" for line in LINES.split("\n\n")), pause=0.05),
    "pause please": Speech(("One.\n\n", "Two.\n\n", "Three."), thinks=1.0, pause=3.0),
    "twelve please": Speech(("Alpha.\n\n", "Omega."), thinks=1.0, pause=12.0),
    "silent one": Speech(("After a silence.",), thinks=10.0),
    "liar please": Speech((f"{LIES}\n\n", "So it said."), thinks=1.0, pause=1.0),
    "refused one": Speech((), thinks=1.0, status=400),
    "unknown one": Speech((), thinks=1.0, status=401),
    "limited please": Speech(("Now ", "it may."), thinks=1.0, status=429, fails=2),
    "broken please": Speech(("It ", "is mended."), thinks=1.0, status=500, fails=2),
    "overload please": Speech(("It ", "has time."), thinks=1.0, status=529, fails=2),
    "words500": Speech(("All ", "500 came."), thinks=1.0),
    "words3000": Speech(("All ", "3,000 came."), thinks=1.0),
    "queued behind": Speech(("In ", "its turn."), thinks=1.0),
    "send agents": Speech(("They go.",), thinks=1.0, sends=("look to the left", "look right")),
    "look to the left": Speech(("Nothing ", "there."), thinks=30.0, pause=3.0),
    "look right": Speech(("Nobody ", "there."), thinks=30.0, pause=12.0),
}
TALK: Final = {
    "a quick one": "Quick answer.",
    "a slow one": "Slow answer comes.",
    "many lines": LINES,
}
HARD: Final = {
    "pause please": "One.\n\nTwo.\n\nThree.",
    "twelve please": "Alpha.\n\nOmega.",
    "silent one": "After a silence.",
    "liar please": "So it said.",
    "limited please": "Now it may.",
    "broken please": "It is mended.",
    "overload please": "It has time.",
    words(500): "All 500 came.",
    words(3000): "All 3,000 came.",
}
"""What is asked, and what the answer is."""
ALL: Final = {**TALK, **HARD}

# While they work they draw their box anew all the time, which may be seen half-way before Enter.
_REDRAWN: Final = frozenset({Receipt.UNKNOWN})
_CLAUDE_SETTINGS: Final = ".claude/settings.json"
# A busy machine takes its time to start a program of 180 MB.
_START: Final = 120.0


@attrs.frozen
class Setup:
    """Is what a program needs to be started.

    Args:
        profile: How to drive it.
        directory: Where it is installed.
        env: Its environment, besides its home.
        files: What has to be in its home.
        allow: What agrees to a command that it asks about.
        cannot: What of the play it cannot do, or says nothing of.
        receipts: What its texts may have in place of DELIVERED or QUEUED.
        at_work: What those may have that are sent while it works.
    """

    profile: Profile
    directory: Path
    env: Mapping[str, str]
    files: Mapping[str, str] = attrs.field(factory=dict)
    allow: str = "Enter"
    cannot: frozenset[str] = frozenset()
    receipts: frozenset[Receipt] = frozenset()
    at_work: frozenset[Receipt] = frozenset()


def opencode(url: str, version: str) -> Setup:
    """Return what OpenCode needs; the package of its provider is built in."""
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Local",
        "options": {"baseURL": f"{url}/v1", "apiKey": "none"},
        # With variants it shows their key, which the first user's pattern has.
        "models": {"m": {"name": "M", "reasoning": True, "variants": {"low": {}, "high": {}}}},
    }
    settings = {
        "autoupdate": False,
        "share": "disabled",
        "model": "local/m",
        "small_model": "local/m",
        "permission": {"bash": "ask"},
        "provider": {"local": provider},
    }
    env = {
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
    }
    files = {".config/opencode/opencode.json": json.dumps(settings)}
    directory = _of_npm(f"opencode-{version}")
    profile = attrs.evolve(OPENCODE, start_timeout=_START)
    return Setup(profile, directory, env, files)


def claude(url: str, _version: str) -> Setup:
    """Return what Claude Code needs; that its directory may be trusted is up to us here."""
    key = "sk-ant-api03-none-at-all-xxxxx"
    settings = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [key[-20:]]},
    }
    env = {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": key,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    trust = {
        r"❯ (?:\d\. )?Yes, I trust this folder": KeySequence.keys("Enter"),
        r"❯ (?:\d\. )?No, exit": KeySequence.keys("Down"),  # 2.1.330 has this first
        "❯ Yes, set auto mode": KeySequence.keys("Down"),
        "❯ No, keep manual mode": KeySequence.keys("Enter"),
    }
    profile = attrs.evolve(CLAUDE_CODE, replies=trust, start_timeout=_START)
    # By itself it lets a model judge whether a command may be run.
    asks = {"permissions": {"defaultMode": "default"}}
    files = {".claude.json": json.dumps(settings), _CLAUDE_SETTINGS: json.dumps(asks)}
    return Setup(profile, _of_npm("claude-latest"), env, files)


def claude_with_a_status_line(url: str, version: str) -> Setup:
    """Return what Claude Code needs if the user has a status line of their own."""
    setup = claude(url, version)
    settings = json.loads(setup.files[_CLAUDE_SETTINGS])
    settings["statusLine"] = {"type": "command", "command": "echo a line of my own"}
    files = {**setup.files, _CLAUDE_SETTINGS: json.dumps(settings)}
    return attrs.evolve(setup, files=files)


def codex(url: str, _version: str) -> Setup:
    """Return what Codex needs."""
    settings = f"""
model = "m"
model_provider = "local"
check_for_update_on_startup = false
approval_policy = "on-request"
sandbox_mode = "workspace-write"
[model_providers.local]
name = "Local"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
[analytics]
enabled = false
"""
    profile = attrs.evolve(CODEX, start_timeout=_START)
    files = {".codex/config.toml": settings}
    cannot = frozenset({"limited please"})  # for it a 429 is the end
    return Setup(profile, _of_npm("codex-latest"), {"LOCAL_KEY": "none"}, files, cannot=cannot)


def aider(url: str, _version: str) -> Setup:
    """Return what aider needs."""
    options = ("--no-check-update", "--no-show-release-notes", "--analytics-disable", "--no-git")
    words = ("aider", "--model", "openai/m", "--no-show-model-warnings", *options)
    env = {
        "OPENAI_API_BASE": f"{url}/v1",
        "OPENAI_API_KEY": "none",
    }
    profile = attrs.evolve(AIDER, command=words, start_timeout=_START)
    cannot = frozenset({"permission"})  # it has no tools
    # No input box of it is known, and it reads nothing while it works.
    receipts = frozenset({Receipt.UNKNOWN, Receipt.UNREAD})
    directory = INSTALLED / "aider" / "bin"
    return Setup(profile, directory, env, cannot=cannot, receipts=receipts)


def gemini(url: str, _version: str) -> Setup:
    """Return what Gemini CLI needs."""
    settings = {
        "general": {"enableAutoUpdate": False, "disableAutoUpdate": True, "disableUpdateNag": True},
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
        "privacy": {"usageStatisticsEnabled": False},
        "ide": {"enabled": False},
    }
    env = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": url}
    words = ("gemini", "-m", "gemini-2.5-flash")
    profile = attrs.evolve(GEMINI, command=words, start_timeout=_START)
    files = {".gemini/settings.json": json.dumps(settings)}
    return Setup(profile, _of_npm("gemini-latest"), env, files, at_work=_REDRAWN)


def qwen(url: str, _version: str) -> Setup:
    """Return what Qwen Code needs."""
    settings = {
        "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
        "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
        "privacy": {"usageStatisticsEnabled": False},
        "model": {"name": "m"},
        # By itself it lets a model judge whether a command may be run. Its package's ripgrep may
        # lack the right to be run; it says so, with its path, on the screen.
        "tools": {"approvalMode": "default", "useRipgrep": False},
        "memory": {"enableManagedAutoMemory": False},
        "ui": {"useTerminalBuffer": False},  # so that a long answer is in the history
    }
    env = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": "m"}
    profile = attrs.evolve(QWEN, start_timeout=_START)
    files = {".qwen/settings.json": json.dumps(settings)}
    return Setup(profile, _of_npm("qwen-latest"), env, files, at_work=_REDRAWN)


def llm(url: str, _version: str) -> Setup:
    """Return what Simon Willison's llm needs."""
    model = f"- model_id: m\n  model_name: m\n  api_base: {url}/v1\n"
    words = ("llm", "chat", "-m", "m")
    profile = attrs.evolve(LLM, command=words, start_timeout=_START)
    files = {".config/io.datasette.llm/extra-openai-models.yaml": model}
    env = {"OPENAI_API_KEY": "none"}
    # It has no tools, and C-c and an error end it.
    cannot = frozenset({"permission", "interrupted", "refused"})
    receipts = frozenset({Receipt.UNREAD})  # it reads nothing while it works
    return Setup(profile, INSTALLED / "llm" / "bin", env, files, cannot=cannot, receipts=receipts)


def open_console(terminal: Terminal, setup: Setup, home: Path) -> Console:
    """Return a console on a shell in which the program can be started."""
    (home / "project").mkdir(parents=True)
    (home / "bin").mkdir()
    name = setup.profile.command[0]
    # tmux gives a new pane the PATH of its client, whatever PATH it is told to set.
    (home / "bin" / name).symlink_to(setup.directory / name)
    for name, text in setup.files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    env = {**setup.env, "HOME": str(home), "PS1": "$ ", "HISTFILE": "/dev/null"}
    # Nobody's settings shall lead elsewhere.
    env |= {f"XDG_{name}_HOME": str(home / f".{name.lower()}") for name in ("DATA", "STATE")}
    env |= {"XDG_CONFIG_HOME": str(home / ".config"), "XDG_CACHE_HOME": str(home / ".cache")}
    command = ("bash", "--norc", "--noprofile")
    console = Console(terminal, terminal.open(command, size=Size(100, 30), env=env))
    console.wait_ready()
    console.run("PATH=$HOME/bin:$PATH; cd ~/project; clear")
    return console


def end_what_is_left(home: Path) -> None:
    """End what a program has left running that has this home: Codex has a server that outlives it.

    Not each names it in its command line: OpenCode does not. 1.2.15 ignores SIGTERM once its
    terminal is gone.
    """
    for directory in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if os.fsencode(f"HOME={home}") in (directory / "environ").read_bytes().split(b"\0"):
                os.kill(int(directory.name), signal.SIGKILL)


def _of_npm(name: str) -> Path:
    return INSTALLED / name / "node_modules" / ".bin"
