"""A play with an assistant, of which each step is judged by what the model's server knows."""

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import attrs

from tests.assistants.faces import ByTool, Face, Said, receipt_of
from tests.assistants.model_server import RAN, REFUSAL, ModelServer
from tests.assistants.real import ALL, HARD, MADE, NOT_MADE, SPEECHES, TALK, Setup
from tmuxprim import Console, PaneBusyError, Receipt

LOOPS: Final = int(os.environ.get("TMUXPRIM_LOOPS", "0"))
"""How many processes keep the machine busy meanwhile."""
_HALF: Final = "half of a quest"


def step_of(question: str) -> str:
    """Return the key of what is said to a question."""
    return next(key for key in SPEECHES if key in question)


@attrs.define
class Play:
    """What is played with one program, and what went wrong.

    Args:
        program: Its name.
        face: By which it is driven.
        model: What it asks.
        setup: What it can do.
        console: The pane it is in, as somebody else may type there.
        directory: Where it works.
    """

    program: str
    face: Face
    model: ModelServer
    setup: Setup
    console: Console
    directory: Path = Path()
    problems: list[str] = attrs.field(factory=list)

    def note(self, step: str, late: float, *problems: str) -> None:
        """Note a step, how much later than the server it ended, and what was wrong."""
        wrong = [problem for problem in problems if problem]
        self.problems += [f"{step}: {problem}" for problem in wrong]
        result = {"program": self.program, "face": self.face.name, "loops": LOOPS, "step": step}
        path = os.environ.get("TMUXPRIM_RESULTS")
        if path:
            line = json.dumps({**result, "late": round(late, 2), "wrong": wrong})
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")

    def ask(self, question: str, answer: str) -> None:
        """Ask, and check that it arrives whole, and the answer is neither early nor cut."""
        began, before = time.monotonic(), len(self.model.asked)
        said = self.face.ask(question)
        self.judge(said, question, answer, began, before)

    def judge(self, said: Said, question: str, answer: str, began: float, before: int) -> None:
        """Check what was told at the end of a wait for the answer to a question."""
        now, end = time.monotonic(), self.model.has_said(question)
        fate = self.model.fate(question, before)
        fate = f"{fate}; told: {said.kind}, {said.text[:100]!r}" if fate else ""
        if said.kind == "timed out" and end <= began:
            self.note(step_of(question), now - began, f"MISSED: {said}", fate)
            return
        early = "" if end > began or fate else f"EARLY after {now - began:.1f} s: {said}"
        if said.exact and not question.startswith("liar"):
            cut = "" if said.text == answer else f"CUT: {said}"
        else:
            tail = answer.rpartition("\n")[2]
            cut = "" if tail in said.text else f"CUT: {said}"
        kind = "" if said.kind == "answered" else f"KIND: {said}"
        receipt = self.misjudged(said.receipt, Receipt.DELIVERED)
        kind = "" if fate or early else kind or cut
        self.note(step_of(question), now - end, fate, early, kind, receipt)

    def misjudged(self, receipt: Receipt | None, right: Receipt) -> str:
        """Return what is wrong with a receipt; of one that says IN_BOX Enter was pressed again."""
        rights = {None, right, Receipt.IN_BOX, *self.setup.receipts}
        rights |= self.setup.at_work if right is Receipt.QUEUED else set()
        return "" if receipt in rights else f"RECEIPT: {receipt}, not {right}"

    def agree(self) -> None:
        """Let it ask whether it may run a command, agree, and get the rest."""
        said = self.face.ask("run it")
        receipt = self.misjudged(said.receipt, Receipt.DELIVERED)
        self.note("asks", 0.0, "" if said.kind == "asks" else f"KIND: {said}", receipt)
        if isinstance(self.face, ByTool):
            self.type_at_dialog(self.face)
        said = self.face.press(self.setup.allow)
        ran = any(speech is RAN for speech, _ in self.model.said) and self._has_made(MADE)
        tail = RAN.pieces[-1] in said.text
        good = said.kind == "answered" and ran and tail
        self.note("allowed", 0.0, "" if good else f"KIND: {said}")

    def type_at_dialog(self, face: ByTool) -> None:
        """Try what a model may do at a dialog by mistake: none of it means yes."""
        for action, arguments in (
            ("send", {"text": "n"}),
            ("send", {"text": "a quick one by mistake"}),
            ("send", {"text": "no", "enter": False}),
            ("send", {"text": "yes", "enter": False}),
            ("run", {"command": "ls"}),
        ):
            told = face.call(action, **arguments)
            said = face.wait(20.0)
            refused = "" if told.startswith("error: ") else f"TYPED {arguments}: {told}"
            kind = "" if said.kind == "asks" else f"KIND: {said}"
            consent = f"CONSENT: {arguments} {said}" if self._has_made(MADE) else ""
            self.note("typed at a dialog", 0.0, refused, kind, consent)

    def submit(self, question: str, right: Receipt) -> None:
        """Submit a question by `Console`, with another Enter where it is in the box still."""
        began, before = time.monotonic(), len(self.model.asked)
        receipt = self.console.submit(question, again=True)
        said = Said("answered" if self.console.wait_ready(120.0) else "timed out", "", exact=False)
        end, fate = self.model.has_said(question), self.model.fate(question, before)
        early = "" if end > began or fate else f"EARLY: {said}"
        kind = "" if said.kind == "answered" else f"MISSED: {said}"
        wrong = (
            f"RECEIPT: {receipt}" if receipt is Receipt.IN_BOX else self.misjudged(receipt, right)
        )
        self.note(step_of(question), time.monotonic() - end, fate, early, kind, wrong)

    def refuse_at_once(self, text: str, *, submits_first: bool) -> None:
        """Let it ask whether it may run a command, and type a text the moment a wait says so."""
        said = self.face.ask("reject it")
        problems = ["" if said.kind == "asks" else f"KIND: {said}"]
        for submits in (submits_first, not submits_first):
            try:
                told = f"Sent: {self.console.submit(text)}" if submits else self._send(text)
            except PaneBusyError as error:
                told = f"error: {error}"
            problems.append("" if told.startswith("error: ") else f"TYPED {text!r}: {told}; {said}")
        said = self.face.press("Escape", timeout=30.0)
        kind = "" if said.kind in {"answered", "failed"} else f"KIND: {said}"
        consent = f"CONSENT: {said}" if self._has_made(NOT_MADE) else ""
        self.note("refused at once", 0.0, *problems, kind, consent)
        if said.kind == "asks":
            self.face.press("C-u", timeout=20.0)

    def _send(self, text: str) -> str:
        assert isinstance(self.face, ByTool)
        return self.face.call("send", text=text)

    def reject(self) -> None:
        """Let it ask whether it may run a command, and reject that."""
        said = self.face.ask("reject it")
        problem = "" if said.kind == "asks" else f"KIND: {said}"
        said = self.face.press("Escape", timeout=30.0)
        kind = "" if said.kind in {"answered", "failed", "asks"} else f"KIND: {said}"
        consent = f"CONSENT: {said}" if self._has_made(NOT_MADE) else ""
        self.note("rejected", 0.0, problem, kind, consent)

    def _has_made(self, name: str) -> bool:
        return (self.directory / name).exists()

    def interrupt(self) -> None:
        """Interrupt it in a silence; nobody says that this was an answer."""
        said = self.face.ask("silent one", timeout=4.0)
        problem = "" if said.kind == "timed out" else f"KIND: {said}"
        said = self.face.interrupt()
        kind = "" if said.kind in {"answered", "failed"} or _is_in_box(said) else f"KIND: {said}"
        self.note("interrupted", 0.0, problem, kind)

    def refuse(self) -> None:
        """Let the model's server refuse; nobody says that this was an answer."""
        ends = [question for question in HARD if step_of(question) in self.setup.cannot]
        for question in ("refused one", "unknown one", *ends):
            said = self.face.ask(question, timeout=60.0)
            good = said.kind == ("failed" if said.exact else "answered")
            # What it has tried again before it gave up is told in its own words.
            shown = not said.exact or question in ends or REFUSAL in " ".join(said.text.split())
            self.note("refused", 0.0, "" if good and shown else f"KIND: {said}")

    def queue(self, face: ByTool) -> None:
        """Ask a second thing while it works on the first; both arrive, in their turn."""
        began, before = time.monotonic(), len(self.model.asked)
        face.call("send", text="a slow one first")
        time.sleep(1.0)  # as long as a model takes at least
        told = face.call("send", text="queued behind it")
        said = face.wait()
        sent = "" if told.startswith("Sent: ") else f"KIND: {told}"
        self.note("sent at work", 0.0, sent, self.misjudged(receipt_of(told), Receipt.QUEUED))
        self.judge(said, "queued behind it", "In its turn.", began, before)
        fate = self.model.fate("a slow one first", before)
        self.note("slow one", 0.0, fate)

    def half_typed(self, face: ByTool) -> None:
        """Type a text and forget Enter: that is told, and nothing is glued to another's text."""
        face.call("send", text=_HALF, enter=False)
        said = face.wait(20.0)
        self.note("half typed", 0.0, "" if said.kind == "asks" else f"KIND: {said}")
        face.press("C-u", timeout=20.0)
        self.ask("a quick one alone", TALK["a quick one"])
        self.console.send(_HALF, enter=False)
        # A text that is not drawn yet is not seen. A busy machine takes more than a second.
        give_up = time.monotonic() + 20.0
        while _HALF not in self.console.read() and time.monotonic() < give_up:
            time.sleep(0.1)
        time.sleep(1.0)  # as long as a model takes at least
        told = face.call("send", text="a quick one behind it")
        self.note("typed by another", 0.0, "" if told.startswith("error: ") else f"TYPED: {told}")
        face.press("C-u", timeout=20.0)

    def all(self, questions: Mapping[str, str] = ALL) -> None:
        """Play all that it can."""
        for question, answer in questions.items():
            if step_of(question) not in self.setup.cannot:
                self.ask(question, answer)
        if isinstance(self.face, ByTool):
            self.queue(self.face)
            self.half_typed(self.face)
            self.ask("a quick one again", TALK["a quick one"])
        for step, go in (
            ("permission", self.agree),
            ("permission", self.reject),
            ("interrupted", self.interrupt),
            ("refused", self.refuse),
        ):
            if step in self.setup.cannot:
                continue
            go()
            if step in {"permission", "interrupted"} and isinstance(self.face, ByTool):
                self.face.press("C-u", timeout=20.0)  # Claude Code puts it into its box again
            self.ask("a quick one again", TALK["a quick one"])


def _is_in_box(said: Said) -> bool:
    """Whether what was interrupted is told to be in the box again."""
    return said.kind == "asks" and " is in the box of " in said.text.partition("\n")[0]
