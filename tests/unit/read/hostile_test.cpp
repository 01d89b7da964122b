// Hostile files get a short message, in bounded time and memory: every bound below holds by
// construction, so a test that hangs or overflows the stack has failed.
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <filesystem>
#include <random>

#include "tests/unit/read/reading.hpp"
#include "trammel/read/source.hpp"

namespace trammel::hostile_test {
namespace {

constexpr std::size_t megabyte = std::size_t(1) << 20;

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  text.reserve(piece.size() * times);
  for (std::size_t k = 0; k < times; ++k) text += piece;
  return text;
}

// Also builds a model; the message is short, and never empty.
void expect_short_refusal(const std::string& lines, const std::string& part) {
  Diagnostics diagnostics;
  try {
    const Description description =
        read_description("model.toml", "trammel = 1\n" + lines, {}, diagnostics);
    (void)build_model(description, diagnostics);
    ADD_FAILURE() << "nothing was wrong";
  } catch (const ModelError& error) {
    const std::string text = error.what();
    EXPECT_LT(text.size(), 200'000u);
    EXPECT_NE(text.find(part), std::string::npos) << text.substr(0, 2000);
    for (const Diagnostic& one : error.diagnostics().list()) EXPECT_LT(one.message.size(), 1000u);
  }
}

TEST(HostileToml, half_a_file) {
  const std::string whole =
      "[body.arm]\nmass = 1\ncom = [0, 0, 0.1]\nshape = { box = [1, 2, 3] }\n"
      "[joint.a]\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"arm\"\n";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    Diagnostics diagnostics;
    const Description description =
        read_description("model.toml", "trammel = 1\n" + whole.substr(0, length), {}, diagnostics);
    try {
      (void)build_model(description, diagnostics);
    } catch (const ModelError& error) { EXPECT_FALSE(error.diagnostics().list().empty()); }
  }
}

TEST(HostileToml, ten_megabytes_of_garbage) {
  std::mt19937 random(1);
  std::string garbage(10 * megabyte, ' ');
  for (char& c : garbage) c = char(33 + random() % 94);
  expect_short_refusal(garbage, "in a TOML ");
}

TEST(HostileToml, two_megabytes_of_mistakes) {
  expect_short_refusal(
      "[body.a]\n" +
          [] {
            std::string lines;
            for (int k = 0; lines.size() < 2 * megabyte; ++k)
              lines += "k" + std::to_string(k) + " = 1\n";
            return lines;
          }(),
      "more mistakes");
}

TEST(HostileToml, a_formula_ten_thousand_deep) {
  const std::string deep = repeated("sin(", 10'000) + "a" + repeated(")", 10'000);
  const Description description = described("[parameters]\na = 1\n[body.x]\nmass = '" + deep +
                                            "'\n[joint.j]\ntype = 'free'\n"
                                            "parent = 'ground'\nchild = 'x'\n");
  EXPECT_EQ(build_model(description).nv(), 6);
  expect_short_refusal("[body.x]\nmass = '" + repeated("(", 1'000'000) + "'\n",
                       "expected a number, a name or '('");
}

TEST(HostileToml, brackets_a_hundred_thousand_deep) {
  const std::string deep = repeated("[", 100'000);
  expect_short_refusal("a = " + deep, "brackets are nested more than 32 deep");
  expect_short_refusal(deep, "brackets are nested more than 32 deep");
  expect_short_refusal("a = " + repeated("{a=", 100'000), "brackets are nested more than 32 deep");
  expect_short_refusal("a" + repeated(".a", 100'000) + " = 1", "a key has more than 16 parts");
  expect_short_refusal("[a" + repeated(".a", 100'000) + "]", "a key has more than 16 parts");
  expect_short_refusal("a" + repeated(".\"a\"", 100'000) + " = 1", "a key has more than 16 parts");
  expect_short_refusal("x = \"\\\"#[\"\na = " + deep, "brackets are nested more than 32 deep");
  expect_short_refusal("x = '''\n''[\n'''\na = " + deep, "brackets are nested more than 32 deep");
}

// each of these once caused undefined behavior in the parser; sanitizers check it
TEST(HostileToml, symbols_where_none_belong) {
  for (const char* line : {"[.a]", "[[[a", "\xc3\xa9 = 1", "a = \xc3\xa9", "a = 0.\"\xc3\xa9\"3",
                           "a = 1/[\"\xc3\xa9\"b]", "a = 9\"\"\"\xc3\xa4 ", "[a\xc3\xa9]",
                           "a = \"\"\"\\\xc3\xa9\"\"\"", "a = 1 \xe2\x80\xa8"})
    EXPECT_NE(mistakes(line).find(": error: in a TOML "), std::string::npos) << line;
  EXPECT_EQ(described("name = \"\"\"a\\\n  \xc3\xb6\"\"\"").name, "a\xc3\xb6");
}

TEST(HostileToml, names_of_a_megabyte) {
  const std::string name(megabyte, 'a');
  expect_short_refusal("[body." + name + "]\nmass = 1\n", "has a name of 1048576 characters");
  expect_short_refusal("[joint.j]\ntype = 'fixed'\nparent = '" + name + "'\nchild = 'ground'\n",
                       "parent is a name of 1048576 characters");
  expect_short_refusal("[parameters]\n" + name + " = 1\n", "a name that no formula can use");
  expect_short_refusal("[body.x]\n" + name + " = 1\n", "is not a key known here");
  expect_short_refusal("[body.x]\nmass = '" + name + "'\n", "nothing is called 'aaa");
  expect_short_refusal("[body.x]\nmass = '1 " + name + "'\n", "is not a unit");
  expect_short_refusal("[coupling.x]\nterms = { " + name + " = 1 }\n",
                       "which is no name of a joint");
  expect_short_refusal("[state.position]\n" + name + " = 1\n", "no joint has that name");
  expect_short_refusal(name + " = 1\n", "is not a key known here");
  expect_short_refusal("name = [" + repeated("1, ", megabyte) + "]\n", "it must be a text");
}

TEST(HostileToml, circles_of_a_hundred_thousand_parameters) {
  std::string lines = "[parameters]\n";
  constexpr int count = 100'000;
  for (int k = 0; k < count; ++k)
    lines += "a" + std::to_string(k) + " = 'a" + std::to_string((k + 1) % count) + "'\n";
  expect_short_refusal(lines, "parameters in a circle: a0 -> a1 -> a2");
}

TEST(HostileToml, a_chain_of_a_hundred_thousand_parameters_is_legal) {
  std::string lines = "[parameters]\nb0 = 1\n";
  for (int k = 1; k < 100'000; ++k)
    lines += "b" + std::to_string(k) + " = '1 + b" + std::to_string(k - 1) + "'\n";
  const Description description = described(lines);
  EXPECT_EQ(description.definitions.size(), 99'999u);
}

TEST(HostileFiles, what_is_no_text_file_is_refused) {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::temp_directory_path() / ("trammel_hostile" + std::to_string(std::random_device{}()));
  fs::create_directories(folder);
  const fs::path pipe = folder / "pipe.toml";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);

  const auto said_of = [](const std::string& path) {
    Diagnostics diagnostics;
    (void)read_description(path, {}, diagnostics);
    return told(diagnostics);
  };
  EXPECT_NE(said_of(folder).find("this is a folder"), std::string::npos);
  EXPECT_NE(said_of(pipe).find("this is not a regular file"), std::string::npos);
  EXPECT_NE(said_of("/dev/zero").find("this is not a regular file"), std::string::npos);
  EXPECT_NE(said_of(folder / "none.toml").find("there is no such file"), std::string::npos);
  fs::remove_all(folder);

  EXPECT_NE(mistakes(std::string("a = 1\n\0b = 2\n", 13)).find("byte 0x00 is not text"),
            std::string::npos);
}

// UTF-8 by RFC 3629: text that JSON output could not contain is refused when it is read.
TEST(hostile, what_only_resembles_utf8_is_no_text) {
  const auto is_text = [](const std::string& bytes) {
    Diagnostics diagnostics;
    return check_text({"name.urdf", "<robot name='" + bytes + "'/>"}, diagnostics);
  };
  for (const char* sound : {"\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                            "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(is_text(sound)) << sound;
  for (const char* wrong :
       {"\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\x80", "\xe2\x82"})
    EXPECT_FALSE(is_text(wrong)) << wrong;
}

}  // namespace
}  // namespace trammel::hostile_test
