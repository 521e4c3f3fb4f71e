"""How a program is started, asked, and left."""

import shlex
from typing import Final

import attrs

from tmuxprim._engine.console_plans import ConsolePlans
from tmuxprim._engine.plan import Plan, TimeLimit, begin, clock_time, observe, probe
from tmuxprim._engine.submit import is_long
from tmuxprim._profiles.answer import Answer, AnswerRows
from tmuxprim._profiles.profile import Field, Profile, Reply
from tmuxprim._profiles.program import PATIENCE, RunningProgram
from tmuxprim._profiles.strategies import EndedStrategy, GivenUpStrategy, squeeze
from tmuxprim._readiness.box import BOX_FRAME
from tmuxprim._readiness.chain import ReadinessStrategy
from tmuxprim._readiness.default import default_chain
from tmuxprim._readiness.snapshot import (
    QUESTIONS,
    Outcome,
    Readiness,
    shows_the_same,
)
from tmuxprim._values.argument_types import check_type
from tmuxprim._values.checks import NOTHING
from tmuxprim._values.evidence import Mark, program_of
from tmuxprim._values.keys import KeySequence
from tmuxprim._values.programs import is_named, program_run_by
from tmuxprim._values.screen import Screen
from tmuxprim.errors import (
    InvalidProfileError,
    PaneBusyError,
    ProgramEndedError,
    ProgramStartError,
    ProgramStaysError,
)


def command_line(profile: Profile) -> str:
    """Return the command line that starts the program, to be typed into a shell."""
    variables = [f"{name}={shlex.quote(value)}" for name, value in profile.env]
    # A variable set by `env` is set whatever the shell is.
    return " ".join([*(("env", *variables) if variables else ()), shlex.join(profile.command)])


def reply_to(readiness: Readiness, replies: tuple[Reply, ...]) -> Reply | None:
    """Return the reply to the program's question, if there is one."""
    if readiness.outcome is not Outcome.AWAITING_INPUT:
        return None
    return next((one for one in replies if one[0].search(readiness.screen.text)), None)


def check_profile(_dialogue: object, _field: Field, profile: object) -> None:
    """Refuse a value that is not a profile, such as the name of one."""
    if not isinstance(profile, Profile):
        raise InvalidProfileError(
            f"a session needs a Profile, got {profile!r}; tmuxprim.profiles has "
            "PYTHON, SHELL and others"
        )


def check_shell(readiness: Readiness) -> None:
    """Refuse a prompt of another program, which would take the command for its own."""
    if not readiness.snapshot.facts.may_be_shell:
        raise PaneBusyError(
            f"{NOTHING}: a session starts at a shell's prompt, and this is the prompt of "
            f"'{readiness.command}'; leave it first, or take another pane"
        )


def check_adopted(profile: str, program: str, name: str) -> None:
    """Refuse to take the program in front, which has that name, for another."""
    if not is_named(name, (program,)):
        raise PaneBusyError(
            f"{NOTHING}: a session adopts {profile} while {program!r} is in front, and this is "
            f"{name!r}; start it first, or leave adopt out, which starts it"
        )


def check_size(profile: Profile, screen: Screen) -> None:
    """Refuse a pane that is wider than what the profile describes."""
    most, columns = profile.max_columns, screen.size.columns
    if most is not None and columns > most:
        raise ProgramStartError(
            f"{NOTHING}: the profile of {profile.name} is for panes of up to {most} columns, got "
            f"{columns}; open one with size=Size({most}, {screen.size.rows})"
        )


def not_started(profile: Profile, readiness: Readiness, *, still_there: bool) -> ProgramStartError:
    """Return the error that says why it did not start, and what to do."""
    advice = ""
    if readiness.outcome in QUESTIONS:
        advice = "; it asks something: answer it by hand once, or give the profile replies"
    if still_there:
        advice += "; it is still in the pane, since it could not be interrupted"
    return ProgramStartError(
        f"{profile.name} did not start: {readiness.reason}{advice}", readiness.screen.text
    )


def program_left_rows(readiness: Readiness) -> bool:
    """Whether a program drew the row of the shell's prompt, or rows below, before it was killed.

    The rest of the prompt's row would pass for text that is typed there, and the others for output.
    """
    screen = readiness.screen
    has_more = len(screen.cursor_line) > len(screen.before_cursor)
    has_more = has_more or any(screen.rows[screen.cursor.row + 1 :])
    return has_more and readiness.snapshot.facts.has_line_editor


