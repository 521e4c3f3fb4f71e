"""The transport that carries each call by a function of the user's."""

import os
import threading
from concurrent.futures import Future
from contextvars import copy_context
from itertools import count

from tmuxprim._engine.plan import carry_out
from tmuxprim._tmux.commands import TmuxCall
from tmuxprim._tmux.exec import Exec, ExecResult
from tmuxprim._tmux.framed import Framed, frame
from tmuxprim._tmux.invocation import Finished, Invocation, Invocations
from tmuxprim._tmux.launch import Prefix
from tmuxprim._values.checks import no_answer
from tmuxprim.errors import TmuxTimeoutError, brief


class ByExec:
    """The knowledge of both transports by an exec.

    Args:
        prefix: The words before every command.
        timeout: Longest time for one call, in seconds.
        has_stdin: Whether the exec passes standard input on.
    """

    name = "exec"

    def __init__(self, prefix: Prefix, timeout: float, *, has_stdin: bool) -> None:
        self._timeout = timeout
        self._has_stdin = has_stdin
        self._invocations = Invocations(prefix)
        self._marks = map(f"tmuxprim-{os.urandom(8).hex()}-{{}}".format, count())

    def _frame(self, invocation: Invocation) -> Framed:
        return frame(invocation, next(self._marks), has_stdin=self._has_stdin)

    def _no_answer(self, invocation: Invocation) -> TmuxTimeoutError:
        return no_answer(self._timeout, brief(invocation.redacted))


class ExecTransport(ByExec):
    """Carries each call by an exec, which a thread waits for: no function can be ended."""

    def __init__(self, call: Exec, prefix: Prefix, timeout: float, *, has_stdin: bool) -> None:
        super().__init__(prefix, timeout, has_stdin=has_stdin)
        self._call = call

    def run(self, call: TmuxCall) -> str:
        """Carry out one call; errors as of `Invocations.run`.

        Raises:
            TmuxTimeoutError: If it took too long.
            TmuxServerError: If the exec failed, or did not return the whole answer.
        """
        return carry_out(self._invocations.run(call), self._perform)

    def close(self) -> None:
        """Do nothing: nothing is kept."""

    def _perform(self, invocation: Invocation) -> Finished:
        framed = self._frame(invocation)
        returned: Future[ExecResult] = Future()
        context = copy_context()

        def wait() -> None:
            try:
                returned.set_result(context.run(self._call, framed.argv, framed.stdin))
            except BaseException as error:  # noqa: BLE001  # it is raised where it is waited for
                returned.set_exception(error)

        thread = threading.Thread(target=wait, name="tmuxprim-exec", daemon=True)
        thread.start()
        thread.join(self._timeout)
        if not returned.done():
            raise self._no_answer(invocation)
        if (error := returned.exception()) is not None:
            raise framed.failed(error) from error
        return framed.parse(returned.result())
