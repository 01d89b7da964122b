import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_floorplan


class FloorplanTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("FLOORPLAN", "# room  may include\nbase\njoint   base  # and nothing else\n")
        self.write("base/README.md", "What everyone needs.\n")
        self.write("joint/README.md", "What a joint does.\n")

    def write(self, name, text):
        path = self.root / "trammel" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def complaints(self):
        return list(check_floorplan.complaints(self.root))

    def test_a_good_house_gets_no_complaint(self):
        self.write("joint/joint.hpp", '#include <vector>\n#include "trammel/base/status.hpp"\n')
        self.assertEqual(self.complaints(), [])

    def test_looking_upstairs_is_told_with_file_and_line(self):
        self.write("base/deep/x.cpp", '\n#include "trammel/joint/joint.hpp"\n')
        self.assertEqual(self.complaints(), ["trammel/base/deep/x.cpp:2: base may not include joint"])

    def test_a_room_needs_a_line_in_the_plan_and_a_readme(self):
        self.write("attic/x.hpp", "")
        self.assertEqual(self.complaints(), ["trammel/attic: this module is not in trammel/FLOORPLAN",
                                             "trammel/attic: has no README.md"])

    def test_a_readme_is_short(self):
        self.write("base/README.md", "more\n" * 16)
        self.assertEqual(self.complaints(), ["trammel/base/README.md: more than 15 lines"])


if __name__ == "__main__":
    unittest.main()
