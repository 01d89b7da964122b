"""What goes wrong, in the engine's own words."""
from __future__ import annotations

from typing import TYPE_CHECKING, List, Sequence

if TYPE_CHECKING:
    from trammel._engine import Diagnostic
    from trammel._records import Run


class ModelError(ValueError):
    """Something is wrong with what was said of a mechanism; raised once, with everything found."""

    diagnostics: List[Diagnostic]  # each with severity, file, line, column, message and hint

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = list(diagnostics)


class QuestionError(RuntimeError):
    """A question has no answer here, and nobody is to blame: a singular inertia, a state that is
    not finite, a quaternion whose length is not 1, a constraint that is not honoured yet."""


class RunStopped(QuestionError):
    """A motion that could not go on: when, which joint, why; `run` has everything up to there."""

    run: Run

    def __init__(self, message: str, run: Run) -> None:
        super().__init__(message)
        self.run = run


for _class in (ModelError, QuestionError, RunStopped):
    _class.__module__ = "trammel"
