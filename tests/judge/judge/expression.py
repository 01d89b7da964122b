"""Numbers of model files: formulas and units, as docs/model-format.md describes them."""
import re

from .arithmetic import FUNCTIONS, ONE, PI, Decimal

_TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(.))")

D = Decimal
_POUND, _INCH, _G = D("0.45359237"), D("0.0254"), D("9.80665")
UNITS = {
    "m": ONE, "mm": D("1e-3"), "cm": D("1e-2"), "km": D(1000), "um": D("1e-6"), "in": _INCH, "ft": 12 * _INCH,
    "kg": ONE, "g": D("1e-3"), "t": D(1000), "lb": _POUND,
    "s": ONE, "ms": D("1e-3"), "us": D("1e-6"), "min": D(60), "h": D(3600),
    "rad": ONE, "mrad": D("1e-3"), "deg": PI / 180, "turn": 2 * PI, "rev": 2 * PI, "rpm": 2 * PI / 60,
    "N": ONE, "mN": D("1e-3"), "kN": D(1000), "lbf": _POUND * _G, "Nm": ONE,
    "J": ONE, "W": ONE, "kW": D(1000), "Hz": ONE,
}


class Formula(Exception):
    pass


class _Reader:
    def __init__(self, text, names):
        self.text, self.names = text, names
        self.tokens = [match for match in _TOKEN.finditer(text.rstrip())]
        self.at = 0

    def peek(self):
        return self.tokens[self.at].group().strip() if self.at < len(self.tokens) else None

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, what):
        if self.peek() != what:
            raise Formula(f"'{self.text}': '{what}' is missing")
        self.at += 1

    def sum(self):
        value = self.product()
        while self.peek() in ("+", "-"):
            value = value + self.product() if self.take().group().strip() == "+" else value - self.product()
        return value

    def product(self):
        value = self.signed()
        while self.peek() in ("*", "/"):
            value = value * self.signed() if self.take().group().strip() == "*" else value / self.signed()
        return value

    def signed(self):
        if self.peek() in ("+", "-"):
            return self.signed() if self.take().group().strip() == "+" else -self.signed()
        base = self.primary()
        if self.peek() == "^":
            self.at += 1
            return base ** self.signed()
        return base

    def primary(self):
        if self.peek() is None:
            raise Formula(f"'{self.text}' ends too early")
        number, name, sign = self.take().groups()
        if number:
            return Decimal(number)
        if name:
            if self.peek() == "(" and name in FUNCTIONS:
                self.at += 1
                arguments = [self.sum()]
                while self.peek() == ",":
                    self.at += 1
                    arguments.append(self.sum())
                self.expect(")")
                return FUNCTIONS[name](*arguments)
            if name == "pi":
                return PI
            return self.names(name)
        if sign == "(":
            value = self.sum()
            self.expect(")")
            return value
        raise Formula(f"'{self.text}': '{sign}' is not understood")

    def unit(self):
        """A product of units; a blank multiplies, too."""
        value = self.unit_power()
        while self.peek() is not None and self.peek() != ")":
            if self.peek() == "/":
                self.at += 1
                value /= self.unit_power()
            else:
                if self.peek() == "*":
                    self.at += 1
                value *= self.unit_power()
        return value

    def unit_power(self):
        if self.peek() == "(":
            self.at += 1
            value = self.unit()
            self.expect(")")
        else:
            name = self.take().group().strip()
            if name not in UNITS:
                raise Formula(f"'{self.text}': there is no unit '{name}'")
            value = UNITS[name]
        if self.peek() == "^":
            self.at += 1
            sign = -1 if self.peek() == "-" else 1
            if sign < 0:
                self.at += 1
            value **= sign * int(self.take().group().strip())
        return value


def evaluate(value, names):
    """A number of a file: a TOML number, or a text with a formula and perhaps a unit; `names` finds other numbers."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal, str)):
        raise Formula(f"{value!r} is not a number")
    if not isinstance(value, str):
        return Decimal(value)
    reader = _Reader(value, names)
    result = reader.sum()
    if reader.peek() is not None:
        result *= reader.unit()
    if reader.peek() is not None:
        raise Formula(f"'{value}': '{reader.peek()}' is left over")
    return result


class Parameters:
    """[parameters]: formulas of each other, in any order."""

    def __init__(self, table):
        self.table, self.known, self.under_way = table, {}, set()

    def __call__(self, name):
        if name not in self.table:
            raise Formula(f"there is no parameter '{name}'")
        if name not in self.known:
            if name in self.under_way:
                raise Formula(f"parameter '{name}' needs itself")
            self.under_way.add(name)
            self.known[name] = evaluate(self.table[name], self)
        return self.known[name]

    def within(self, table):
        """Numbers of the same table are nearer than parameters; in its own formula a name means the parameter."""
        def find(name, asking=()):
            if name in table and name not in asking and not isinstance(table[name], (dict, list, bool)):
                return evaluate(table[name], lambda other: find(other, (*asking, name)))
            return self(name)

        def number(value, key=None):
            return evaluate(value, lambda name: find(name, (key,)))
        return number
