import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_links


class LinksTest(unittest.TestCase):
    def complaints(self, text):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            (root / "other.md").write_text("# Two words, here\n")
            (root / "page.md").write_text(text)
            return list(check_links.complaints(root))

    def test_good_links_get_no_complaint(self):
        self.assertEqual(self.complaints("[a](other.md) [b](other.md#two-words-here) [c](https://x.org/y)"), [])

    def test_code_holds_no_links(self):
        self.assertEqual(self.complaints("`f[i](x)` and\n```\n[a](nowhere.md)\n```\n"), [])

    def test_a_lost_page_or_heading_is_reported(self):
        self.assertEqual(self.complaints("[a](lost.md) [b](other.md#three)"),
                         ["page.md: lost.md leads nowhere", "page.md: other.md#three: no such heading there"])


if __name__ == "__main__":
    unittest.main()
