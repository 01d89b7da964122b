"""The gallery's mechanisms with loops, from outside: how they can move, and how they begin to. The numbers are those
of the seeds and of public benchmarks, as each file's first lines say; others follow from counting or from a closed form."""
import math
import unittest

from program import InFolder

# model: (nv, rows of its loops, number of independent rows, mobility)
ways = {
    "four_bar": (3, 5, 2, 1),
    "me_3": (4, 5, 2, 2),
    "me_3_led": (6, 5 + 2, 4, 2),  # the point of the tip has a prescribed motion
    "me_4": (3, 5, 2, 1),
    "me_5": (15, 12, 12, 3),
    "mx_2": (3, 5, 2, 1),
    "mx_3": (3, 5, 2, 1),
    "mx_4": (15, 12, 12, 3),
    "mx_6": (11, 8, 8, 3),
    "r_ex2": (12, 6, 6, 6),
    "r_ex3": (18, 12, 12, 6),
    "r_ex4": (14, 6, 6, 8),
    "r_ex5": (6, 6, 3, 3),
    "r_ex6": (12, 6, 6, 6),
    "e_02": (18, 6, 6, 12),
    "e_03": (5, 5 + 2, 4, 1),  # two slides are locked
    "e_04": (4, 6, 4, 0),
    "e_04_free": (10, 6, 4, 6),
    "e_05": (9, 6, 3, 6),
    "s_t01": (5, 4, 3, 2),  # two rows per wheel; two wheels on one axle constrain each other laterally
    "s_t03": (7, 6, 5, 2),
    "f2": (5, 10, 4, 1),
    "f3": (7, 15, 6, 1),
    "f7": (3, 5, 2, 1),
    "bennett": (3, 5, 2, 1),
    "sarrus": (5, 5, 4, 1),
}
arms = "3,-150,-55,1,-12,0.5,-2,-145,-50,0.5,-11.5,-0.3"
# model: options, accelerations as printed, half a unit of the last digit plus the effect of rounded inputs
begins = {
    "me_3": ([], {"joint1": 0, "joint2": 200 / 19, "joint3": -200 / 19, "joint4": -200 / 19}, 1e-12),
    # as me_3 while the point of the tip is at rest
    "me_3_led": ([], {"joint1": 0, "joint2": 200 / 19, "joint3": -200 / 19, "joint4": -200 / 19, "carriage.slide1": 0}, 1e-12),
    "me_4": ([], {"left": 4.9428824, "right": 4.9428824, "left_tip": -4.9428824}, 5.1e-8),
    "me_5": ([], {"leg1.turn1": 0, "leg2.turn2": -3.6239142, "leg3.slide": 9.2218498, "ankle1.turn2": 3.6239142}, 5.1e-8),
    "mx_2": (["--tau", "pair_left=-31.8198052"], {"pair_left": 2.4714412, "pair_right": 2.4714412}, 5.1e-8),
    "mx_3": ([], {"pair_left": 4.9428824, "pair_right": 4.9428824}, 5.1e-8),
    "mx_4": (["--tau", "machine_leg1=0,0,10"],
             {"machine_leg1.turn2": -4.0625864, "machine_leg1.slide": 9.9795936, "machine_leg2.turn1": -0.2855372,
              "machine_leg3.turn1": 0.2855372, "machine_ankle2.turn2": 3.4353826}, 5e-7),
    "r_ex1": (["--tau", "5"], {"hinge": 1.229508196721}, 5.1e-13),
    "r_ex2": (["--tau", arms], {"arm1_joint1": 0.5882077620, "arm1_joint4": -31.9949961174, "arm2_joint6": -21.9856467668},
              2e-8),
    "r_ex3": (["--tau", arms + ",1,-148,-52,-0.8,-11,0.2"], {"arm1_joint1": -0.706456188, "arm1_joint6": 4.805246723}, 2e-8),
    "r_ex4": (["--tau", "3,-150,1.5,-55,1,-12,0.5,-2,-145,-0.7,-50,0.5,-11.5,-0.3"],
              {"arm1_joint3": -54.5046496464, "arm2_joint7": 31.2362366509}, 2e-8),
    "r_ex5": (["--tau", "10,6,2,-10,-6,-2"], {"left1": 13.75558639, "left2": -35.5507580412, "right3": -21.7951716512}, 2e-8),
    "r_ex6": (["--tau", "0,-107.2186393,-39.4220954,1.6735593,-5.5136936,0,0,-104.0013192,-40.2410479,-0.9552837,"
               "-6.5933244,0"], {f"arm{i}_joint{k}": 0 for i in (1, 2) for k in range(1, 7)}, 2e-5),
    "e_03": (["--tau", "left=5"], {"left": -5.218964757, "right": -5.218964757, "left_middle": 0}, 5.1e-10),
    "e_04": ([], {"left1": 0, "left2": 0, "right1": 0, "right2": 0}, 1e-12),
    # a torque between bodies that cannot move relative to each other has no effect
    "e_04_free": (["--tau", "left1=1"], {"float.wz": 0, "float.vy": 0, "left1": 0, "right2": 0}, 1e-12),
    "e_05": (["--tau", "left2=1", "--tau", "right3=1"],
             {"float.x": -0.06432853, "float.y": -0.25471698, "float.turn": 0.24579617, "left1": -2.77977252,
              "left2": 3.27276208, "left3": 0.74197286, "right1": 1.97494446, "right2": -6.23667188, "right3": 5.49668984},
             5.1e-9),
    "f3": (["--tau", "beta=0.033"], {"beta": 14222.4439199541, "Theta": -10666.8329399656}, 1e-7),

    # by the closed form of [Saha 1991], with numbers of seven digits
    "s_t01": ([], {"left": 0, "right": 0, "base.turn": 0}, 1e-12),
    "s_t03": ([], {"left": -0.4240362, "right": 0.2717725}, 5.1e-8),
    # in a steady turn; the velocities have nine digits
    "e_06": ([], {"flight.turn1": 0, "flight.turn2": 0, "flight.turn3": 0}, 1e-7),
    "f7": ([], {"left_foot": 0, "right_foot": 0, "left_knee": 0}, 1e-11),
    "f2": (["--q", "-0.7,-0.7,-0.7,0.7,0.7"], {"foot0": -11.445 * math.sin(0.7), "left1": 11.445 * math.sin(0.7)}, 1e-11),
}


