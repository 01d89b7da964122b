// Plain TOML is read to the same document as by the parser library; where the plain parser finds a
// text not plain, the library reads it.
#include "trammel/read/toml/plain_document.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/support/how_many.hpp"
#include "tests/support/test_folder.hpp"
#include "trammel/read/gallery.hpp"

namespace trammel::plain_document_test {
namespace {

using toml::Entry;
using toml::Value;

bool is_same(const Value& a, const Value& b);
bool is_same(const Entry& a, const Entry& b) {
  return a.key == b.key && a.position.line == b.position.line &&
         a.position.column == b.position.column && is_same(a.value, b.value);
}
// Equal to the last bit, with all positions.
bool is_same(const Value& a, const Value& b) {
  const auto are_same = [](const auto& x, const auto& y) {
    return std::ranges::equal(x, y, [](const auto& u, const auto& v) { return is_same(u, v); });
  };
  return a.kind == b.kind && a.position.line == b.position.line &&
         a.position.column == b.position.column &&
         std::bit_cast<std::uint64_t>(a.number) == std::bit_cast<std::uint64_t>(b.number) &&
         a.whole == b.whole && a.truth == b.truth && a.text == b.text && are_same(a.list, b.list) &&
         are_same(a.entries, b.entries);
}

std::optional<Value> whole(const std::string& text) {
  Diagnostics diagnostics;
  return toml::parse_whole({"text.toml", text}, diagnostics);
}

enum class Outcome { plain, not_plain, different };
// Compares the two parsers on a text that has passed the checks before them.
Outcome compare(const std::string& text) {
  Diagnostics diagnostics;
  const Source source{"text.toml", text};
  if (!check_text(source, diagnostics)) return Outcome::not_plain;
  const std::optional<Value> plain = toml::parse_plain(text);
  if (!plain) return Outcome::not_plain;
  const std::optional<Value> by_library = whole(text);
  return by_library && is_same(*plain, *by_library) ? Outcome::plain : Outcome::different;
}

std::vector<std::string> texts_in(const std::filesystem::path& folder) {
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

TEST(PlainDocument, every_model_of_the_gallery_is_the_same_for_both_parsers) {
  int plain = 0, all = 0;
  for (const GalleryModel& model : gallery()) {
    const Outcome outcome = compare(std::string(model.text));
    EXPECT_NE(outcome, Outcome::different) << model.name;
    plain += outcome == Outcome::plain;
    ++all;
  }
  EXPECT_GT(plain, all / 2) << "most models are plain, or the comparison compares little";
}

TEST(PlainDocument, wrong_files_and_those_of_the_fuzz_corpus_are_the_same_for_both_parsers) {
  for (const char* folder : {"/wrong_input", "/fuzz/corpus"})
    for (const std::string& text : texts_in(test_folder() + folder))
      EXPECT_NE(compare(text), Outcome::different) << text.substr(0, 400);
}

// Each pair of characters of the alphabet occurs often enough in edits of small texts.
TEST(PlainDocument, edited_texts_are_the_same_for_both_parsers) {
  const std::string alphabet = "[]{}=,.\"'#-+_0159eEinft \t\n\r\\a:xzT\x01\x7f";
  const std::vector<std::string> seeds = {
      "trammel = 1\nname = \"a\"\n[body.b1]\nmass = 1.5\ncom = [0, -0.5, 1e-3]\n[joint.j-1]\nat = "
      "{ "
      "xyz = [0, 0, 1], rpy = [0.1,0,0] }\ncut = true # no\n[joint.j-1.limits]\nvelocity = inf\n",
      "a = [ 1, # one\n 2,\n]\nb = 'x\\y'\n['c d'.\"e\"]\nf = -inf\ng = +7\nh = -0\ni = 0.0\nj = "
      "{}\nk = []\n",
      "x = 12\n[t.u]\n[t.v]\ny = 1E+3\n[t.u.w]\nz = false\n"};
  std::mt19937 random(7);
  int plain = 0;
  const int cases = how_many(60000);
  for (int k = 0; k < cases; ++k) {
    std::string text = seeds[random() % seeds.size()];
    for (std::size_t edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % text.size(), count = random() % 4;
      const char c = alphabet[random() % alphabet.size()];
      switch (random() % 4) {
        case 0: text[at] = c; break;
        case 1: text.insert(at, 1, c); break;
        case 2: text.erase(at, count); break;
        default: text.insert(at, text.substr(random() % text.size(), 1 + random() % 12));
      }
      if (text.empty()) text = "a";
    }
    const Outcome outcome = compare(text);
    ASSERT_NE(outcome, Outcome::different) << text;
    plain += outcome == Outcome::plain;
  }
  EXPECT_GT(plain, cases / 20);
}

TEST(PlainDocument, numbers_are_those_of_the_library_or_left_to_it) {
  for (const char* number : {"0",
                             "-0",
                             "+0",
                             "0.0",
                             "-0.0",
                             "1e400",
                             "1e-400",
                             "5e-324",
                             "1.7976931348623157e308",
                             "9223372036854775807",
                             "9223372036854775808",
                             "-9223372036854775808",
                             "01",
                             "1_000",
                             "0x1F",
                             "0b1",
                             "0o7",
                             "1.",
                             ".5",
                             "1e",
                             "1e+",
                             "1.5e05",
                             "0e0",
                             "0.1e-0",
                             "inf",
                             "+inf",
                             "-inf",
                             "nan",
                             "1979-05-27",
                             "07:32:00",
                             "1e5.5",
                             "--1",
                             "+-1",
                             "1 2",
                             "0.30000000000000004",
                             "123456789012345678901234567890.0",
                             "3.141592653589793238462643383279502884197"})
    EXPECT_NE(compare(std::string("a = ") + number), Outcome::different) << number;
  EXPECT_EQ(compare("a = [0, -0.5, 1e-3, +inf, 17]"), Outcome::plain);
}

TEST(PlainDocument, what_is_not_plain_is_left_to_the_library) {
  for (const char* text : {"a.b = 1",
                           "[[a]]\nb = 1",
                           "[a.b]\n[a]",
                           "a = \"\\n\"",
                           "a = \"\u00e9\"",
                           "a = \"\"\"x\"\"\"",
                           "\xef\xbb\xbf"
                           "a = 1",
                           "a = 1\na = 2",
                           "[a]\nb = 1\n[a.b]",
                           "[a]\n[a]",
                           "[ a ]",
                           "[a]b = 1",
                           "a = 1 b = 2",
                           "a = {b = 1,}",
                           "a = {b = 1\n}",
                           "a = {b = 1, b = 2}",
                           "a =\n1",
                           "= 1",
                           "\"\" = 1",
                           "a = [1 2]",
                           "a = [,]",
                           "a = \"x",
                           "a = 1 # \x01",
                           "a = tru",
                           "a = 1\r",
                           "[a",
                           "[]"})
    EXPECT_FALSE(toml::parse_plain(text).has_value()) << text;
  for (const char* text :
       {"", "\n", "# only \u00e9", "a = 1 # \u00e9", "a = 1\r\n[b]\r\n", "a=[[],[1,],]",
        "\"a b\" = 1", "[\"a.b\".c]", "[a.b]\n[c]\n[a.d]", "\ta\t=\t1\t"})
    EXPECT_EQ(compare(text), Outcome::plain) << text;
}

}  // namespace
}  // namespace trammel::plain_document_test
