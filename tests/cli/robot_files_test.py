"""Files as robots' makers publish them: inertias no solid has, limits exchanged, names that are taken, and numbers that
were probably not meant."""
import json
import unittest

from program import InFolder

camera = """trammel = 1
name = "camera"
gravity = [0, 0, -9.81]
[body.camera]
mass = 0.16
inertia = {inertia}
[joint.pan]
type = "revolute"
parent = "ground"
child = "camera"
"""
not_a_solid, negative = "[1e-5, 6e-4, 1.4e-3]", "[2e-3, 2e-3, -1e-3]"

arm = """trammel = 1
name = "arm"
[body.arm]
mass = 1
com = [0.5, 0, 0]
inertia = [0, 0.1, 0.1]
[joint.elbow]
type = "revolute"
parent = "ground"
child = "arm"
axis = "y"
"""


class RobotFiles(InFolder):
    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def found(self, *words):
        """What `check` finds, by severity."""
        answer = self.trammel("check", *words, "--json")
        file = json.loads(answer.out)["files"][0]
        self.assertEqual(answer.code, 0 if file["sound"] else 1)
        return [(d["severity"], d["message"]) for d in file["diagnostics"]]

    def test_dynamics_of_an_inertia_that_breaks_the_triangle_inequality(self):
        model = self.write("camera.toml", camera.format(inertia=not_a_solid))
        [(severity, message)] = self.found(model)
        self.assertEqual(severity, "warning")
        self.assertIn("the last exceeds the sum of the others: the dynamics use it as it is", message)
        answer = self.json("eval", model, "forward_dynamics", "--tau", "pan=1")["answers"]["forward_dynamics"]
        self.assertAlmostEqual(answer["values"][0], 1 / 1.4e-3, delta=1e-9)
        self.done("simulate", model, "--duration", "0.1", "--report", "page.html")
        page = (self.folder / "page.html").read_text()
        self.assertIn("none: no solid has principal moments 1e-05, 0.0006, 0.0014 kg m^2", page)
        self.assertIn('"ellipsoid":null,"poses"', page)
        # a solid has one
        solid = self.write("solid.toml", camera.format(inertia="[1e-3, 6e-4, 1.4e-3]"))
        self.done("simulate", solid, "--duration", "0.1", "--report", "solid.html")
        self.assertIn('"ellipsoid":{"at"', (self.folder / "solid.html").read_text())

    def test_strict_makes_it_an_error(self):
        model = self.write("camera.toml", camera.format(inertia=not_a_solid))
        self.assertEqual([severity for severity, _ in self.found(model, "--strict")], ["error"])
        for command in ("info", "simulate"):
            answer = self.trammel(command, model, "--strict")
            self.assertEqual(answer.code, 1)
            self.assertIn("the last exceeds the sum of the others\n", answer.err)

    def test_a_negative_moment_is_an_error_unless_it_is_allowed(self):
        model = self.write("camera.toml", camera.format(inertia=negative))
        self.assertEqual(self.found(model), [("error", "body 'camera' has a principal moment of inertia of -0.001")])
        [(severity, message)] = self.found(model, "--allow-nonphysical")
        self.assertEqual(severity, "warning")
        self.assertIn("used as it is", message)
        answer = self.json("eval", model, "mass_matrix", "--allow-nonphysical")["answers"]["mass_matrix"]
        self.assertEqual(answer["values"], [[-0.001]])
        for words in (("eval", model, "forward_dynamics"), ("simulate", model)):
            answer = self.trammel(*words, "--allow-nonphysical")
            self.assertEqual(answer.code, 1)
            self.assertIn("joint 'pan' meets no positive articulated inertia in this position, and body 'camera' has a "
                          "principal moment of inertia of -0.001", answer.err)
        answer = self.trammel("check", model, "--strict", "--allow-nonphysical")
        self.assertEqual(answer.code, 2)
        self.assertIn("--strict and --allow-nonphysical contradict each other", answer.err)

    def test_what_is_allowed_once_is_allowed_where_the_model_is_built_again(self):
        # fixed to a heavy base its negative moment does not matter; an event builds the model again, and so does a
        # state
        antenna = """[body.antenna]
mass = 1e-6
inertia = [9e-8, 3.5e-8, -3.5e-8]
[joint.mast]
type = "fixed"
parent = "arm"
child = "antenna"
[event.stop]
at = 0.05
lock = "elbow"
"""
        model = self.write("antenna.toml", arm + antenna)
        self.done("simulate", model, "--duration", "0.1", "--allow-nonphysical")
        self.write("state.toml", "[state.position]\nelbow = 0.3\n")
        self.done("eval", model, "energy", "--state", "state.toml", "--allow-nonphysical")
        self.done("convert", model, "antenna.urdf", "--allow-nonphysical")
        self.assertEqual(self.found("antenna.urdf")[0][0], "error")

    def test_a_link_called_ground_below_the_root(self):
        model = self.write("twodof.urdf", """<robot name="r">
  <link name="world"/>
  <link name="ground"/>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="2"/></inertial></link>
  <joint name="anchor" type="fixed"><parent link="world"/><child link="ground"/><origin xyz="0 0 3"/></joint>
  <joint name="turn" type="continuous"><parent link="ground"/><child link="arm"/><axis xyz="0 0 1"/></joint>
</robot>
""")
        [(severity, message)] = self.found(model)
        self.assertEqual(severity, "warning")
        self.assertIn("it is called 'ground_link' here", message)
        answers = self.json("eval", model, "forward_dynamics", "poses", "--tau", "turn=1")["answers"]
        self.assertAlmostEqual(answers["forward_dynamics"]["values"][0], 0.5, delta=1e-15)
        self.assertIn("3", json.dumps(answers["poses"]))

    def test_limits_that_are_exchanged_are_not_used(self):
        model = self.write("arm.toml", arm + "limits = { position = [1, -1], restitution = 0.5 }\n")
        self.assertEqual(self.found(model), [
            ("warning", "joint 'elbow' has a lower limit of 1 above its upper limit of -1: neither is used")])
        run = self.done("simulate", model, "--duration", "1")
        self.assertNotIn("limit", run.err.replace("lower limit of 1 above its upper limit of -1", ""))
        self.assertEqual(self.trammel("simulate", model, "--strict").code, 1)

    def test_a_coupling_without_factors_is_refused(self):
        model = self.write("coupled.toml", arm + "[coupling.c]\nterms = { elbow = 0 }\n")
        for command in (("check",), ("info",), ("eval",)):
            answer = self.trammel(*command, model, *(["forward_dynamics"] if command == ("eval",) else []))
            self.assertEqual(answer.code, 1)
            self.assertIn("coupling 'c' has only factors of 0", answer.out + answer.err)

    def test_lengths_that_overflow_are_refused(self):
        model = self.write("arm.toml", arm.replace("0.5, 0, 0", "1e155, 0, 0"))
        for words in (("info", model), ("eval", model, "forward_dynamics"), ("simulate", model)):
            answer = self.trammel(*words)
            self.assertEqual(answer.code, 1)
            self.assertIn("com.x is 1e+155, and lengths beyond 1e+100 m overflow", answer.err)
        self.done("eval", self.write("long.toml", arm.replace("0.5, 0, 0", "1e99, 0, 0")), "forward_dynamics")

    def test_angles_without_a_unit_are_questioned(self):
        model = self.write("arm.toml", arm)
        for words in (("eval", model, "energy"), ("info", model), ("linearize", model),
                      ("simulate", model, "--duration", "0.1")):
            output = self.done(*words, "--q", "elbow=90").err
            self.assertIn("option --q puts 'elbow' at 90 rad, which is 14.3 turns", output)
            self.assertIn("did you mean 'elbow=90 deg'? If not, write 'elbow=90 rad'", output)
        for meant in ("elbow=90 deg", "elbow=90 rad", "elbow=30*pi", "elbow=6.28", "elbow=-1.57"):
            self.assertNotIn("turns", self.done("eval", model, "energy", "--q", meant).err)
        self.assertIn("turns", self.done("eval", model, "energy", "--q=-90").err)
        limited = self.write("limited.toml", arm + "limits = { position = [-100, 100] }\n")
        self.assertNotIn("turns", self.done("eval", limited, "energy", "--q", "elbow=90").err)
        for far in ("elbow=1e17", "elbow=1e17 rad"):
            self.assertIn("neighboring doubles are 16 rad apart", self.done("eval", model, "energy", "--q", far).err)

    def test_missing_masses_and_inertias_are_reported(self):
        point = "inertia = [0, 0.1, 0.1]\n"
        model = self.write("arm.toml", arm.replace(point, ""))
        self.assertEqual(self.found(model), [("warning", "body 'arm' has mass 1 and no inertia, and it can rotate")])
        # explicit values are accepted; a sliding body needs none; a fixed body shares the inertia of its parent
        self.assertEqual(self.found(self.write("a.toml", arm.replace(point, "inertia = [0, 0, 0]\n"))), [])
        self.assertEqual(self.found(self.write("b.toml", arm.replace(point, "").replace("revolute", "prismatic"))), [])
        load = '[body.load]\nmass = 1\n[joint.grip]\ntype = "fixed"\nparent = "arm"\nchild = "load"\n'
        self.assertEqual(self.found(self.write("c.toml", arm + load)), [])
        self.assertEqual(self.found(self.write("d.toml", arm.replace("mass = 1\n", ""))), [
            ("warning", "body 'arm' has inertia and no mass: no force of gravity acts on it")])
        self.assertEqual(self.found(self.write("e.toml", arm.replace("mass = 1\n", "mass = 0\n"))), [])

    def test_a_joint_driven_by_motion_without_a_motion(self):
        model = self.write("arm.toml", arm + 'drive = "motion"\n')
        self.assertEqual(self.found(model), [
            ("warning", "joint 'elbow' is driven by motion, and no motion is given for it")])
        model = self.write("driven.toml", arm + 'drive = "motion"\n[input.turn]\njoint = "elbow"\n'
                           "ramp = { to = 1, over = 2 }\n")
        self.assertEqual(self.found(model), [])


if __name__ == "__main__":
    unittest.main()