class ClosedModels(InFolder):
    def test_info_tells_how_they_can_move(self):
        for name, (nv, rows, rank, finite) in ways.items():
            with self.subTest(name):
                statistics = self.json("info", "@" + name)
                mobility = statistics["mobility"]
                self.assertEqual((statistics["nv"], mobility["rows"], mobility["rank"], mobility["finite"]),
                                 (nv, rows, rank, finite))
                self.assertEqual(mobility["gruebler"], nv - rows)
                self.assertEqual(mobility["verdict"], "regular")
                self.assertEqual(bool(mobility["dependent"]), rank < rows)
                self.assertIn("loop", statistics["topology"])

    def test_they_begin_as_published(self):
        for name, (words, expected, tolerance) in begins.items():
            with self.subTest(name):
                found = self.begins(name, *words)
                for joint, value in expected.items():
                    self.assertAlmostEqual(found[joint], value, delta=tolerance, msg=joint)

    def begins(self, name, *words):
        answer = self.json("eval", "@" + name, "forward_dynamics", *words)["answers"]["forward_dynamics"]
        return dict(zip(answer["names"], answer["values"]))


    def test_a_joint_that_closes_a_loop_is_driven_by_name(self):
        # its angle is that of the foot minus those of motor and knee
        found = self.begins("four_bar", "--tau", "wrist=0.5")
        same = self.begins("four_bar", "--tau", "motor=-0.5", "--tau", "knee=-0.5", "--tau", "foot=0.5")
        for joint, value in same.items():
            self.assertAlmostEqual(found[joint], value, delta=1e-9, msg=joint)
        self.assertNotAlmostEqual(found["motor"], self.begins("four_bar")["motor"], delta=0.1)

    def test_nothing_from_inside_turns_the_platform_of_e_02(self):
        # internal torques change no momentum: from rest the center of mass stays
        rest = ["--v", ",".join("0" * 18)]
        words = ["--tau", "arm1_joint2=30", "--tau", "arm2_joint3=-20", *rest]
        a = self.json("eval", "@e_02", "forward_dynamics", *words)["answers"]["forward_dynamics"]["values"]
        matrix = self.json("eval", "@e_02", "centroidal_momentum_matrix", *rest)
        rows = matrix["answers"]["centroidal_momentum_matrix"]["values"]
        for row in rows:
            self.assertAlmostEqual(sum(x * y for x, y in zip(row, a)), 0, delta=1e-9)
        self.assertGreater(max(map(abs, a)), 0.1)

    def test_choices_are_reported(self):
        # four revolute joints about y: the self-stress of a planar mechanism is out of the plane, two moments and a
        # force; all components in the plane are unique
        across = [False, True, False, True, False, True]
        answer = self.json("eval", "@four_bar", "reactions")["answers"]["reactions"]
        self.assertEqual(answer["unique"], [across] * 4)
        self.assertGreater(answer["length"], 0)
        by_kkt = self.json("eval", "@four_bar", "reactions", "--solver", "kkt")["answers"]["reactions"]
        self.assertEqual(by_kkt["unique"], answer["unique"])
        text = self.done("eval", "@four_bar", "reactions").out
        self.assertEqual(text.count(" (chosen)"), 4 * 3 + 1)
        self.assertIn(f"with l = {answer['length']:.6g} m\n", text)
        statistics = self.json("info", "@four_bar")["mobility"]
        self.assertEqual((statistics["unique_reactions"], sorted(statistics["chosen_reactions"])), (False, sorted(answer["names"]["rows"])))
        self.assertIn("  reactions are not all unique, a self-stress is chosen at: ", self.done("info", "@four_bar").out)

        # moments scaled by another length, a joint with a larger weight
        other = self.json("eval", "@four_bar", "reactions", "--stress-length", "10 cm", "--stress-weight",
                          answer["names"]["rows"][0] + "=5")["answers"]["reactions"]
        self.assertEqual(other["length"], 0.1)
        for row, same, unique in zip(other["values"], answer["values"], answer["unique"]):
            for x, y, is_unique in zip(row, same, unique):
                if is_unique:
                    self.assertAlmostEqual(x, y, delta=1e-8)
        self.assertIn("the least sum of weight (|force|^2 + |moment|^2 / l^2)",
                      self.done("eval", "@four_bar", "reactions", "--stress-weight", answer["names"]["rows"][0] + "=5").out)

        # margin of the rank decision
        self.assertLess(statistics["dropped"], statistics["tolerance"])
        self.assertLess(statistics["tolerance"], statistics["least"])
        self.assertIn("  singular values at the rank decision, relative to the largest: last counted ", self.done("info", "@four_bar").out)

        # a tree has no self-stress
        answer = self.json("eval", "@pendulum", "reactions")["answers"]["reactions"]
        self.assertEqual((answer["unique"], answer["length"]), ([[True] * 6], None))
        self.assertNotIn("chosen", self.done("eval", "@pendulum", "reactions").out)

    def test_friction_follows_what_a_floor_carries(self):
        # a sliding block of 2 kg: deceleration mu g, and the floor supports its weight
        (self.folder / "block.toml").write_text("""trammel = 1
name = "block"
[body.block]
mass = 2
inertia = [0.01, 0.01, 0.01]
[joint.flight]
type = "compound"
parent = "ground"
child = "block"
motions = [{ slide = "x" }, { slide = "z" }]
[joint.floor]
type = "compound"
parent = "ground"
child = "block"
motions = [{ slide = "x" }, { slide = "y" }, { turn = "x" }, { turn = "y" }, { turn = "z" }]
cut = true
""")
        asked = ["eval", "block.toml", "sliding_dynamics", "--v", "flight=1,0"]
        row = self.json("eval", "block.toml", "multipliers")["answers"]["multipliers"]["names"][0]
        for output in (row, "0"):
            found = self.json(*asked, "--follow", output + "@block=0,0,0,-0.3,0,0")["answers"]["sliding_dynamics"]
            for value, expected in zip(found["acceleration"]["values"], (-0.3 * 9.81, 0)):
                self.assertAlmostEqual(value, expected, delta=1e-12)
            self.assertAlmostEqual(found["multiplier"]["values"][0], 2 * 9.81, delta=1e-11)
        # a follower force that increases its own normal force
        answer = self.trammel(*asked, "--follow", "0@block=0,0,0,0,0,-1")
        self.assertEqual(answer.code, 1)
        self.assertIn("leave no unique answer", answer.err)
        for output, told in {row.replace("floor", "flor") + "@block=0,0,0,1,0,0": f'did you mean "{row}"?',
                           "7@block=0,0,0,1,0,0": "rows are 0 to 0",
                           "0@blok=0,0,0,1,0,0": "block",
                           "0=0,0,0,1,0,0": "it takes ROW@PLACE=mx,my,mz,fx,fy,fz",
                           "0@block=1,0,0": "it takes ROW@PLACE=mx,my,mz,fx,fy,fz"}.items():
            answer = self.trammel(*asked, "--follow", output)
            self.assertEqual(answer.code, 2, output)
            self.assertIn(told, answer.err)
        self.assertIn("warning: --follow has no effect", self.trammel("eval", "block.toml", "energy", "--follow",
                                                                           "0@block=0,0,0,1,0,0").err)

    def test_rows_that_depend_on_each_other_leave_a_choice(self):
        for name, (nv, rows, rank, finite) in ways.items():
            with self.subTest(name):
                self.assertEqual(self.json("info", "@" + name)["mobility"]["unique_reactions"], rank == rows)

    def test_the_solver_is_reported(self):
        for name, solver in (("r_ex2", "star"), ("me_5", "star"), ("four_bar", "star")):
            with self.subTest(name):
                self.assertEqual(self.json("info", "@" + name)["mobility"]["solver"], solver)
                asked = ("forward_dynamics", "hybrid_dynamics", "reactions", "multipliers")
                answer = self.json("eval", "@" + name, "energy", *asked)
                self.assertEqual(answer["solvers"], dict.fromkeys(asked, solver))
                self.assertIn(f"\n  by the solver '{solver}'\n", self.done("eval", "@" + name, "reactions").out)
                answer = self.json("eval", "@" + name, *asked[2:], "--solver", "kkt")
                self.assertEqual(answer["solvers"], dict.fromkeys(asked[2:], "kkt"))
        self.assertEqual(self.json("eval", "@pendulum", "forward_dynamics")["solvers"], {})

    def test_every_solver_agrees(self):
        for name in ("me_5", "r_ex2", "e_05", "bennett"):
            with self.subTest(name):
                answers = [self.begins(name, "--solver", solver) for solver in ("schur", "null_space", "kkt")]
                for answer in answers[1:]:
                    for joint, value in answer.items():
                        self.assertAlmostEqual(value, answers[0][joint], delta=1e-8, msg=joint)


if __name__ == "__main__":
    unittest.main()
