"""The chain that a wait uses when it is given none."""

import re
from collections.abc import Iterable
from typing import Final

from tmuxprim._readiness.assistants import STATES
from tmuxprim._readiness.chain import Chain, ReadinessStrategy
from tmuxprim._readiness.continuation import ContinuationStrategy
from tmuxprim._readiness.editor_strategy import LineEditorStrategy
from tmuxprim._readiness.input import (
    AwaitingInputStrategy,
    FullscreenStrategy,
    SecretStrategy,
    StabilityStrategy,
)
from tmuxprim._readiness.instead import InsteadStrategy
from tmuxprim._readiness.kernel import (
    ConsumedStrategy,
    ExitStrategy,
    ForegroundStrategy,
    ModeStrategy,
)
from tmuxprim._readiness.prompt import PromptStrategy
from tmuxprim._readiness.silence import KnownProgramStrategy, SilenceStrategy, TitleStrategy

# The chain goes from certain to uncertain: the kernel's facts, a known program's own signs, the
# text at the cursor, and at last guesses from a screen that does not change.
FACTS: Final = (ExitStrategy(), ModeStrategy(), ForegroundStrategy(), ConsumedStrategy())
_ASKS: Final = (SecretStrategy(), AwaitingInputStrategy())


def default_chain(
    prompt_pattern: str | re.Pattern[str] | None = None,
    *,
    programs: Iterable[ReadinessStrategy] = (),
) -> Chain:
    """Return the chain that suits shells, REPLs, questions and full-screen programs.

    A pattern is a condition. Without a match the wait ends only at a question, at a secret, at a
    shell that is back at its prompt, when the program ends, and when the time is up. A screen that
    does not change never ends it.

    Args:
        prompt_pattern: Regular expression of the one prompt to wait for. It is searched in the
            lowest row that is not empty, and in the cursor's row up to the cursor.
        programs: Strategies that know the signs of certain programs, such as an
            `AssistantStrategy` or a profile. They are asked before the built-in ones, and before
            the look of the screen is judged.

    Raises:
        InvalidPatternError: If *prompt_pattern* is not a regular expression.
        InvalidStrategyError: If one of *programs* cannot assess a snapshot.

    Examples:
        >>> terminal = FakeTerminal(programs={"sh": ScriptedShell(prompt="ready! ")})
        >>> console = Console(terminal, terminal.open(), strategy=default_chain(r"^ready!$"))
        >>> print(console.wait_ready().reason)
        the pattern is in 'ready!'
    """
    known = (*programs, *STATES)
    if prompt_pattern is None:
        return _ANY_PROMPT if known == STATES else _any_prompt(known)
    signs = TitleStrategy(known), KnownProgramStrategy(known, finds_prompts=False)
    pattern = PromptStrategy(prompt_pattern, last_line=True)
    # At the end once more, so that a timeout gives its reason as the obstacle.
    return Chain((*FACTS, *signs, pattern, SecretStrategy(), InsteadStrategy(), pattern))


def with_pattern(
    strategy: ReadinessStrategy | None, prompt_pattern: str | re.Pattern[str]
) -> Chain:
    """Return a chain that waits for a pattern in a pane where *strategy* decides otherwise.

    Its strategies for known programs, its vetoes and its questions stay. But only the pattern says
    that the pane is ready.

    Raises:
        InvalidPatternError: If *prompt_pattern* is not a regular expression.
    """
    given = () if strategy is None else (strategy,)
    own: list[ReadinessStrategy] = []
    for one in strategy.strategies if isinstance(strategy, Chain) else given:
        if isinstance(one, KnownProgramStrategy):
            own.extend(program for program in one.programs if program not in STATES)
        elif type(one) not in _KINDS:
            own.append(one)
    return default_chain(prompt_pattern, programs=own)


def _any_prompt(known: tuple[ReadinessStrategy, ...]) -> Chain:
    """Return the chain without a pattern; *known* are the strategies for known programs."""
    signs = TitleStrategy(known), KnownProgramStrategy(known), SilenceStrategy()
    prompts = LineEditorStrategy(), ContinuationStrategy(), PromptStrategy()
    return Chain((*FACTS, *signs, *prompts, *_ASKS, FullscreenStrategy(), StabilityStrategy()))


# Built once, since nearly every wait asks for it.
_ANY_PROMPT: Final = _any_prompt(STATES)
# The built-in kinds: `with_pattern` drops them, since `default_chain` brings its own.
_KINDS: Final = frozenset(map(type, (*_ANY_PROMPT.strategies, InsteadStrategy())))
