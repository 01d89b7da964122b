import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "second_compiler.py"


def run(*files, target="trammel_core"):
    """The tool, on a build folder whose library has these files: (exit code, output)."""
    with tempfile.TemporaryDirectory() as folder:
        entries = []
        for k, text in enumerate(files):
            path = pathlib.Path(folder) / f"{k}.cpp"
            path.write_text(text)
            entries.append({"directory": folder, "file": str(path),
                            "command": f"g++ -std=c++20 -fno-tree-slp-vectorize --param=ggc-min-expand=200 -Wno-subobject-linkage -include pch.hxx "
                                       f"-o CMakeFiles/{target}.dir/{k}.cpp.o -c {path}"})
        (pathlib.Path(folder) / "compile_commands.json").write_text(json.dumps(entries))
        done = subprocess.run([sys.executable, "-B", TOOL, folder], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


@unittest.skipUnless(shutil.which("clang++"), "clang++ is not installed")
class SecondCompiler(unittest.TestCase):
    def test_valid_files_pass(self):
        code, output = run("int one() { return 1; }\n", "int two() { return 2; }\n")
        self.assertEqual(code, 0, output)
        self.assertIn("2 files read by clang++, 0 rejected", output)

    def test_a_rejected_file_is_named_with_its_place(self):
        code, output = run("int one() { return 1; }\n", "int two() { return nothing; }\n")
        self.assertEqual(code, 1)
        self.assertIn("1.cpp:1:20: error", output)
        self.assertIn("2 files read by clang++, 1 rejected", output)

    def test_a_build_without_the_library_is_a_mistake(self):
        code, output = run("int one() { return 1; }\n", target="other")
        self.assertNotEqual(code, 0)
        self.assertIn("no file of the library", output)


if __name__ == "__main__":
    unittest.main()
