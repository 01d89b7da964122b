"""Every command's JSON is what schemas/cli/ says, on real outputs."""
import json
import unittest

import jsonschema

from program import InFolder, top, trammel

models = ["arm.urdf", "block.toml", "floating.toml", "loop.toml", "nearly.toml", "@humanoid", "@pendulum"]


def schema(command):
    return json.loads((top / f"schemas/cli/{command}.schema.json").read_text())


class Schemas(InFolder):
    def conforms(self, command, *words, code=0):
        answer = self.trammel(command, *words, "--json")
        self.assertEqual(answer.code, code, answer.err)
        jsonschema.Draft202012Validator(schema(command)).validate(json.loads(answer.out))

    def test_the_schemas_are_schemas(self):
        for file in (top / "schemas/cli").glob("*.json"):
            jsonschema.Draft202012Validator.check_schema(json.loads(file.read_text()))

    def test_check(self):
        self.conforms("check", *models)
        self.conforms("check", *models, "wrong.toml", "missing.toml", code=1)

    def test_info(self):
        for model in models:
            with self.subTest(model):
                self.conforms("info", model)

    def test_eval(self):
        self.conforms("eval", "arm.urdf")
        names = [entry["name"] for entry in json.loads(self.trammel("eval", "arm.urdf", "--json").out)["quantities"]]
        # has no result for few degrees of freedom; the shape is that of its inverse
        names.remove("operational_space_inertia")
        names.remove("branches")  # has none for an arm that moves freely
        self.conforms("eval", "@four_bar", "branches", "--q", "motor=1")
        self.conforms("eval", "@four_bar", "reactions")
        for name in names:
            with self.subTest(name):
                self.conforms("eval", "arm.urdf", name, "--at", "fore", "--q", "0.1,0.2", "--v", "1,1", "-q")
        self.conforms("eval", "floating.toml", *[name for name in names if name not in
                                                 ("transmission_form", "forward_dynamics_derivatives", "drive_efforts")],
                      "--at", "tool")

    def test_simulate(self):
        self.conforms("simulate", "@four_bar", "--duration", "0.2")
        self.conforms("simulate", "arm.urdf", "--duration", "0.1", "--method", "rk4", "--step", "0.01")

    def test_recover(self):
        self.done("simulate", "@four_bar", "--duration", "0.2", "--journal", "run.journal")
        self.conforms("recover", "run.journal", "-o", "run.csv")

    def test_linearize(self):
        self.conforms("linearize", "@f7", "--equilibrium")
        self.conforms("linearize", "arm.urdf")
        self.conforms("linearize", "@s_t01")
        self.conforms("linearize", "@f7", "--all")

    def test_inverse(self):
        for level in "1", "2", "3", "4":
            self.conforms("inverse", "@s_t03", "--path", "round", "--sample", "0.5", "--level", level)

    def test_design(self):
        self.conforms("design", "@s_t08")
        self.conforms("design", "@s_t03")
        self.conforms("design", "@puma_560", "--at", "link6")
        self.conforms("design", "--isotropic", "5")
        self.conforms("design", "@s_t08", "--vary", "rollers=10 deg,170 deg")

    def test_examples(self):
        self.conforms("examples")
        self.conforms("examples", "pendulum")
        self.conforms("examples", "rolling_disk")

    def test_every_command_that_offers_json_has_a_schema(self):
        for command in "check", "info", "eval", "simulate", "recover", "inverse", "linearize", "design", "plot", "snapshot", "convert", "generate", "examples", "completion":
            offers = "--json" in trammel(command, "--help").out.split("Options:")[1].split("Examples:")[0]
            self.assertEqual(offers, (top / f"schemas/cli/{command}.schema.json").exists(), command)

    def test_a_wrong_answer_does_not_conform(self):
        answer = json.loads(self.trammel("eval", "arm.urdf", "energy", "--json").out)
        del answer["answers"]["energy"]["unit"]
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(schema("eval")).validate(answer)


if __name__ == "__main__":
    unittest.main()
