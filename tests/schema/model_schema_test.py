"""Editors that follow schemas/model.schema.json accept what the reader accepts.

That both know the same keys is compared in tests/unit/read/toml_keys_test.cpp.
"""
import json
import tomllib
import unittest
from pathlib import Path

import jsonschema

top = Path(__file__).resolve().parent.parent.parent
schema = json.loads((top / "schemas/model.schema.json").read_text())
validator = jsonschema.Draft7Validator(schema)


def mistakes(path):
    return [f"{list(e.absolute_path)}: {e.message}" for e in validator.iter_errors(tomllib.loads(path.read_text()))]


class ModelSchema(unittest.TestCase):
    def test_is_a_schema(self):
        jsonschema.Draft7Validator.check_schema(schema)

    def test_good_models_are_good(self):
        files = sorted([*top.glob("models/**/*.toml"), *top.glob("tests/unit/read/models/*.toml")])
        self.assertGreater(len(files), 4)
        for path in files:
            with self.subTest(path.relative_to(top).as_posix()):
                self.assertEqual(mistakes(path), [])

    def test_what_a_schema_can_see_is_seen(self):
        for name in ("unknown_key", "version_missing", "version_newer", "version_text", "wrong_kind", "not_a_table",
                     "list_length", "missing_keys", "unknown_choice", "parameter_names", "shapes", "joint_parts",
                     "connections", "inputs", "one_input_missing", "many_mistakes", "long_names"):
            with self.subTest(name):
                self.assertNotEqual(mistakes(top / f"tests/wrong_input/toml/{name}.toml"), [])

    def test_every_key_is_described(self):
        for table, definition in schema["definitions"].items():
            for key, value in definition.get("properties", {}).items():
                with self.subTest(f"{table}.{key}"):
                    target = schema["definitions"][value["$ref"].rsplit("/", 1)[1]] if "$ref" in value else value
                    self.assertTrue(target.get("description"))


if __name__ == "__main__":
    unittest.main()
