"""Real numbers with 60 decimal digits: `decimal` of Python's standard library, and the functions it lacks.

50 digits are claimed of results; ten more absorb the rounding of some ten thousand operations."""
import decimal
from decimal import Decimal

DIGITS = 60
decimal.getcontext().prec = DIGITS

ZERO, ONE, HALF = Decimal(0), Decimal(1), Decimal("0.5")
_SMALL = Decimal(10) ** (-DIGITS - 5)


def _arctan_series(x):
    square, power, total, k = x * x, x, x, 1
    while abs(power) > _SMALL:
        power *= -square
        k += 2
        total += power / k
    return total


def atan(x):
    halvings = 0
    while abs(x) > Decimal("0.1"):  # atan x = 2 atan(x / (1 + sqrt(1 + x^2)))
        x = x / (1 + (1 + x * x).sqrt())
        halvings += 1
    return _arctan_series(x) * 2 ** halvings


PI = 4 * (4 * _arctan_series(ONE / 5) - _arctan_series(ONE / 239))  # Machin 1706


def _wrapped(x):
    return x - 2 * PI * (x / (2 * PI)).to_integral_value()


def cos(x):
    return sin(x + PI / 2) if x != 0 else ONE


def sin(x):
    x = _wrapped(x)
    if abs(x) > PI / 2:  # sin(pi - x) = sin(x)
        x = (PI if x > 0 else -PI) - x
    square, power, total, k = x * x, x, x, 1
    while abs(power) > _SMALL:
        power *= -square / ((k + 1) * (k + 2))
        k += 2
        total += power
    return total


def tan(x):
    return sin(x) / cos(x)


def atan2(y, x):
    if abs(x) >= abs(y):
        if x == 0:
            return ZERO
        return atan(y / x) + (ZERO if x > 0 else PI if y >= 0 else -PI)
    return (PI / 2 if y > 0 else -PI / 2) - atan(x / y)


def asin(x):
    return atan2(x, (1 - x * x).sqrt())


def acos(x):
    return atan2((1 - x * x).sqrt(), x)


FUNCTIONS = {
    "sin": sin, "cos": cos, "tan": tan, "asin": asin, "acos": acos, "atan": atan, "atan2": atan2,
    "sqrt": Decimal.sqrt, "exp": Decimal.exp, "log": Decimal.ln, "abs": abs, "min": min, "max": max,
    "pow": lambda x, y: x ** y,
}


class Jet:
    """A function of time at one instant: its value and its first two derivatives."""
    __slots__ = ("f", "df", "ddf")

    def __init__(self, f, df=ZERO, ddf=ZERO):
        self.f, self.df, self.ddf = f, df, ddf

    def __add__(self, other):
        if not isinstance(other, Jet):
            return Jet(self.f + other, self.df, self.ddf)
        return Jet(self.f + other.f, self.df + other.df, self.ddf + other.ddf)

    def __neg__(self):
        return Jet(-self.f, -self.df, -self.ddf)

    def __sub__(self, other):
        return self + (-other)

    def __mul__(self, other):
        if not isinstance(other, Jet):
            return Jet(self.f * other, self.df * other, self.ddf * other)
        return Jet(self.f * other.f, self.df * other.f + self.f * other.df,
                   self.ddf * other.f + 2 * self.df * other.df + self.f * other.ddf)

    def through(self, f, df, ddf):
        """The chain rule: a function with value f and derivatives df, ddf at self.f."""
        return Jet(f, df * self.df, ddf * self.df * self.df + df * self.ddf)

    def inverse(self):
        return self.through(1 / self.f, -1 / self.f ** 2, 2 / self.f ** 3)

    def sqrt(self):
        root = self.f.sqrt()
        return self.through(root, 1 / (2 * root), -1 / (4 * root ** 3))

    def sin(self):
        s, c = sin(self.f), cos(self.f)
        return self.through(s, c, -s)

    def cos(self):
        s, c = sin(self.f), cos(self.f)
        return self.through(c, -s, -c)


def jet_atan2(y, x):
    """The angle of (x, y): its rate is (x y' - y x') / (x^2 + y^2)."""
    square = x.f * x.f + y.f * y.f
    turn, turn_rate = x.f * y.df - y.f * x.df, x.f * y.ddf - y.f * x.ddf
    square_rate = 2 * (x.f * x.df + y.f * y.df)
    return Jet(atan2(y.f, x.f), turn / square, (turn_rate * square - turn * square_rate) / (square * square))


# vectors and matrices are lists; their entries are Decimals or Jets
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def plus(a, b):
    return [x + y for x, y in zip(a, b)]


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def times(a, factor):
    return [x * factor for x in a]


def unit(a):
    length = dot(a, a).sqrt()
    return [x / length for x in a]


def apply(matrix, vector):
    return [dot(row, vector) for row in matrix]


def transpose(matrix):
    return [list(column) for column in zip(*matrix)]


def multiply(a, b):
    columns = transpose(b)
    return [[dot(row, column) for column in columns] for row in a]


IDENTITY = [[ONE, ZERO, ZERO], [ZERO, ONE, ZERO], [ZERO, ZERO, ONE]]


def rotation(axis, angle):
    """Rodrigues' formula; the axis has length 1."""
    s, c = sin(angle), cos(angle)
    x, y, z = axis
    skew = [[ZERO, -z, y], [z, ZERO, -x], [-y, x, ZERO]]
    return [[c * IDENTITY[i][j] + s * skew[i][j] + (1 - c) * axis[i] * axis[j] for j in range(3)] for i in range(3)]


def rotation_by(vector):
    """The rotation about a vector by its length."""
    angle = dot(vector, vector).sqrt()
    return IDENTITY if angle == 0 else rotation([x / angle for x in vector], angle)


def quaternion_rotation(quaternion):
    length = sum(x * x for x in quaternion).sqrt()
    w, x, y, z = (c / length for c in quaternion)
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
