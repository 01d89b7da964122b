"""Wrong arguments: exit 2, nothing on stdout, the thing named, the next step offered."""
import unittest

from program import trammel

wrong = {
    "chek arm.urdf": "trammel: there is no command 'chek'\n  hint: did you mean 'check'?\n",
    "fly": "trammel: there is no command 'fly'\n  hint: trammel --help lists them\n",
    "--jsn": "trammel: trammel has no option --jsn\n  hint: trammel --help lists its options\n",
    "check arm.urdf --jsno": "trammel: trammel check has no option --jsno\n  hint: did you mean --json?\n",
    "check --bsae=free arm.urdf": "trammel: trammel check has no option --bsae\n  hint: did you mean --base?\n",
    "check -z arm.urdf": None,
    "--json check arm.urdf": "trammel: trammel has no option --json\n"
                             "  hint: put it behind the command: trammel check --json\n",
    "--zzz check arm.urdf": None,
    "-- check": None,
    "eval arm.urdf energy --q =1,2": None,
    "check --json": "trammel: no MODEL is given\n  hint: a file, or @name of the gallery\n",
    "info --json": "trammel: no MODEL is given\n  hint: a file, or @name of the gallery\n",
    "info arm.urdf extra": "trammel: trammel info was given 'extra', one argument too many\n"
                           "  hint: trammel info --help shows what it takes\n",
    "check arm.urdf --color blue": "trammel: option --color is 'blue'\n  hint: it takes auto, always or never\n",
    "check arm.urdf --base stuck": "trammel: option --base is 'stuck'\n  hint: it takes fixed or free\n",
    "check arm.urdf --set length": "trammel: option --set takes name=value\n  hint: for example --set mass=2.5\n",
    "check arm.urdf --package here": "trammel: option --package has 'here'\n  hint: it takes name=value\n",
    "eval arm.urdf energ": "trammel: there is no quantity 'energ'\n  hint: did you mean 'energy'?\n",
    "eval arm.urdf xyz": "trammel: there is no quantity 'xyz'\n  hint: trammel eval MODEL lists the quantities\n",
    "eval arm.urdf energy -q elbow=0.3": "trammel: there is no quantity 'elbow=0.3'\n"
                                         "  hint: positions are given by --q, as in --q elbow=0.3; -q is short for --quiet\n",
    "simulate arm.urdf -q elbow=0.3": "trammel: trammel simulate was given 'elbow=0.3', one argument too many\n"
                                      "  hint: positions are given by --q, as in --q elbow=0.3; -q is short for --quiet\n",
    "eval arm.urdf energy --q elbow 0.3": "trammel: there is no quantity '0.3'\n"
                                          "  hint: a value follows its joint and '=': --q elbow=0.3\n",
    "eval arm.urdf energy --q elbow=90\u00b0": "trammel: option --q has '90\u00b0': '\u00b0' has no meaning in an expression\n"
                                              "  hint: degrees are written with a unit: \"90 deg\"\n",
    "eval arm.urdf jacobian": "trammel: jacobian needs a place, and none is given\n"
                              "  hint: add --at BODY or --at FRAME\n",
    "eval arm.urdf jacobian --at foree": "trammel: option --at names 'foree', but no body or frame has that name\n"
                                       "  hint: did you mean 'fore'?\n",
    "eval arm.urdf jacobian --at zzzzz": "trammel: option --at names 'zzzzz', but no body or frame has that name\n"
                                         "  hint: trammel info MODEL lists them\n",
    "eval arm.urdf jacobian --at fore:1,2": "trammel: option --at takes 3 numbers and has 2\n"
                                            "  hint: separate them by commas\n",
    "eval arm.urdf jacobian --at fore --frame tool": "trammel: option --frame is 'tool'\n"
                                                     "  hint: it takes body or world\n",
    "eval arm.urdf energy --digits 0": "trammel: option --digits is '0'\n  hint: it takes 1 to 17\n",
    "eval arm.urdf energy --q": "trammel: option --q needs a value\n",
    "eval arm.urdf energy --q 1": "trammel: option --q has 1 number, the model has nq = 2\n"
                                  "  hint: give them all, or name those you give: joint=value\n",
    "eval arm.urdf energy --tau 1,2,3": "trammel: option --tau has 3 numbers, the model has nv = 2\n"
                                        "  hint: give them all, or name those you give: joint=value\n",
    "eval arm.urdf energy --q elbw=1": "trammel: option --q names 'elbw', but no joint has that name\n"
                                       "  hint: did you mean 'elbow'?\n",
    "eval arm.urdf energy --v zzzzz=1": "trammel: option --v names 'zzzzz', but no joint has that name\n"
                                        "  hint: trammel info MODEL lists the joints\n",
    "eval arm.urdf energy --q elbow=1,2": "trammel: option --q has 2 numbers, 'elbow' has 1\n"
                                          "  hint: separate them by commas\n",
    "eval floating.toml energy --q mount=1": "trammel: option --q names joint 'mount', which is fixed\n"
                                             "  hint: it has no coordinates\n",
    "eval arm.urdf energy --q elbow=two": None,
    "eval arm.urdf energy --q elbow=1/0": None,
    "eval arm.urdf energy --gravity 1,2": "trammel: option --gravity takes 3 numbers and has 2\n"
                                          "  hint: separate them by commas\n",
    "eval arm.urdf energy --wrench fore": "trammel: option --wrench has 'fore'\n  hint: it takes name=value\n",
    "eval arm.urdf energy --wrench fore=1,2,3": "trammel: option --wrench takes 6 numbers and has 3\n"
                                                "  hint: separate them by commas\n",
    "convert arm.urdf": "trammel: no OUT is given\n  hint: a file, or - for stdout\n",
    "convert arm.urdf arm.dae": "trammel: the name 'arm.dae' does not tell a format\n"
                                "  hint: add --to toml or --to urdf\n",
    "convert arm.urdf - --to sdf": "trammel: option --to is 'sdf'\n  hint: it takes toml or urdf\n",
    "generate dh": "trammel: no TABLE is given\n  hint: a file, .csv or .toml\n",
    "generate hd arm.csv": "trammel: there is no notation 'hd'\n  hint: did you mean 'dh'?\n",
    "generate screws arm.csv": "trammel: there is no notation 'screws'\n"
                               "  hint: there are dh, dh-modified, sdof, chain, platform\n",
    "examples pendulm": "trammel: there is no example 'pendulm'\n  hint: did you mean 'pendulum'?\n",
    "examples zzzzzzz": "trammel: there is no example 'zzzzzzz'\n  hint: trammel examples lists them\n",
    "examples --copy": "trammel: no NAME is given\n  hint: trammel examples lists them\n",
    "examples pendulum --copy -o x.toml": "trammel: --copy and --output exclude each other\n",
    "completion -q": "trammel: no SHELL is given\n  hint: bash, zsh or fish\n",
    "completion bsh": "trammel: there is no completion for 'bsh'\n  hint: did you mean bash?\n",
    "completion powershell": "trammel: there is no completion for 'powershell'\n  hint: it is for bash, zsh or fish\n",
}


