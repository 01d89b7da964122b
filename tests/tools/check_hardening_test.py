import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_hardening

source = """#include <stdio.h>
#include <string.h>
#include <vector>
int main(int argc, char** argv) {
  char name[8];
  strcpy(name, argv[argc - 1]);
  std::vector<int> list(3);
  return puts(name) + list[argc];
}
"""
flags = ["-fPIE", "-pie", "-Wl,-z,relro,-z,now", "-fstack-protector-strong", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2"]
without = {"-fPIE": ("-no-pie", "position-independent"), "-fstack-protector-strong": ("-fno-stack-protector", "stack protector"),
           "-Wl,-z,relro,-z,now": ("-Wl,-z,norelro,-z,lazy", "read-only relocations"), "-D_FORTIFY_SOURCE=2": ("-O1", "checked calls")}


@unittest.skipUnless(shutil.which("g++") and shutil.which("readelf"), "g++ or readelf is not here")
class HardeningTest(unittest.TestCase):
    def lacks(self, *options, has_assertions=False):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            subprocess.run(["g++", "-x", "c++", "-", "-O1", *options, "-o", program], input=source, text=True, check=True,
                           capture_output=True)
            return check_hardening.missing(program, has_assertions)

    def test_all_flags_are_enough(self):
        self.assertEqual(self.lacks(*flags), [])

    def test_each_flag_is_missed(self):
        for flag, (other, fact) in without.items():
            rest = [other if each == flag else each for each in flags if not (flag == "-fPIE" and each == "-pie")]
            found = self.lacks(*rest)
            self.assertTrue(any(fact in each for each in found), (flag, found))
            self.assertLessEqual(len(found), 2)
        self.assertEqual(self.lacks(*flags, "-D_GLIBCXX_ASSERTIONS", has_assertions=True), [])
        self.assertEqual(self.lacks(*flags, has_assertions=True), ["assertions of the C++ library (-D_GLIBCXX_ASSERTIONS)"])
        self.assertIn("binding at the start (-z now)", self.lacks(*(flag.replace(",-z,now", ",-z,lazy") for flag in flags)))


if __name__ == "__main__":
    unittest.main()
