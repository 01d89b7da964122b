"""Rank that can be trusted, from outside: loops that nearly close, loops over a thousand bodies, lengths from 1e-4 to
1e2 m in one model."""
import math
import unittest

from program import InFolder


class Rank(InFolder):
    def mobility(self, text):
        (self.folder / "model.toml").write_text("trammel = 1\n" + text)
        return self.json("info", "model.toml")["mobility"]

    def bennett(self, off):
        """Bennett's linkage with one length off by so much [m]: it moves only if it is not."""
        a, alpha, beta = 0.5, 0.6, 1.1
        b = a * math.sin(beta) / math.sin(alpha)
        text = ""
        for name in ("second", "third", "fourth"):
            text += f"[body.{name}]\nmass = 1\ninertia = [0.01, 0.02, 0.03]\n"
        chain = [("h2", "ground", "second", a, alpha), ("h3", "second", "third", b, beta),
                 ("h4", "third", "fourth", a + off, alpha), ("h1", "fourth", "ground", b, beta)]
        for name, parent, child, length, twist in chain:
            text += (f'[joint.{name}]\ntype = "revolute"\nparent = "{parent}"\nchild = "{child}"\n'
                     f"at = {{ xyz = [{length!r}, 0, 0], rpy = [{twist!r}, 0, 0] }}\n" + ("cut = true\n" if name == "h1" else ""))
        return text

    def test_bennett_off_by_rounding_moves(self):
        for off in (0, 1e-13):
            found = self.mobility(self.bennett(off))
            self.assertEqual((found["finite"], found["rank"], found["undecided"]), (1, 2, []), off)

    def test_bennett_off_by_more_than_rounding_is_undecided(self):
        found = self.mobility(self.bennett(1e-11))
        self.assertEqual(found["rank"], 2)
        self.assertTrue(found["undecided"])
        for row in found["undecided"]:
            self.assertGreater(row["length"], row["bound"])
            self.assertLess(row["length"], 1e-10)
        self.assertIn("undecided", self.done("info", "model.toml").out)

    def test_bennett_off_by_more_than_assembly_allows_is_refused(self):
        (self.folder / "model.toml").write_text("trammel = 1\n" + self.bennett(1e-8))
        answer = self.trammel("eval", "model.toml", "forward_dynamics")
        self.assertEqual(answer.code, 1)
        self.assertRegex(answer.err, r"violated by [0-9.]+e-0[89] m")

    def nut(self, off):
        """A nut on two coaxial threads about z whose pitches differ by this part: locked unless they are equal."""
        thread = 'type = "screw"\nparent = "ground"\nchild = "nut"\naxis = "z"\n'
        (self.folder / "nut.toml").write_text(
            "trammel = 1\n[body.nut]\nmass = 2\ncom = [0.1, 0, 0]\ninertia = [0.01, 0.01, 0.004]\n"
            f"[joint.a]\n{thread}pitch = 0.03\n[joint.b]\n{thread}pitch = {0.03 * (1 + off)!r}\n")
        return "nut.toml"

    def test_threads_of_equal_pitch_turn_and_others_lock(self):
        p = 0.03  # [m/rad]
        for off, by_hand in (0, -2 * 9.81 * p / (0.004 + 2 * 0.1**2 + 2 * p * p)), (1e-8, 0), (0.01, 0):
            found = self.json("eval", self.nut(off), "forward_dynamics")["answers"]["forward_dynamics"]["values"]
            self.assertAlmostEqual(found[0], by_hand, delta=1e-12)

    def test_every_command_reports_a_rank_that_is_undecided(self):
        model = self.nut(1e-11)
        for words in ["check"], ["eval", "forward_dynamics"], ["linearize"], ["simulate", "--duration", "0.1"]:
            answer = self.trammel(words[0], model, *words[1:])
            self.assertEqual(answer.code, words[0] == "linearize", words)  # needs the number of degrees of freedom
            self.assertRegex(answer.out + answer.err, r"undecided, counted as dependent: loop joint 'b': .* of its length", words)

    def test_a_ring_of_a_thousand_links(self):
        """A regular polygon in the plane: three planar rows, of which the last hinge leaves two; the others are redundant."""
        n, length = 1000, 0.1
        text = "".join(f"[body.b{k}]\nmass = 1\ncom = [{length / 2}, 0, 0]\ninertia = [1e-3, 1e-3, 1e-3]\n" for k in range(n))
        for k in range(n):
            at = f"at = {{ xyz = [{length}, 0, 0], rpy = [0, 0, {2 * math.pi / n!r}] }}\n" if k else ""
            parent = f"b{k - 1}" if k else "ground"
            text += f'[joint.j{k}]\ntype = "revolute"\nparent = "{parent}"\nchild = "b{k}"\n{at}'
        text += (f'[joint.last]\ntype = "revolute"\nparent = "b{n - 1}"\nchild = "ground"\n'
                 f"at = {{ xyz = [{length}, 0, 0] }}\ncut = true\n")
        found = self.mobility(text)
        self.assertEqual((found["dofs"], found["rank"], found["instantaneous"]), (n, 2, n - 2))
        self.assertEqual(found["undecided"], [])

    def test_lengths_from_a_tenth_of_a_millimeter_to_a_hundred_meters(self):
        """A four-bar of 1e-4 m at the tip of an arm of 1e2 m, and one of 1e2 m beside it: each loses two degrees of freedom."""
        def bars(prefix, size, base, at):
            lengths = {"crank": 0.2 * size, "coupler": 0.5 * size, "rocker": 0.45 * size}
            mass = size ** 3
            text = ""
            for name, length in lengths.items():
                text += (f"[body.{prefix}{name}]\nmass = {mass!r}\ncom = [{length / 2!r}, 0, 0]\n"
                         f"inertia = [{mass * length ** 2 / 12!r}, {mass * length ** 2 / 12!r}, {mass * length ** 2 / 12!r}]\n")
            joints = [("motor", base, "crank", at, 0), ("knee", prefix + "crank", "coupler", lengths["crank"], 0),
                      ("foot", base, "rocker", at + 0.5 * size, 0), ("wrist", prefix + "coupler", "rocker", lengths["coupler"],
                                                                    lengths["rocker"])]
            for name, parent, child, x, child_x in joints:
                text += (f'[joint.{prefix}{name}]\ntype = "revolute"\nparent = "{parent}"\nchild = "{prefix}{child}"\n'
                         f"at = {{ xyz = [{x!r}, 0, 0] }}\nchild_at = {{ xyz = [{child_x!r}, 0, 0] }}\n"
                         + ("cut = true\n" if name == "wrist" else ""))
            return text
        text = '[body.arm]\nmass = 100\ncom = [50, 0, 0]\ninertia = [1e5, 1e5, 1e5]\n'
        text += '[joint.base]\ntype = "revolute"\nparent = "ground"\nchild = "arm"\n'
        text += bars("small_", 1e-4, "arm", 100.0) + bars("large_", 1e2, "ground", 300.0)
        found = self.mobility(text)
        self.assertEqual((found["dofs"], found["rank"], found["finite"]), (7, 4, 3))
        self.assertEqual(found["undecided"], [])


