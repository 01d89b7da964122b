// Malicious or damaged files: a clear message in bounded time, memory and stack.
#include <gtest/gtest.h>

#include <ctime>
#include <string>

#include "trammel/read/load.hpp"

namespace trammel::urdf_hostile_test {
namespace {

std::string times(int n, const std::string& text) {
  std::string all;
  all.reserve(std::size_t(n) * text.size());
  for (int k = 0; k < n; ++k) all += text;
  return all;
}

// Messages about a text: the first one and their number.
struct Messages {
  std::string first;
  std::size_t count = 0;
  bool is_refused = false;
  std::size_t longest = 0;  // of all messages
};
Messages messages_of(const std::string& text) {
  Diagnostics diagnostics;
  const Description description = read_description("robot.urdf", text, {}, diagnostics);
  Messages messages;
  const auto look_at = [&](auto&& list) {
    messages.count = list.size();
    if (messages.count > 0) messages.first = to_string(list[0]);
    for (const Diagnostic& one : list)
      messages.longest = std::max(messages.longest, one.message.size() + one.hint.size());
  };
  try {
    look_at(build_model(description, diagnostics).warnings());
  } catch (const ModelError& error) {
    messages.is_refused = true;
    look_at(error.diagnostics().list());
  }
  return messages;
}

class UrdfHostile : public testing::Test {
 protected:
  // The slowest takes under a second; a quadratic cost in the size of the input would take minutes.
  void TearDown() override {
    EXPECT_LT(double(std::clock() - start_) / CLOCKS_PER_SEC, 20);  // of CPU, whatever else runs
  }
  std::clock_t start_ = std::clock();
};

const std::string whole =
    "<?xml version=\"1.0\"?>\n"
    "<robot name=\"r\"><!-- two links -->\n"
    "  <link name=\"a\"/>\n"
    "  <link name=\"b\"><inertial><origin xyz=\"0 0 1\" rpy=\"0 0 0\"/><mass value=\"1\"/>\n"
    "    <inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n"
    "  <joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint>\n"
    "</robot>";

TEST_F(UrdfHostile, a_file_cut_off_anywhere_is_refused) {
  ASSERT_FALSE(messages_of(whole).is_refused);
  for (std::size_t end = 0; end < whole.size(); ++end) {
    const Messages description = messages_of(whole.substr(0, end));
    EXPECT_TRUE(description.is_refused) << end;
    EXPECT_FALSE(description.first.empty()) << end;
  }
}

TEST_F(UrdfHostile, any_byte_may_be_wrong) {
  // for any message, nothing crashes; sanitizers check it
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char wrong : {'<', '>', '"', '/', ' ', '!', '?', '&', '=', 'x', '\n', '-'}) {
      std::string text = whole;
      text[at] = wrong;
      const Messages description = messages_of(text);
      EXPECT_FALSE(description.is_refused && description.first.empty()) << text;
    }
}

TEST_F(UrdfHostile, ten_megabytes_of_garbage) {
  EXPECT_EQ(messages_of("<" + times(10 << 20, "x")).first,
            "robot.urdf:1:1: error: the tag <" + std::string(53, 'x') + "..." +
                std::string(26, 'x') + "> is not finished\n  hint: end it with '>' or '/>'");
  EXPECT_EQ(messages_of(times(10 << 20, "<")).first,
            "robot.urdf:1:1: error: a '<' begins no tag\n"
            "  hint: write &lt; where a '<' is meant as text");
  EXPECT_TRUE(messages_of("<robot>" + times(5 << 20, "& ")).is_refused);
}

TEST_F(UrdfHostile, nested_a_hundred_thousand_deep) {
  const std::string text = times(100000, "<robot>") + times(100000, "</robot>");
  EXPECT_EQ(messages_of(text).first,
            "robot.urdf:1:351: error: elements are nested more than 50 deep\n"
            "  hint: no robot is like that; is this the right file?");
}

TEST_F(UrdfHostile, names_of_a_megabyte_are_not_repeated_in_full) {
  const std::string name = times(1 << 20, "n");
  const std::string link = "<link name=\"" + name + "\"";
  for (const std::string& inside :
       {link + "/>" + link + "/>",                                      // twice
        link + "><inertial/></link>",                                   // with a mistake
        "<link name=\"a\"/><" + name + "/>",                            // unknown element
        "<link name=\"a\" " + name + "=\"1\"/>",                        // unknown attribute
        "<link name=\"a\">" + name + "</link>",                         // text
        "<link name=\"a\"/><joint name=\"j\" type=\"" + name + "\"/>",  // joint type
        "<link name=\"a\"><inertial><mass value=\"" + name + "\"/></inertial></link>",
        "<link name=\"a\"><visual><geometry><mesh filename=\"package://" + name +
            "/x\"/></geometry></visual></link>",
        "<link name=\"a\"><visual><geometry><mesh filename=\"" + name +
            "\"/></geometry></visual></link>",
        link + "/><joint name=\"" + name + "\" type=\"fixed\"><parent link=\"" + name +
            "\"/><child link=\"" + name + "x\"/></joint>"}) {
    const Messages description = messages_of("<robot name=\"" + name + "\">" + inside + "</robot>");
    EXPECT_GT(description.count, 0u) << inside.substr(0, 100);
    EXPECT_LT(description.longest, 1300u) << inside.substr(0, 100);
  }
}

TEST_F(UrdfHostile, a_billion_laughs_are_not_heard) {
  std::string text = "<!DOCTYPE robot [\n<!ENTITY l0 \"lol\">\n";
  for (int k = 1; k < 10; ++k)
    text += "<!ENTITY l" + std::to_string(k) + " \"" +
            times(10, "&l" + std::to_string(k - 1) + ";") + "\">\n";
  text += "]>\n<robot name=\"&l9;\"><link name=\"a\"/></robot>";
  Diagnostics diagnostics;
  EXPECT_EQ(read_description("robot.urdf", text, {}, diagnostics).name, "&l9;");
}

TEST_F(UrdfHostile, a_hundred_thousand_attributes) {
  std::string text = "<robot";
  for (int k = 0; k < 100000; ++k) text += " a" + std::to_string(k) + "=\"1\"";
  EXPECT_EQ(messages_of(text + "/>").first.substr(0, 63),
            "robot.urdf:1:798: error: <robot> has more than 100 attributes\n ");
}

TEST_F(UrdfHostile, a_hundred_thousand_mistakes_are_not_all_reported) {
  Messages description =
      messages_of("<robot name=\"r\"><link name=\"a\"/>" + times(100000, "<lnk/>") + "</robot>");
  EXPECT_FALSE(description.is_refused);
  EXPECT_EQ(description.count, 1001u);

  Diagnostics diagnostics;
  const std::string text =
      "<robot name=\"r\"><link name=\"a\"/>" + times(2000, "<lnk/>") + "<link name=\"b\"/></robot>";
  (void)read_description("robot.urdf", text, {}, diagnostics);
  // the error, though it came late, is not lost
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(to_string(diagnostics.list().back()),
            "robot.urdf: error: 1001 more messages are left out\n  hint: mend those above first");
}

TEST_F(UrdfHostile, twenty_thousand_links) {
  std::string text = "<robot name=\"r\">";
  for (int k = 0; k < 20000; ++k) text += "<link name=\"l" + std::to_string(k) + "\"/>";
  EXPECT_TRUE(messages_of(text + "</robot>").is_refused);  // roots
  for (int k = 1; k < 20000; ++k)
    text += "<joint name=\"j" + std::to_string(k) + "\" type=\"fixed\"><parent link=\"l" +
            std::to_string(k - 1) + "\"/><child link=\"l" + std::to_string(k) + "\"/></joint>";
  EXPECT_EQ(messages_of(text + "</robot>").first, "");
  EXPECT_TRUE(messages_of(text + "<joint name=\"last\" type=\"fixed\"><parent link=\"l19999\"/>"
                                 "<child link=\"l0\"/></joint></robot>")
                  .is_refused);  // a cycle
}

}  // namespace
}  // namespace trammel::urdf_hostile_test
