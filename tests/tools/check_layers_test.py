import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_layers


class LayersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("LAYERS", "# module  may include\nbase\njoint   base  # and nothing else\n")
        self.write("base/README.md", "What everyone needs.\n")
        self.write("joint/README.md", "What a joint does.\n")

    def write(self, name, text):
        path = self.root / "trammel" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def complaints(self):
        return list(check_layers.complaints(self.root))

    def test_good_order_gets_no_complaint(self):
        self.write("joint/joint.hpp", '#include <vector>\n#include "trammel/base/status.hpp"\n')
        self.assertEqual(self.complaints(), [])

    def test_an_upward_include_is_named_with_file_and_line(self):
        self.write("base/deep/x.cpp", '\n#include "trammel/joint/joint.hpp"\n')
        self.assertEqual(self.complaints(), ["trammel/base/deep/x.cpp:2: base may not include joint"])

    def test_a_module_needs_a_line_and_a_readme(self):
        self.write("attic/x.hpp", "")
        self.assertEqual(self.complaints(), ["trammel/attic: this module is not in trammel/LAYERS",
                                             "trammel/attic: has no README.md"])

    def test_inner_folders_have_an_order_of_their_own(self):
        self.write("LAYERS", "base\njoint base\njoint/low\njoint/high low\n")
        self.write("joint/joint.hpp", '#include "trammel/joint/high/b.hpp"\n')
        self.write("joint/low/a.hpp", '#include "trammel/joint/joint.hpp"\n')
        self.write("joint/high/b.hpp", '#include "trammel/joint/low/a.hpp"\n')
        self.assertEqual(self.complaints(), [])
        self.write("joint/low/a.hpp", '#include "trammel/joint/high/b.hpp"\n')
        self.write("joint/new/c.hpp", "")
        self.assertEqual(self.complaints(), ["trammel/joint/new: this folder is not in trammel/LAYERS",
                                             "trammel/joint/low/a.hpp:1: joint/low may not include joint/high"])

    def test_a_readme_is_short(self):
        self.write("base/README.md", "more\n" * 16)
        self.assertEqual(self.complaints(), ["trammel/base/README.md: more than 15 lines"])


if __name__ == "__main__":
    unittest.main()