class WrongUsage(unittest.TestCase):
    maxDiff = None

    def test_every_wrong_call_is_reported_exactly(self):
        for line, expected in wrong.items():
            with self.subTest(line):
                answer = trammel(*line.split())
                self.assertEqual((answer.code, answer.out), (2, ""), answer.err)
                if expected is not None:
                    self.assertEqual(answer.err, expected)
                self.assertTrue(answer.err.startswith("trammel: "))

    def test_numbers_are_reported_with_their_mistake(self):
        for value, words in {"two": "'two'", "1/0": "inf", "30 mn": "'mn'"}.items():
            answer = trammel("eval", "arm.urdf", "energy", "--q", f"shoulder={value}")
            self.assertEqual(answer.code, 2)
            self.assertIn(f"option --q has '{value}'", answer.err)
            self.assertIn(words, answer.err)

    def test_a_unit_of_the_wrong_kind_is_refused(self):
        answer = trammel("eval", "arm.urdf", "energy", "--q", "shoulder=3 mm")
        self.assertEqual((answer.code, answer.err),
                         (2, "trammel: option --q has '3 mm': a length is given where an angle belongs\n"
                             "  hint: a plain number is in SI units\n"))


class Details(unittest.TestCase):
    def test_of_repeated_options_the_last_counts(self):
        self.assertEqual(trammel("eval", "arm.urdf", "energy", "--color", "blue", "--color", "never").code, 0)

    def test_a_file_may_begin_with_a_dash(self):
        self.assertTrue(trammel("check", "--", "-x.toml").out.startswith("-x.toml: error: there is no such file"))

    def test_help_may_be_a_word(self):
        self.assertEqual(trammel("help", "eval").out, trammel("eval", "--help").out)
        self.assertEqual(trammel("help").out, trammel().out)

    def test_verbose_tells_more(self):
        self.assertEqual(trammel("eval", "-v", "arm.urdf", "energy").err, "arm.urdf: 2 bodies, 2 joints, nq 2, nv 2\n")

    def test_an_internal_error_is_reported_politely(self):
        answer = trammel("__bug")
        self.assertEqual((answer.code, answer.out), (3, ""))
        self.assertEqual(answer.err, "trammel: something went wrong that is not your fault: asked for by a test\n"
                                     "  hint: please report it, with the command and the files it was given\n")


if __name__ == "__main__":
    unittest.main()