_CLEAR: Final = KeySequence.keys("C-l")


def has_typed_text(screen: Screen) -> bool:
    """Whether text is typed in the input box of an assistant, in which the cursor is.

    A hint in an empty box is behind the cursor.
    """
    return bool(screen.before_cursor.strip(BOX_FRAME))


def shows_empty_box(screen: Screen) -> bool:
    """Whether the cursor is right behind the sign at which an input box begins.

    A further row of a text has no such sign, even if it is empty; OpenCode's box has none at all.
    """
    return screen.before_cursor.strip() in _SIGNS


_SIGNS: Final = (">", "❯", "›")  # noqa: RUF001  # what input boxes are drawn with
_GIVEN_BACK: Final = "it was interrupted, or Enter was not taken: the question is in the box"
_TAIL: Final = 16  # characters of a question that tell that all of it is shown


@attrs.define(eq=False)
class Dialogue:
    """Remembers of a session what later steps need."""

    plans: ConsolePlans
    profile: Profile = attrs.field(validator=check_profile)
    adopts: bool = False
    """Whether the program runs already, and is left running."""
    program: RunningProgram | None = None
    """The program, from its start until it has been left."""
    given: ReadinessStrategy | None = None
    """The console's strategy, which decides again after the session."""
    ended: Readiness | None = None
    """How the program was found to have ended."""
    question: str | None = None
    """The last question."""

    @property
    def _starts(self) -> ReadinessStrategy | None:
        """Decides when the program is ready after its start; None if it ran already."""
        profile = self.profile
        return profile.answered if profile.ready is None or self.adopts else profile.ready

    @property
    def _name(self) -> str:
        """The name that the program has in the foreground."""
        return program_run_by(self.profile.command)

    def refuse_if_running(self) -> None:
        """Refuse to start while a session runs in the pane: this one or another."""
        session = self.plans.state.session
        if session is not None:
            raise PaneBusyError(
                f"{NOTHING}: a session with {session} runs in this pane; end it first, "
                "or take another pane"
            )

    def enter(self) -> Plan[None]:
        """Start the program and wait until it is ready, or adopt one that runs; see `Session`."""
        yield from self._adopt() if self.adopts else self._start()

    def _adopt(self) -> Plan[None]:
        pane = yield from self.plans.locate()
        tty = yield from probe(pane)
        screen = yield from observe(pane)
        self.refuse_if_running()
        check_adopted(self.profile.name, self._name, program_of(screen, tty))
        check_size(self.profile, screen)
        ended = GivenUpStrategy(None if tty is None else tty.foreground_pid, self._name)
        program = RunningProgram(self.plans, self.profile, ended, self.plans.state.prompt)
        self._take(program)
        self._judge(program)

    def _take(self, program: RunningProgram) -> None:
        """Let the pane be the program's."""
        state = self.plans.state
        state.session, self.program, self.given = self.profile.name, program, state.strategy
        self.ended = self.question = None

    def _judge(self, program: RunningProgram) -> None:
        """Let waits know the program."""
        self.plans.state.strategy = program.chain(self.profile.answered)
        self.plans.state.prompts.given_rows = self.profile.prompt_rows

    def _start(self) -> Plan[None]:
        timeout = self.profile.start_timeout
        yield from self.plans.until_it_takes_a_line(timeout)
        found = self.plans.state.ready
        shell = self.plans.state.prompt
        if found is None or shell is None or found.outcome is not Outcome.PROMPT:
            raise PaneBusyError(
                f"{NOTHING}: a session starts at a shell's prompt"
                + (f", and {found.reason}" if found else "")
            )
        check_shell(found)
        check_size(self.profile, found.screen)
        self.refuse_if_running()  # another task may have begun one during the wait
        program = RunningProgram(self.plans, self.profile, EndedStrategy(shell), shell)
        self._take(program)
        yield from self.plans.send(command_line(self.profile), enter=True)
        self._judge(program)
        readiness = yield from self._until_started(program, timeout)
        if readiness.outcome in self.profile.waiting:
            return
        ended = readiness
        if ended.outcome is not Outcome.EXITED:
            ended = yield from program.interrupt()
        self._give_back(program)
        still_there = ended.outcome is not Outcome.EXITED
        raise not_started(self.profile, readiness, still_there=still_there)

    def ask(self, text: str, timeout: float | None) -> Plan[Answer]:
        """Ask something and wait for the answer; see `Session.ask`."""
        check_type("text", text, str)
        timeout = self.profile.answer_timeout if timeout is None else timeout
        deadline = begin(timeout, (yield from clock_time()))
        program = self._running()
        readiness = yield from self._until_it_waits(program, deadline)
        if self.profile.rows is None:
            self.question = text
            # The line break at the end of a block is what ends it.
            result = yield from self.plans.run(
                text,
                deadline,
                ends_block=text.endswith(("\n", "\r")),
                at=self.profile.waiting,
            )
            if self._note(result.readiness):
                return (yield from self._printed(result.readiness))
            text = result.output.removesuffix("\n")
            return Answer(text=text, complete=result.complete, readiness=result.readiness)
        if self.profile.clear and has_typed_text(readiness.screen):
            yield from self._take_back(program, readiness.screen)
        self.question = text
        yield from self._submit(program, text)
        return (yield from self.resume(deadline))

    def resume(self, timeout: TimeLimit) -> Plan[Answer]:
        """Wait for the rest of the answer; see `Session.resume`."""
        program = self._running()
        timeout = self.profile.answer_timeout if timeout is None else timeout
        readiness = yield from self.plans.wait_ready(timeout)
        self._note(readiness)
        if self.question is None:
            return Answer(text="", complete=False, readiness=readiness)
        if self.profile.rows is None:
            return (yield from self._printed(readiness))
        return (yield from self._drawn(program, self.profile.rows, self.question, readiness))

    def leave(self) -> Plan[None]:
        """Leave the program, unless it was adopted, and give the pane back; see `Session`."""
        program = self.program
        if program is None:
            return
        if self.adopts:
            self._give_back(program)
            return
        try:
            readiness = yield from self._as_it_is(program, PATIENCE)
            if readiness.outcome in self.profile.waiting:
                is_empty = shows_empty_box(readiness.screen)
                readiness = yield from program.leave(is_empty=is_empty)
            if readiness.outcome is not Outcome.EXITED:
                readiness = yield from program.interrupt()
            if readiness.outcome is not Outcome.EXITED:
                raise ProgramStaysError(
                    f"{self.profile.name} did not end: {readiness.reason}; close the pane "
                    "to end it",
                    readiness.screen.text,
                )
            if self.ended is not None and program_left_rows(readiness):
                yield from self.plans.keys((_CLEAR,))
                yield from self.plans.wait_ready(PATIENCE, strategy=default_chain())
        finally:
            self._give_back(program)

    def _until_started(self, program: RunningProgram, timeout: TimeLimit) -> Plan[Readiness]:
        """Wait until the program is ready, and reply to what it asks, each question once."""
        deadline = begin(timeout, (yield from clock_time()))
        replies = self.profile.replies
        while True:
            strategy = program.chain(self._starts, replies)
            readiness = yield from self.plans.wait_ready(deadline, strategy=strategy)
            reply = reply_to(readiness, replies)
            if reply is None:
                return readiness
            replies = tuple(one for one in replies if one is not reply)
            yield from self.plans.keys((reply[1],))

    def _until_it_waits(self, program: RunningProgram, timeout: TimeLimit) -> Plan[Readiness]:
        """Wait until the program can be asked something; refuse if it cannot."""
        readiness = yield from self._as_it_is(program, timeout)
        if self.ended is not None:
            raise ProgramEndedError(
                f"{NOTHING}: {self.profile.name} has ended", readiness.screen.text
            )
        if readiness.outcome not in self.profile.waiting:
            raise PaneBusyError(
                f"{NOTHING}: {self.profile.name} takes no question now: {readiness.reason}"
            )
        if self.profile.rows is None and readiness.screen.alternate:
            raise PaneBusyError(
                f"{NOTHING}: the pane shows the alternate screen, and {self.profile.name} has no "
                "`rows`, which say where its answer is"
            )
        return readiness

    def _take_back(self, program: RunningProgram, screen: Screen) -> Plan[None]:
        """Delete a question that was interrupted, and that the program has put into its box again.

        What else is typed there is not ours, and refused.
        """
        if not self._is_given_back(screen):
            typed = screen.before_cursor.strip()
            raise PaneBusyError(
                f"{NOTHING}: something is typed in the box of {self.profile.name}: {typed!r}"
            )
        yield from program.clear()

    def _is_given_back(self, screen: Screen) -> bool:
        """Whether the question is in the input box again: its answer was interrupted."""
        asked = squeeze(self.question or "")[-_TAIL:]
        return bool(asked) and asked in squeeze(screen.before_cursor)

    def _as_it_is(self, program: RunningProgram, timeout: TimeLimit) -> Plan[Readiness]:
        """Return how the program waits, if it is as the last wait left it; else wait."""
        ready = self.plans.state.ready
        if self.ended is None and ready is not None and ready.outcome in self.profile.waiting:
            found = yield from program.at_once()
            if self._note(found):
                return found
            # `run` recognises text at a prompt by itself; a box must be empty.
            if self.profile.rows is None or shows_the_same(found.screen, ready.screen):
                self.plans.state.ready = ready
                return ready
        strategy = program.chain(self._starts) if self.question is None else None
        readiness = self.ended or (yield from self.plans.wait_ready(timeout, strategy=strategy))
        self._note(readiness)
        return readiness

    def _submit(self, program: RunningProgram, text: str) -> Plan[None]:
        """Type a question, wait until it is shown, and press Enter, unless the program ends.

        OpenCode loses an Enter now and then while it starts; that one is pressed again.
        """
        is_pasted = self.profile.paste and "\n" in text
        keys = KeySequence.paste(text) if is_pasted else KeySequence.text(text)
        only = (self._name,) if self.adopts else None
        yield from self.plans.send(keys, enter=False, only=only)
        # A text of several lines, or a long one, may be shown in short.
        tail = "" if "\n" in text or is_long(text) else squeeze(text)[-_TAIL:]
        if not self._note((yield from program.until_still(tail))):  # else a shell would run it
            submitted = yield from self.plans.submit(text, only, is_typed=True)
            yield from self.plans.press_again(submitted, text, only)

    def _running(self) -> RunningProgram:
        """Return the program, which runs within the block of its session."""
        if self.program is None:
            raise ProgramEndedError(
                f"{NOTHING}: {self.profile.name} does not run outside the `with` block of its "
                "session"
            )
        return self.program

    def _note(self, readiness: Readiness) -> bool:
        """Remember whether the program has ended, and return it."""
        if readiness.outcome is Outcome.EXITED:
            self.ended = readiness
        return self.ended is not None

    def _printed(self, readiness: Readiness) -> Plan[Answer]:
        """Return the output since the last key, as the answer."""
        mark = self.plans.state.mark or Mark(screen=readiness.screen)
        # The shell's prompt, at which a program that has ended is found, is not printed by it.
        is_back = readiness.outcome is Outcome.EXITED and not readiness.screen.dead
        at = attrs.evolve(readiness, outcome=Outcome.PROMPT) if is_back else readiness
        printed = yield from self.plans.printed(mark, at, typed="")
        return Answer(
            text=printed.text.removesuffix("\n"),
            complete=not printed.doubt and readiness.outcome in self.profile.waiting,
            readiness=readiness,
        )

    def _drawn(
        self, program: RunningProgram, rows: AnswerRows, question: str, readiness: Readiness
    ) -> Plan[Answer]:
        """Return the answer that the program has drawn on its screen."""
        screen = yield from self._with_history(readiness)
        text, begins = rows.cut(screen, question)
        if readiness.outcome not in self.profile.waiting:
            return Answer(text=text, complete=False, readiness=readiness)
        failure = rows.failure(screen, question)
        if not begins and self._is_given_back(screen):
            return Answer(text="", complete=False, readiness=readiness, failure=_GIVEN_BACK)
        if not begins and self.profile.page_up:
            text, begins = yield from program.scrolled(rows, readiness.screen, question)
        complete = begins and bool(text) and not failure
        return Answer(text=text, complete=complete, readiness=readiness, failure=failure)

    def _give_back(self, program: RunningProgram) -> None:
        """Let the pane be the shell's again."""
        self.plans.state.session = None
        self.plans.state.strategy, self.plans.state.prompt = self.given, program.shell
        self.plans.state.prompts.given_rows, self.plans.state.ready, self.program = None, None, None

    def _with_history(self, readiness: Readiness) -> Plan[Screen]:
        """Return the screen, with the history that the program may have written its answer to."""
        screen = readiness.screen
        if screen.alternate or not screen.history_size:
            return screen
        whole = yield from observe((yield from self.plans.locate()), screen.history_size)
        return whole
