"""The chain that a wait uses when it is given none."""

import re
from typing import Final

from tmuxprim._readiness.chain import Chain
from tmuxprim._readiness.continuation import ContinuationStrategy
from tmuxprim._readiness.input import (
    AwaitingInputStrategy,
    FullscreenStrategy,
    SecretStrategy,
    StabilityStrategy,
)
from tmuxprim._readiness.kernel import (
    ConsumedStrategy,
    ExitStrategy,
    ForegroundStrategy,
    ModeStrategy,
)
from tmuxprim._readiness.prompt import PromptStrategy

# Facts first, then what the text may mean, guesses last.
_FACTS: Final = (ExitStrategy(), ModeStrategy(), ForegroundStrategy(), ConsumedStrategy())
_INPUT: Final = (SecretStrategy(), AwaitingInputStrategy(), FullscreenStrategy())
_GUESSES: Final = (StabilityStrategy(),)
_ANY_PROMPT: Final = Chain(
    (*_FACTS, ContinuationStrategy(), PromptStrategy(), *_INPUT, *_GUESSES),
)


def default_chain(prompt_pattern: str | re.Pattern[str] | None = None) -> Chain:
    """Return the chain that suits shells, REPLs, questions and full-screen programs.

    Args:
        prompt_pattern: Regular expression of the one prompt to wait for. It is searched in the
            lowest row that is not empty, wherever the cursor stands.

    Raises:
        InvalidPatternError: If *prompt_pattern* is not a regular expression.

    Examples:
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell(prompt="ready! ")})
        >>> console = Console(terminal, terminal.open(), strategy=default_chain(r"^ready!$"))
        >>> print(console.wait_ready().reason)
        the pattern is in 'ready!'
    """
    if prompt_pattern is None:
        return _ANY_PROMPT
    prompts = PromptStrategy(prompt_pattern, last_line=True), ContinuationStrategy()
    return Chain((*_FACTS, *prompts, *_INPUT, *_GUESSES))
