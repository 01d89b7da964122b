"""Number types of descriptions and results. Only type checkers read numpy.typing, whose import would take a sixth of ours."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence, Union

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trammel._engine import Expr

    Number = Union[float, Expr]  # SI units and radians
    Numbers = Union[Number, Sequence[Number]]
    Vector3 = Union[Sequence[Number], NDArray[Any]]
    Floats = NDArray[np.float64]
else:
    Floats = np.ndarray
