"""Arrays with names of joints as keys."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Tuple

import numpy as np

from trammel._calls import described

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    class JointArrayField:
        """Type of State.q and State.v: read as a JointArray, written from any numbers."""

        def __get__(self, owner: Any, kind: Any = ...) -> JointArray: ...
        def __set__(self, owner: Any, numbers: ArrayLike) -> None: ...


class JointArray(np.ndarray[Any, np.dtype[Any]]):
    """Numbers of a model's joints: an array that takes their names as keys, too: tau["elbow"].

    A joint with one degree of freedom is a number, one with several ("wrist", or only "wrist[2]") a view of the
    array. Of many states, the last axis has the degrees of freedom: a["elbow"] has one number per state. Arrays
    of reactions have one row of six numbers per joint. Slices and results of arithmetic take no names.
    """

    __slots__ = ("_model", "_space")

    if TYPE_CHECKING:  # in place, it stays what it is
        def __iadd__(self, other: Any) -> JointArray: ...  # type: ignore
        def __isub__(self, other: Any) -> JointArray: ...  # type: ignore
        def __imul__(self, other: Any) -> JointArray: ...  # type: ignore
        def __itruediv__(self, other: Any) -> JointArray: ...  # type: ignore

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self.view(np.ndarray)[self._where(key)[0]]
        return super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if not isinstance(key, str):
            self.view(np.ndarray)[key] = value
            return
        where, count = self._where(key)
        try:
            numbers = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            raise TypeError(f"'{key}' is {described(value)}: give {_counted(count)}") from None
        target = self.view(np.ndarray)[where]
        is_one = count == 1 and numbers.size == 1  # for all states
        if not is_one and numbers.shape != np.shape(target) and numbers.shape != (count,):
            raise ValueError(f"'{key}' has {_counted(count)} here, {_given(numbers)}")
        self.view(np.ndarray)[where] = numbers.reshape(()) if is_one else numbers

    def by_joint(self) -> Dict[str, Any]:
        """The numbers of all joints with entries here, by their names."""
        model, space = self._names("by_joint()")
        return {name: self[name] for name in model._keys(space)}

    def _names(self, key: str) -> Tuple[Any, str]:
        try:
            return self._model, self._space  # type: ignore[attr-defined]
        except AttributeError:
            raise KeyError(f"{key}: slices and results of arithmetic do not know their joints; take the name first, "
                           "tau['elbow'] * 2") from None

    def _where(self, key: str) -> Tuple[Any, int]:
        """Index of a joint's entries, and how many numbers these are per state."""
        model, space = self._names(f"'{key}'")
        start, count, is_single = model._entries(space, str(key))
        index = start if is_single else slice(start, start + count)
        if space == "joints":
            return (..., index, slice(None)), 6
        return (index if self.ndim == 1 else (..., index)), count  # of one state: a number, not an array of one

    def __repr__(self) -> str:
        return repr(self.view(np.ndarray))


def _counted(count: int) -> str:
    return "1 number" if count == 1 else f"{count} numbers"


def _given(numbers: np.ndarray[Any, Any]) -> str:
    return (f"{numbers.size} were given" if numbers.ndim < 2 else f"an array of shape {numbers.shape} was given")


JointArray.__module__ = "trammel"
