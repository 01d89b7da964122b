"""Exceptions, with the engine's own messages."""
from __future__ import annotations

from typing import TYPE_CHECKING, List, Sequence

if TYPE_CHECKING:
    from trammel._engine import Diagnostic
    from trammel._records import Run


class ModelError(ValueError):
    """Errors in the description of a mechanism; raised once, with all that were found."""

    diagnostics: List[Diagnostic]  # each with severity, file, line, column, message and hint

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = list(diagnostics)


class EvaluationError(RuntimeError):
    """A computation has no result at this state: a singular inertia, a state that is not finite, a
    quaternion whose length is not 1, a constraint that is not supported yet."""


class RunStopped(EvaluationError):
    """A run that could not continue: time, joint and reason; `run` has all samples up to there."""

    run: Run

    def __init__(self, message: str, run: Run) -> None:
        super().__init__(message)
        self.run = run


for _class in (ModelError, EvaluationError, RunStopped):
    _class.__module__ = "trammel"
