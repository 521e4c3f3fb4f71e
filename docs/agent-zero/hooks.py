"""Installs what the tool needs; Agent Zero's plugin installer calls `install`."""

import shutil
import subprocess
import sys
from pathlib import Path

_PROMPT = """
from tmuxprim.tool import tool_prompt
print(tool_prompt("agent-zero", name="tmux_tool"), end="")
"""


def install() -> None:
    """Install tmuxprim, beside Agent Zero, and tmux, and write the prompt.

    The prompt is that of the tmuxprim which is installed now. Without it the model knows of no
    tool, so it is written last.
    """
    _run(sys.executable, "-m", "pip", "install", "--upgrade", "tmuxprim")
    if shutil.which("tmux") is None:
        _run("apt-get", "update")
        _run("apt-get", "install", "-y", "tmux")
    # Another process, since this one may have imported an older tmuxprim.
    printed = subprocess.run(  # noqa: S603  # a list of constants
        [sys.executable, "-c", _PROMPT], check=True, stdout=subprocess.PIPE, encoding="utf-8"
    )
    prompt = Path(__file__).parent / "prompts" / "agent.system.tool.tmux_tool.md"
    prompt.parent.mkdir(exist_ok=True)
    prompt.write_text(printed.stdout, encoding="utf-8")


def _run(*command: str) -> None:
    subprocess.run(command, check=True)  # noqa: S603  # as above