class TableOnManyCranks(InFolder):
    def test_a_component_of_115_rows_mostly_redundant(self):
        """By hand: -g cos(q) (n m / 2 + M) / (n m / 3 + M) for n cranks of 1 m; 1 degree of freedom."""
        n, table, q = 24, 10, math.radians(30)
        bodies = f"table = {{ mass = {table}, inertia = [1, 1, 1] }}\n"
        joints = ""
        for k in range(n):
            bodies += f'c{k} = {{ mass = 1, com = [0.5, 0, 0], inertia = [0, "1/12", "1/12"] }}\n'
            joints += f'f{k} = {{ type = "revolute", parent = "ground", child = "c{k}", axis = "-y", at = {{ xyz = [{k}, 0, 0] }} }}\n'
            joints += (f't{k} = {{ type = "revolute", parent = "c{k}", child = "table", axis = "-y", at = {{ xyz = [1, 0, 0] }}, '
                       f'child_at = {{ xyz = [{k}, 0, 0] }}{", cut = true" if k else ""} }}\n')
        (self.folder / "table.toml").write_text(
            f'trammel = 1\n[body]\n{bodies}[joint]\n{joints}[state.position]\nf0 = "30 deg"\n')
        expected = -9.81 * math.cos(q) * (n / 2 + table) / (n / 3 + table)
        for solver in "automatic", "schur", "sparse":
            values = self.json("eval", "table.toml", "forward_dynamics", "--solver", solver)["answers"]["forward_dynamics"]
            found = dict(zip(values["names"], values["values"]))
            self.assertAlmostEqual(found["f0"], expected, delta=1e-11)
            self.assertAlmostEqual(found[f"f{n - 1}"], expected, delta=1e-11)
        self.assertIn("1 degree of freedom (regular): nv 25 minus 24 independent of 115", self.done("info", "table.toml").out)


if __name__ == "__main__":
    unittest.main()
