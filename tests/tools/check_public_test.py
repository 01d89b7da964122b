import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_public


class PublicTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("trammel.hpp", '// All.\n#include "trammel/model/model.hpp"\n')

    def write(self, name, text):
        path = self.root / "trammel" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def complaints(self):
        return list(check_public.complaints(self.root))

    def test_a_kernel_reached_through_a_public_header_is_named(self):
        self.write("model/model.hpp", '// A model.\n#include "trammel/dynamics/kernel/tile.hpp"\n')
        self.write("dynamics/kernel/tile.hpp", "// A tile.\n")
        self.assertEqual(self.complaints(), ["trammel/model/model.hpp: a public header includes "
                                             "trammel/dynamics/kernel/tile.hpp, which is internal"])

    def test_a_header_that_is_not_reached_may_be_as_it_likes(self):
        self.write("model/model.hpp", "// A model.\n")
        self.write("model/other.hpp", "namespace trammel {\nint bare();\n}\n")
        self.assertEqual(self.complaints(), [])

    def test_declarations_need_comments(self):
        self.write("model/model.hpp", """#pragma once

namespace trammel {

struct Bare {
  int a;
};

// Said.
struct Documented {
  int bare_members_are_allowed() const { return 1; }
};
int same_group(int x,
               int y);

int alone();
int short_one();  // at the end of its line
class Forward;
template <class T> struct ForwardTemplate;

}  // namespace trammel
""")
        self.assertEqual(self.complaints(), [
            "trammel/model/model.hpp:5: public, but without a comment: struct Bare {",
            "trammel/model/model.hpp:16: public, but without a comment: int alone();"])

    def test_the_comment_of_a_file_is_that_of_its_first_declaration(self):
        self.write("model/model.hpp", "// A model.\n#pragma once\nnamespace trammel {\nclass A;\n\nstruct Model {};\n\nstruct Other {};\n}\n")
        self.assertEqual(self.complaints(), ["trammel/model/model.hpp:8: public, but without a comment: struct Other {};"])


if __name__ == "__main__":
    unittest.main()
