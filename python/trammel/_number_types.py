"""Number types of descriptions and results."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence, Union

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from trammel._engine import Expr

    Number = Union[float, Expr]  # SI units and radians
    Numbers = Union[Number, Sequence[Number]]
    Vector3 = Union[Sequence[Number], NDArray[Any]]

Floats = NDArray[np.float64]
