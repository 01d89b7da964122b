"""Dense linear algebra for 60 digits: rank by pivoted Gram-Schmidt, least-norm solutions, null spaces."""
from operator import mul

from .arithmetic import ONE, ZERO, Decimal

# A pivot is the distance of a row from the span of those before it. In a pose known to 50 digits the pivot of a
# dependent row is rounding, below CERTAIN_ZERO; that of an independent row is far above CERTAIN_ROW. Values between are
# an error.
CERTAIN_ZERO = Decimal("1e-40")
CERTAIN_ROW = Decimal("1e-12")


class Undecided(Exception):
    pass


def inner(a, b):
    return sum(map(mul, a, b), ZERO)


class RowSpace:
    """Rows = L Q with orthonormal Q: pivoted modified Gram-Schmidt, the longest remaining row first."""

    def __init__(self, rows, columns, threshold=None):
        self.columns, self.count = columns, len(rows)
        self.basis, self.chosen, self.pivots = [], [], []
        self.coefficients = [[] for _ in rows]
        rest = [list(row) for row in rows]
        left = set(range(len(rows)))
        self.dropped = ZERO
        while left:
            squares = {i: inner(rest[i], rest[i]) for i in left}
            best = max(left, key=lambda i: (squares[i], -i))
            pivot = squares[best].sqrt()
            if threshold is None and CERTAIN_ZERO < pivot < CERTAIN_ROW:
                raise Undecided(f"a pivot of {pivot:.3e} is neither rounding nor a row")
            if pivot <= (threshold or CERTAIN_ZERO):
                self.dropped = pivot
                break
            q = [x / pivot for x in rest[best]]
            left.discard(best)
            self.chosen.append(best)
            self.pivots.append(pivot)
            self.basis.append(q)
            for i in left:
                share = inner(rest[i], q)
                self.coefficients[i].append(share)
                if share != 0:
                    rest[i] = [x - share * y for x, y in zip(rest[i], q)]
            self.coefficients[best].append(pivot)

    @property
    def rank(self):
        return len(self.basis)

    def solve(self, right):
        """The solution of least norm of rows x = right, and by how much dependent rows contradict it."""
        y = []
        for k, i in enumerate(self.chosen):
            y.append((right[i] - inner(self.coefficients[i][:k], y)) / self.pivots[k])
        x = [ZERO] * self.columns
        for share, q in zip(y, self.basis):
            x = [a + share * b for a, b in zip(x, q)]
        chosen = set(self.chosen)
        contradiction = max((abs(right[i] - inner(self.coefficients[i], y)) for i in range(self.count) if i not in chosen),
                            default=ZERO)
        return x, contradiction

    def null_space(self):
        """Orthonormal vectors that all rows are perpendicular to."""
        wanted, found = self.columns - self.rank, []
        # the part of each unit vector outside the rows: the largest is taken first, repeatedly
        remain = [ONE - sum((q[j] * q[j] for q in self.basis), ZERO) for j in range(self.columns)]
        while len(found) < wanted:
            j = max(range(self.columns), key=lambda k: remain[k])
            vector = [ONE if k == j else ZERO for k in range(self.columns)]
            for q in self.basis + found:
                vector = [a - q[j] * b for a, b in zip(vector, q)]
            length = inner(vector, vector).sqrt()
            vector = [x / length for x in vector]
            found.append(vector)
            remain = [r - x * x for r, x in zip(remain, vector)]
        return found


def solve_symmetric(matrix, right):
    """Gaussian elimination with full symmetric pivoting; None where the matrix is singular."""
    n = len(matrix)
    a = [list(row) + [right[i]] for i, row in enumerate(matrix)]
    order = list(range(n))
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(a[i][i]))
        a[k], a[p] = a[p], a[k]
        for row in a:
            row[k], row[p] = row[p], row[k]
        order[k], order[p] = order[p], order[k]
        if abs(a[k][k]) < CERTAIN_ZERO:
            return None
        for i in range(k + 1, n):
            factor = a[i][k] / a[k][k]
            if factor != 0:
                a[i] = [x - factor * y for x, y in zip(a[i], a[k])]
    x = [ZERO] * n
    for k in reversed(range(n)):
        x[k] = (a[k][n] - inner(a[k][k + 1:n], x[k + 1:])) / a[k][k]
    result = [ZERO] * n
    for k, i in enumerate(order):
        result[i] = x[k]
    return result
